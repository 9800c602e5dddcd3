#!/usr/bin/env bash
# check_output.sh PROGRAM EXPECTED: the program succeeds and prints exactly what the file says.
set -euo pipefail

printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
"$1" >"$printed"
diff -u --label "$2" --label printed "$2" "$printed"
