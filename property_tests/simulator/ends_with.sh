#!/usr/bin/env bash
# ends_with.sh CODE PATTERN COMMAND...: the command has to end with this exit code, and a line of
# what it says has to match.
set -uo pipefail
code=$1 pattern=$2
shift 2
said=$("$@" 2>&1)
ended=$?
[[ $ended == "$code" ]] || { echo "ended with $ended: $said" && exit 1; }
grep -qE -e "$pattern" <<< "$said" || { echo "said: $said" && exit 1; }
