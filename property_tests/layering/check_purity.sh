#!/usr/bin/env bash
# check_purity.sh NM FILE...
#
# Reads the symbols of object files or a static library. Whatever they call and don't define must be
# in core_may_call.txt, and every variable that can be written in core_may_keep.txt.
set -euo pipefail
export LC_ALL=C

rules=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
nm=$1
shift

# `name|section`, calls first told apart from what is defined. A name may itself contain a bar.
symbols=$("$nm" --demangle --format=sysv "$@" | awk -F'|' '
    NF >= 7 && $1 !~ /^Name / {
        name = $1
        for (i = 2; i <= NF - 6; i++) name = name "|" $i
        type = $(NF - 3); section = $NF
        gsub(/ +$/, "", name); gsub(/ /, "", type); gsub(/[ \t]/, "", section)
        if (section == "*UND*") print "call\t" name
        else print (type == "TLS" ? "keep" : type == "OBJECT" && section !~ /^\.(rodata|data\.rel\.ro)/ ? "keep" : "have") "\t" name
    }')
if [[ -z $symbols ]]; then
    echo "No symbols in $*"
    exit 2
fi

named() { sed -n "s/^$1\t//p" <<<"$symbols" | sort -u; }
patterns() { grep -Ev '^(#|$)' "$rules/$1"; }

calls=$(comm -23 <(named call) <({ named have; named keep; } | sort -u) |
    grep -vxEf <(patterns core_may_call.txt) || true)
keeps=$(named keep | grep -vxEf <(patterns core_may_keep.txt) || true)

sed '/^$/d; s/^/may not call /' <<<"$calls"
sed '/^$/d; s/^/may not keep /' <<<"$keeps"
echo "$(named call | wc -l) names called, $(named keep | wc -l) variables kept"
[[ -z $calls && -z $keeps ]]
