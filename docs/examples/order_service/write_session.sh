#!/usr/bin/env bash
# write_session.sh PROGRAM
#
# Runs the session and writes what it prints into expected.txt and into the page. By hand, after a
# change of answers that is meant.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/session.sh" "$1" >"$here/expected.txt"
awk -v expected="$here/expected.txt" '
    /^<!-- the session ends/ { inside = 0 }
    !inside { print }
    /^<!-- the session begins/ {
        inside = 1
        print "\n```console"
        while ((getline line < expected) > 0) print line
        print "```\n"
    }
' "$here/README.md" >"$here/README.md.new"
mv "$here/README.md.new" "$here/README.md"
