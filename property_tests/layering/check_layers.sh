#!/usr/bin/env bash
# check_layers.sh ROOT
#
# Reads the sources under ROOT as text: who_may_include.txt must allow every #include, and the core
# must say nothing of core_may_not_say.txt.
set -euo pipefail
export LC_ALL=C

rules=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$1"
faults=$(mktemp)
trap 'rm -f "$faults"' EXIT

mapfile -t files < <(find core adapters cli docs/examples -name '*.[ch]*' ! -name '*.cmake*' 2>/dev/null | sort)
mapfile -t allowed < <(grep -Ev '^(#|$)' "$rules/who_may_include.txt")
mapfile -t forbidden < <(grep -Ev '^(#|$)' "$rules/core_may_not_say.txt")
if ((${#files[@]} == 0)); then
    echo "No sources under $PWD"
    exit 2
fi

may_include() {
    local file=$1 include=$2 rule who what
    for rule in "${allowed[@]}"; do
        read -r who what <<<"$rule"
        if [[ $file =~ ^($who)$ && $include =~ ^($what)$ ]]; then return; fi
    done
    return 1
}

while IFS=: read -r file line include; do
    may_include "$file" "$include" || echo "$file:$line: may not include $include" >>"$faults"
done < <(grep -nHE '^\s*#\s*include' "${files[@]}" |
    sed -E 's/:\s*#\s*include\s*/:/; s,\s*(//.*)?$,,')

# The core's code as `file:line:text`, without comments and the contents of literals.
code=$(for file in "${files[@]}"; do
    [[ $file == core/* ]] || continue
    perl -0777 -pe 's{R"([^(\s]*)\(.*?\)\1"|"(\\.|[^"\\\n])*"|\x27(\\.|[^\x27\\\n])\x27|//[^\n]*|/\*.*?\*/}{$& =~ tr/\n//cdr}gse' \
        "$file" | grep -n '' | sed "s|^|$file:|"
done)
for rule in "${forbidden[@]}"; do
    pattern=${rule%%  *} why=${rule##*  }
    grep -P "^[^:]+:[0-9]+:.*?(?:$pattern)" <<<"$code" | sed "s|\$|   <- $why|" >>"$faults" || true
done

if [[ -d core ]]; then
    find core -type f ! -name '*.[ch]pp' ! -name CMakeLists.txt ! -name '*.cmake.in' ! -name .clang-tidy \
        -printf '%p: the core is made of .hpp and .cpp files\n' >>"$faults"
fi

cat "$faults"
echo "${#files[@]} sources, $(wc -l <"$faults") faults"
[[ ! -s $faults ]]
