#!/usr/bin/env bash
# consume.sh CMAKE COMPILER BUILD PREFIX PROJECT NAME VERSION [COMPONENT...]
#
# Configures the foreign project against the installed tree, builds it and runs it.
set -euo pipefail

cmake=$1 compiler=$2 build=$3/$6 prefix=$4 project=$5 version=$7
shift 7
components=$(IFS=';' && echo "$*")

rm -rf "$build"
"$cmake" -G Ninja -S "$project" -B "$build" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$prefix" -DVERSION="$version" -DCOMPONENTS="$components"
if ! grep -q "^counterfoil_DIR:PATH=$prefix/" "$build/CMakeCache.txt"; then
    echo "It found another counterfoil than the one in $prefix"
    exit 1
fi
"$cmake" --build "$build"
cd "$build" && ./consumer
