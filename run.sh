#!/usr/bin/env bash
# Installs what is missing, builds, and starts Weft with the arguments given here: the window, or, where there is no
# display, a recorded demonstration.
set -euo pipefail
started_in=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"
. third_party/setup.sh

install_missing "build and run"
architecture=$(gpu_architecture)
build build/run "weft weft-check" -- ${architecture:+-DWEFT_CUDA_ARCHITECTURES=$architecture}
program=$PWD/build/run/bin/weft
cd "$started_in"  # paths among the arguments mean what they say
exec "$program" "$@"
