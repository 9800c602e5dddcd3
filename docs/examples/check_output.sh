#!/usr/bin/env bash
# check_output.sh EXPECTED PROGRAM ARGUMENTS...
#
# The program succeeds and prints exactly what the file says. An argument NEW_FILE is the name of a
# file that isn't there yet.
set -euo pipefail

expected=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${@/#NEW_FILE/$scratch/new}" >"$scratch/printed"
diff -u --label "$expected" --label printed "$expected" "$scratch/printed"
