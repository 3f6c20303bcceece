#!/usr/bin/env bash
# Builds the tests of what threads share with the thread sanitizer (preset tsan), and runs them. Any report fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake --preset tsan >/dev/null
ninja -C build/tsan weft-thread-tests
export TSAN_OPTIONS="suppressions=$PWD/tests/runner/tsan.supp halt_on_error=0 exitcode=66 history_size=7 second_deadlock_stack=1 allocator_may_return_null=1 ${TSAN_OPTIONS:-}"
# Where the kernel places memory by more random bits than the sanitizer of g++ 12 knows, it would refuse to start.
fixed=()
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed=(setarch "$(uname -m)" -R); fi
exec "${fixed[@]}" build/tsan/bin/weft-thread-tests "$@"
