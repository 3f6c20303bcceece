#!/usr/bin/env bash
# gpu.sh with stand-ins for the programs: what it has written when it is killed, what it does when a way of launching hangs, and that
# it does not begin what it has no time for.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
expect() {
  local what=$1
  shift
  if "$@"; then echo "holds: $what"; else echo "FAILED: $what"; failures=$((failures + 1)); fi
}
has() { grep -qF -- "$1" "$2"; }
has_not() { ! has "$1" "$2"; }

mkdir "$scratch/bin"
cat >"$scratch/bin/weft" <<'WEFT'
#!/usr/bin/env bash
[ -z "${BROKEN:-}" ] || [[ $* != *--frames* ]] || exit 1
case "$*" in
  devices) echo "cuda   usable   a stand-in, no GPU" ;;
  --version) echo "a stand-in" ;;
  *solver=newton*) [[ ${WEFT_CUDA_OFF:-} == *${HANGS_WITHOUT:-}* ]] || exec sleep 100 ;;
  *bench*) [ -z "${SLOW:-}" ] || exec sleep "$SLOW" ;;
esac
WEFT
cat >"$scratch/bin/weft-unit-tests" <<'TESTS'
#!/usr/bin/env bash
case "$*" in
  *--list-test-cases*)
    printf '[doctest] listing\n=====\none that only tells\n'
    [[ $* != *tests/device* ]] || [ -z "${FAILS:-}" ] || echo "one that is wrong"
    [[ $* != *tests/physics* ]] || echo "one that takes long"
    exit 0 ;;
  *takes\ long*) [ -z "${SLOW:-}" ] || exec sleep "$SLOW" ;;
  *is\ wrong*)
    printf 'TEST CASE:  one that is wrong\n\n  a.cpp:1: ERROR: CHECK( 1 == 2 ) is NOT correct!\n'
    status=1 ;;
  *) printf 'TEST CASE:  one that only tells\n\n  a.cpp:1: MESSAGE: fine\n' ;;
esac
echo "[doctest] test cases: 1 | 1 passed | 0 failed | 0 skipped"
exit ${status:-0}
TESTS
cp "$scratch/bin/weft-unit-tests" "$scratch/bin/weft-physics-tests"
cat >"$scratch/bin/timeout" <<TIMEOUT
#!/usr/bin/env bash
# What the probe gives 15 s gets 2 s: what hangs here hangs at once.
[ "\$3" != 15 ] || set -- "\$1" "\$2" 2 "\${@:4}"
exec $(command -v timeout) "\$@"
TIMEOUT
chmod +x "$scratch"/bin/*
gpu() { WEFT_BIN=$scratch/bin PATH=$scratch/bin:$PATH "$here/gpu.sh" "$scratch/$1.md" 2>"$scratch/$1.txt"; }
printf '#!/usr/bin/env bash\n' >"$scratch/bin/compute-sanitizer"
chmod +x "$scratch/bin/compute-sanitizer"

gpu all
expect "all sections of the first call hold, and its status says so" [ $? -eq 0 ]
expect "unit tests stand before the checkers" \
  [ "$(grep -n 'Unit tests, devices' "$scratch/all.md" | cut -d: -f1)" -lt "$(grep -n 'memcheck' "$scratch/all.md" | head -n 1 | cut -d: -f1)" ]

FAILS=1 gpu failing
expect "a failed test is a failed call" [ $? -eq 1 ]
expect "the failed test is named on the terminal" has "one that is wrong" "$scratch/failing.txt"
expect "and others are not" has_not "one that only tells" "$scratch/failing.txt"
expect "what follows runs all the same" has "memcheck, tests of the device layer: holds" "$scratch/failing.md"

SLOW=60 gpu killed &
waiting=$!
for _ in $(seq 100); do has "Unit tests, simulator: holds" "$scratch/killed.md" 2>/dev/null && break; sleep 0.1; done
script=$(pgrep -P "$waiting" -f gpu.sh | head -n 1)
children=$(pgrep -P "${script:-$waiting}")
kill -KILL "${script:-$waiting}" && wait "$waiting" 2>/dev/null
for child in $children; do kill "$child" 2>/dev/null; done
expect "killed in the last section, the file has the header" has "# What ran on a GPU" "$scratch/killed.md"
expect "and what was found before" has "Unit tests, devices and CUDA: holds" "$scratch/killed.md"

for call in correctness speed parity; do
  WEFT_GPU_SECONDS=100 WEFT_GPU_SECTIONS=$call gpu short
  expect "$call is not begun where it has not enough time" has "may take" "$scratch/short.txt"
  WEFT_GPU_DEVICE=cpu WEFT_GPU_SECTIONS=$call gpu fits
  expect "$call fits into the time that a call has" has_not "may take" "$scratch/fits.txt"
done

HANGS_WITHOUT=graphs gpu hanging
expect "a way that hangs is a failure" [ $? -eq 1 ]
expect "the way that hangs is named on the terminal" has "with nothing off, newton:two_way: status 124" "$scratch/hanging.txt"
expect "and the rest runs without it" has "Switched off in what follows: graphs" "$scratch/hanging.md"
expect "unit tests too" has "Unit tests, physics: holds" "$scratch/hanging.md"

BROKEN=1 gpu broken
expect "where no way of launching ends the status is 3" [ $? -eq 3 ]
expect "and nothing else is tried" has_not "Unit tests" "$scratch/broken.md"

[ "$failures" -eq 0 ]
