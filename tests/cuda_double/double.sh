#!/usr/bin/env bash
# Builds the CUDA side for the host with a double of its runtime (preset cuda-double) and runs simulations
# on it. No GPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake --preset cuda-double >/dev/null
ninja -C build/cuda-double weft-double-tests
exec build/cuda-double/bin/weft-double-tests "$@"
