#!/usr/bin/env bash
# check_offending.sh SOURCE COMPILER FLAGS...
#
# With -DOFFENDING the source must not compile: the message matches its line `error: PATTERN`, and
# every error in the source stands between `#ifdef OFFENDING` and `#endif`.
set -euo pipefail
export LC_ALL=C  # compilers translate their quotation marks

source=$1
shift

pattern=$(sed -n 's/.*error: //p' "$source" | head -n 1)
first=$(grep -n '^#ifdef OFFENDING' "$source" | cut -d: -f1)
last=$(awk -v first="$first" 'NR > first && /^#endif/ { print NR; exit }' "$source")
if [[ -z $pattern || -z $last ]]; then
    echo "$source needs a line 'error: PATTERN' and a block '#ifdef OFFENDING'"
    exit 2
fi

if output=$("$@" -DOFFENDING "$source" 2>&1); then
    echo "$source COMPILES, though it must fail: $pattern"
    exit 1
fi
printf '%s\n' "$output"

lines=$(grep -F "$source:" <<<"$output" | sed -nE 's/^[^:]+:([0-9]+):[0-9]+: (fatal )?error: .*/\1/p')
for line in $lines; do
    if ((line <= first || line >= last)); then
        echo "An error outside the marked lines $first to $last: line $line"
        exit 1
    fi
done
if ! grep -Eq -- "$pattern" <<<"$output"; then
    echo "It fails for another reason than: $pattern"
    exit 1
fi
if ! grep -Eo "^$source:[0-9]+" <<<"$output" | cut -d: -f2 |
    awk -v first="$first" -v last="$last" '$1 > first && $1 < last { found = 1 } END { exit !found }'; then
    echo "The message names none of the marked lines $first to $last"
    exit 1
fi
