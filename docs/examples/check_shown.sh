#!/usr/bin/env bash
# check_shown.sh PAGE FILE
#
# The page shows the file, as it is, in a block of its own.
set -euo pipefail

fence=$'```'
page=$(<"$1")
shown=$(<"$2")
if [[ $page != *"$fence"console$'\n'"$shown"$'\n'"$fence"* ]]; then
    echo "$2 is not shown in $1; replace its block"
    exit 1
fi
