#!/usr/bin/env bash
# Builds the simulator so that launches take their rows one at a time and in any order (preset order), and runs scenes in several orders.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake --preset order >/dev/null
ninja -C build/order weft-order-tests
exec build/order/bin/weft-order-tests "$@"
