-- For wrk: each thread stops after the number of answers given as the argument, and has checked each of them.

local threads = {}

function setup(thread)
    table.insert(threads, thread)
end

function init(args)
    limit = tonumber(args[1])
    answers = 0
    bad = 0
    local bytes = {}
    for i = 0, 999 do
        bytes[i + 1] = string.char(i % 251)
    end
    expected = table.concat(bytes)
end

function response(status, headers, body)
    answers = answers + 1
    if status ~= 200 or body ~= expected then
        bad = bad + 1
    end
    if answers >= limit then
        wrk.thread:stop()
    end
end

function done(summary, latency, requests)
    local all = 0
    local allBad = 0
    for _, thread in ipairs(threads) do
        all = all + thread:get("answers")
        allBad = allBad + thread:get("bad")
    end
    local errors = summary.errors
    io.write(string.format(
        "answers=%d bad=%d errors=%d\n", all, allBad, errors.connect + errors.read + errors.write + errors.timeout))
end
