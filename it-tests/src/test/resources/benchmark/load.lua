-- For wrk: sends the body whose size is the argument, if there is one, and prints what the benchmark reads.

function init(args)
    if args[1] then
        wrk.method = "POST"
        wrk.body = string.rep("x", tonumber(args[1]))
    end
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        "microseconds=%d requests=%d bytes=%d errors=%d p50=%d p99=%d\n",
        summary.duration,
        summary.requests,
        summary.bytes,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50),
        latency:percentile(99)))
end
