#!/usr/bin/env bash
# must_refuse.sh SAMPLE COMMAND...
#
# Runs the command, which has to fail for the reason that the sample announces: a line of the sample
# says `refused: PATTERN`, an extended regular expression that the command's output must contain.
set -euo pipefail
export LC_ALL=C  # compilers translate their quotation marks

sample=$1
shift

pattern=$(sed -n 's/.*refused: //p' "$sample" | head -n 1)
if [[ -z $pattern ]]; then
    echo "$sample has no line 'refused: PATTERN'"
    exit 2
fi

if output=$("$@" 2>&1); then
    printf '%s\n' "$output" "ACCEPTED, though $sample must be refused: $pattern"
    exit 1
fi
printf '%s\n' "$output"
if ! grep -Eq -- "$pattern" <<<"$output"; then
    echo "Refused, but for another reason than: $pattern"
    exit 1
fi
echo "Refused, as it must be: $pattern"
