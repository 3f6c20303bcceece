#!/usr/bin/env bash
# Builds simulations on the double of the CUDA runtime with kernels compiled for the thread sanitizer, and runs them:
# two threads of a launch of which one writes what the other touches are reported. No GPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake --preset cuda-double >/dev/null
ninja -C build/cuda-double weft-double-races
# The program counts reports, some of which it expects.
export TSAN_OPTIONS="halt_on_error=0 exitcode=0 history_size=7 report_signal_unsafe=0 allocator_may_return_null=1 ${TSAN_OPTIONS:-}"
# Where the kernel places memory by more random bits than the sanitizer of g++ 12 knows, it would refuse to start.
fixed=()
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed=(setarch "$(uname -m)" -R); fi
exec "${fixed[@]}" build/cuda-double/bin/weft-double-races "$@"
