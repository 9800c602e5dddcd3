#!/usr/bin/env bash
# verify.sh CMAKE COMPILER PROJECT BUILD HEADER
#
# Verifies one header of the sample project in a build tree of its own.
set -euo pipefail

cmake=$1 compiler=$2 project=$3 build=$4/$5 header=$5
"$cmake" -G Ninja -S "$project" -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DHEADER="$header"
"$cmake" --build "$build" --target all_verify_interface_header_sets
