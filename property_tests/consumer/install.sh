#!/usr/bin/env bash
# install.sh CMAKE COMPILER SOURCE BUILD PREFIX OPTION...
set -euo pipefail

cmake=$1 compiler=$2 source=$3 build=$4 prefix=$5
shift 5
rm -rf "$prefix"
"$cmake" -G Ninja -S "$source" -B "$build" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON "$@"
"$cmake" --build "$build"
"$cmake" --install "$build" --prefix "$prefix"
