-- wrk's script: POST /orders, as the words behind `--` say.
--
--   MODE TAG TOKEN     MODE is create (a new key each time), replay or conflict (64 keys, in turn)
--
-- TAG is in all keys, so that those of two runs differ. Prints one line of JSON when it is over.

local keys = 64
local threads = 0

function setup(thread)
    threads = threads + 1
    thread:set("id", threads)
end

function init(args)
    mode, tag = args[1], args[2]
    sent = 0
    wrk.method = "POST"
    wrk.path = "/orders"
    wrk.headers["Authorization"] = "Bearer " .. args[3]
    wrk.headers["Content-Type"] = "application/json"
    wrk.body = mode == "conflict" and '{"sku":"pen","quantity":3}' or '{"sku":"pen","quantity":2}'
end

function request()
    sent = sent + 1
    local key = mode == "create" and string.format("%s-%d-%d", tag, id, sent)
        or string.format("%s-%d", tag, sent % keys)
    wrk.headers["Idempotency-Key"] = key
    return wrk.format()
end

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        '{"requests":%d,"us":%d,"p50_us":%d,"p99_us":%d,"refused":%d,"failed":%d}\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
        errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
