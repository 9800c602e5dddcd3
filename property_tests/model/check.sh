#!/usr/bin/env bash
usage="usage: check.sh SPIN CC MODEL FOLDER EXPECTED [NAME[=VALUE]...]

Has spin search all states of a model, with what is named (-D) switched on, and says how many there
are. EXPECTED is one of
  holds             no assertion is violated, and whoever can't go on has ended; where nothing is
                    switched on, every statement is reached as well
  finishes          and no run goes on for ever
  breaks ASSERTION  an assertion is violated, and the first to be is this one
  strands           somebody can't go on and has not ended
  never_finishes    a run goes on for ever
Exits with 0 if it is so, with 1 if it is not, and with 2 if that can't be told: a tool failed, or
there are more states than it may search."
set -euo pipefail
export LC_ALL=C

cant_tell() {
    echo "check: can't tell: $*"
    exit 2
}

(($# >= 5)) || cant_tell "$usage"
spin=$1 cc=$2 model=$(realpath "$3") folder=$4 expected=$5
shift 5

search=(-DSAFETY) run=()
case $expected in
    holds) to_find= ;;
    finishes | never_finishes)
        search=(-DNP) run=(-l) # without a mark of progress, every cycle is one without progress
        [[ $expected == finishes ]] && to_find= || to_find='non-progress cycle'
        ;;
    breaks)
        (($# >= 1)) || cant_tell "$usage"
        to_find="assertion violated $1"
        grep -qF "assert($1)" "$model" || cant_tell "nothing asserts $1"
        shift
        ;;
    strands) to_find='invalid end state' ;;
    *) cant_tell "$usage" ;;
esac

switches=()
for switch in "$@"; do
    grep -qE "^#.*\b${switch%%=*}\b" "$model" || cant_tell "nothing depends on ${switch%%=*}"
    switches+=("-D$switch")
done

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# -o3 keeps each statement by itself, so that pan can say which are never reached.
"$spin" "${switches[@]}" -o3 -a "$model" || cant_tell "spin failed"
# spin may end well after an error in the model.
[[ -s pan.c && -s pan.t ]] || cant_tell "spin wrote no verifier"
"$cc" -O1 -w "${search[@]}" -DCOLLAPSE -DMEMLIM=1900 -o pan pan.c || cant_tell "the C compiler failed"
./pan "${run[@]}" -m100000 >pan.out 2>&1 || { cat pan.out && cant_tell "pan failed"; }
grep -E 'depth reached|states, stored|transitions|total actual memory|elapsed time' pan.out || true

found=$(sed -nE 's/^pan:[0-9]+: (.*) \(at depth -?[0-9]+\)$/\1/p' pan.out)
if [[ -z $found ]]; then
    if ! grep -q '^Full statespace search' pan.out || ! grep -q 'errors: 0$' pan.out ||
        grep -qE 'Search not completed|max search depth too small|MEMLIM|out of memory' pan.out; then
        cat pan.out
        cant_tell "not all states were searched"
    fi
fi

if [[ $found != "$to_find" ]]; then
    if [[ -n $found ]]; then
        "$spin" "${switches[@]}" -k "${model##*/}.trail" -p "$model" | tail -n 60 || true
    fi
    echo "check: should find: ${to_find:-nothing}; found: ${found:-nothing}"
    exit 1
fi
# Whoever serves for ever does not reach its end.
if [[ $expected == holds && ${#switches[@]} == 0 ]] &&
    sed -n '/^unreached in/,/^$/p' pan.out | grep ', state ' | grep -v '"-end-"'; then
    echo "check: never reached: the statements above"
    exit 1
fi
echo "check: found: ${found:-nothing, as it should be}"
