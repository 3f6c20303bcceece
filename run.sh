#!/usr/bin/env bash
# Installs what is missing, builds, and starts Weft with the arguments given here: the window, or, where there is no
# display, a recorded demonstration.
#   --cuda     (first) builds the CUDA side also where there is no NVIDIA GPU; where there is one, it is always built
#   --package  (first) makes an archive and a Debian package instead, in out/ (third_party/package.sh)
#   --field    (first) measures solvers over many scenes instead (tests/benchmarks/field), with further arguments
#   --demo     (first) films a minute of Weft instead: weft-minute.mp4, or the file and size named next (assets/demo)
set -euo pipefail
started_in=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"
. third_party/setup.sh

if [ "${1:-}" = --package ]; then
  exec third_party/package.sh "${@:2}"
fi
install_missing "build and run"
cuda=0
if [ "${1:-}" = --cuda ]; then
  cuda=1
  shift
fi
cuda_arguments=$(cuda_for_run build/run "$cuda")
build build/run "weft weft-check" -- $cuda_arguments
if [ "${1:-}" = --field ]; then
  exec python3 tests/benchmarks/field --bin build/run/bin "${@:2}"
fi
program=$PWD/build/run/bin/weft
film=$PWD/assets/demo/film.sh
cd "$started_in"  # paths among the arguments mean what they say
if [ "${1:-}" = --demo ]; then
  exec "$film" "$program" "${@:2}"
fi
exec "$program" "$@"
