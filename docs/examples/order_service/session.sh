#!/usr/bin/env bash
# session.sh PROGRAM
#
# Starts the order service, calls it with curl, stops it and starts it again, and prints each
# command and what came of it. Each is run as it is printed; only the port that curl connects to is
# another, and every moment is the same.
set -euo pipefail

program=$(realpath "$1")
folder=$(mktemp -d)
service=''
finish() {
    [[ ! $service ]] || kill "$service"
    rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
umask 077

printf 'anna-0123456789abcdef acme anna\n' >tokens
printf 'Authorization: Bearer anna-0123456789abcdef\nContent-Type: application/json\n' >anna

start() {
    mkfifo ready
    "$program" --db orders.db --tokens tokens --listen 127.0.0.1:0 --access-log none "$@" >ready &
    service=$!
    read -r line <ready
    rm ready
    printf 'silent\nwrite-out = "\\n"\nconnect-to = "localhost:8080:127.0.0.1:%s"\n' "${line##*:}" >.curlrc
}

stop() {
    kill "$service"
    wait "$service"
    service=''
}

run() {
    printf '$ %s\n' "$1"
    CURL_HOME=$folder bash -c "$1" |
        sed -e 's/\r$//' -e 's/^Date: .*/Date: Thu, 03 Dec 2026 09:30:00 GMT/' \
            -e 's/"first_seen":"[^"]*"/"first_seen":"2026-12-03T09:30:00.000000Z"/' \
            -e 's/^Retry-After: [0-9][0-9]$/Retry-After: 30/' -e 's/"retry_after":[0-9][0-9]/"retry_after":30/'
}

order="curl -i localhost:8080/orders -H @anna -H 'Idempotency-Key: \"cart-17\"'"

start
echo '# The first time, an order is made.'
run "$order -d '{\"sku\":\"pen\",\"quantity\":2}'"
echo
echo '# A retry gets the same answer, however the same order is spelt. No order is made.'
run "$order -d '{\"quantity\": 2, \"sku\": \"pen\"}'"
echo
echo '# Another order under the same key is refused.'
run "$order -d '{\"sku\":\"pen\",\"quantity\":3}'"
echo
echo '# So is one without a key, and one whose key is none.'
run "curl -i localhost:8080/orders -H @anna -d '{\"sku\":\"pen\",\"quantity\":2}'"
echo
run "curl -i localhost:8080/orders -H @anna -H 'Idempotency-Key: \"cart' -d '{\"sku\":\"pen\",\"quantity\":2}'"
echo
echo '# What is no order is refused, and its key is free still.'
run "curl -i localhost:8080/orders -H @anna -H 'Idempotency-Key: \"cart-18\"' -d '{\"sku\":\"pen\",\"quantity\":0}'"
echo
echo '# Where another program writes for longer than --busy-timeout 100ms, the service says so. The key is free still.'
stop
start --busy-timeout 100ms
cart19="curl -i localhost:8080/orders -H @anna -H 'Idempotency-Key: \"cart-19\"' -d @pen.json"
echo '{"sku":"pen","quantity":1}' >pen.json
printf '%s\n' "$cart19" >send
run "cat send"
run "sqlite3 orders.db 'BEGIN IMMEDIATE' '.shell bash send'"
stop
start --stock-check 3s
echo
echo '# With --stock-check 3s an order takes a while. Its twin is told to wait.'
run "bash send >first.txt & sleep 1; bash send; wait"
echo
run "cat first.txt"
stop
start
echo
echo '# The service was stopped and started again. It remembers.'
run "$order -d '{\"sku\":\"pen\",\"quantity\":2}'"
echo
run 'curl localhost:8080/orders/1 -H @anna'
stop
