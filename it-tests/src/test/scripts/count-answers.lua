-- For wrk: checks each answer, and prints how many there were. The status is 200, and the content begins with the first
-- argument. Without arguments it is 1000 bytes: that at position i is i % 251.

local threads = {}

function setup(thread)
    table.insert(threads, thread)
end

function init(args)
    answers = 0
    bad = 0
    begin = args[1]
    local bytes = {}
    for i = 0, 999 do
        bytes[i + 1] = string.char(i % 251)
    end
    expected = table.concat(bytes)
end

function response(status, headers, body)
    answers = answers + 1
    local good = begin and string.sub(body, 1, #begin) == begin or body == expected
    if status ~= 200 or not good then
        bad = bad + 1
    end
end

function done(summary, latency, requests)
    local answers = 0
    local bad = 0
    for _, thread in ipairs(threads) do
        answers = answers + thread:get("answers")
        bad = bad + thread:get("bad")
    end
    local errors = summary.errors
    io.write(string.format(
        "answers=%d bad=%d errors=%d\n", answers, bad, errors.connect + errors.read + errors.write + errors.timeout))
end
