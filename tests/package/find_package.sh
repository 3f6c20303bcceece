#!/usr/bin/env bash
# find_package.sh BUILD: a program outside of Weft finds its simulator in an installed prefix, compiles against it and runs.
set -euo pipefail
build=$1
consumer=$(cd "$(dirname "${BASH_SOURCE[0]}")/consumer" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
run() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" && exit 1; }; }
run cmake --build "$build" --target weft_simulator
run cmake --install "$build" --prefix "$prefix" --component devel
run cmake -G Ninja -S "$consumer" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug
run cmake --build "$scratch/build"
cat >"$scratch/scene.toml" <<'END'
[[cloth]]
vertices = 100
position = [0.0, 1.0, 0.0]
END
said=$("$scratch/build/consumer" "$scratch/scene.toml")
echo "$said"
[[ $said == "fell by 0.0"* ]] && [ "$said" != "fell by 0.0000 m" ]
