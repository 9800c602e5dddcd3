#!/usr/bin/env bash
usage="usage: check.sh SPIN CC MODEL FOLDER holds [FAULT]
       check.sh SPIN CC MODEL FOLDER breaks ASSERTION FAULT

Searches all states of a model, with a fault if one is named. It must hold, or break just the
assertion that is named."
set -euo pipefail

(($# >= 5)) || { echo "$usage" >&2 && exit 2; }
spin=$1 cc=$2 model=$(realpath "$3") folder=$4 expected=$5
shift 5
assertion=
if [[ $expected == breaks ]]; then assertion=$1 && shift; fi
fault=${1:-}

mkdir -p "$folder"
cd "$folder"
rm -f pan* -- *.trail
"$spin" ${fault:+-D"$fault"} -a "$model"
"$cc" -O1 -w -DSAFETY -DCOLLAPSE -o pan pan.c
./pan -m200000 >pan.out 2>&1 || { cat pan.out && exit 2; }
grep -E "errors:|states, stored|transitions|depth reached" pan.out

if grep -qE "max search depth too small|memory limit|truncated|out of memory" pan.out; then
    cat pan.out && echo "check: not all states were searched" >&2 && exit 2
fi
found=$(sed -nE 's/^pan:[0-9]+: (.*) \(at depth [0-9]+\)$/\1/p' pan.out)
case $expected in
    holds)
        grep -qE "errors: 0$" pan.out && [[ -z $found ]] && exit 0
        "$spin" ${fault:+-D"$fault"} -t -p "$model" | tail -n 60
        echo "check: it should hold, and does not: $found" >&2
        ;;
    breaks)
        [[ $found == "assertion violated $assertion" ]] && echo "broken: $assertion" && exit 0
        echo "check: $assertion should be violated; found: ${found:-nothing}" >&2
        ;;
    *) echo "$usage" >&2 && exit 2 ;;
esac
exit 1
