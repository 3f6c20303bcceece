#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests; other arguments go to ctest (for example: ./test.sh -R recording).
#   --quick  only those of the simulator's parts that take no more than some seconds; arguments go to doctest
# Without arguments the longest tests take turns: every fourth of tests/house/turns.txt, at each commit others.
#   --full   adds the long ones (hours; tests/benchmarks/suite_times.py makes a table). They run in twenty pieces; a piece
#            that passed is noted, and the next --full on the same commit goes on with those that are left
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. third_party/setup.sh

selection=(-LE '^full$' --timeout 900)
pieces=1
targets=all
rest=()
for argument in "$@"; do
  case "$argument" in
    --full) selection=(--timeout 5400) pieces=20 ;;
    --quick) targets=weft-unit-tests ;;
    *) rest+=("$argument") ;;
  esac
done

install_missing tests
python_for_tests
architectures=$(gpu_architectures)
# One architecture is enough for a test. 75 runs on every newer GPU too: the driver compiles its PTX.
build build/test "$targets" -- -DWEFT_CHECKED=ON -DWEFT_CUDA_ARCHITECTURES="${architectures:-75}"

if [ "$targets" = weft-unit-tests ]; then  # in one process
  exec build/test/bin/weft-unit-tests --test-suite-exclude=full,slow "${rest[@]}"
fi

started=()
scratch=$(mktemp -d)
stop_display() {
  for id in "${started[@]}"; do kill "$id" 2>/dev/null || true; done
  rm -rf "$scratch"
}
trap stop_display EXIT
if [ -z "${DISPLAY:-}" ]; then
  Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$scratch/display" 2>"$scratch/xvfb.log" &
  started+=($!)
  for _ in $(seq 100); do [ -s "$scratch/display" ] && break; sleep 0.1; done
  if [ ! -s "$scratch/display" ]; then
    say "Xvfb did not start: $(cat "$scratch/xvfb.log")"
    exit 1
  fi
  export DISPLAY=:$(tr -d '[:space:]' <"$scratch/display")
  openbox >"$scratch/openbox.log" 2>&1 &
  started+=($!)
fi

WEFT_SAFETY_SEED=$(tests/safety/seed.sh)
export WEFT_SAFETY_SEED
say "the safety tests start from seed $WEFT_SAFETY_SEED; to run them as here: WEFT_SAFETY_SEED=$WEFT_SAFETY_SEED ./test.sh"

say "built after $SECONDS s"
# Two at a time on two cores; window tests, which measure responsiveness, run alone (tests/CMakeLists.txt).
mkdir -p build/test/times
if [ "$pieces" = 1 ]; then
  status=0
  [ ${#rest[@]} -gt 0 ] || selection+=(-E "$(tests/house/turns.sh others "$WEFT_SAFETY_SEED")")
  ctest --test-dir build/test -j "$(nproc)" --output-on-failure --no-tests=error --output-junit "$PWD/build/test/times/default.xml" \
    "${selection[@]}" "${rest[@]}" || status=$?
  # Once more at the end: what failed is far above.
  [ "$status" = 0 ] || python3 tests/support/failed.py build/test/times/default.xml || true
  exit "$status"
fi
passed=build/test/pieces_passed.txt
state="$(git rev-parse HEAD 2>/dev/null) $(git diff HEAD 2>/dev/null | cksum) ${rest[*]}"
[ "$(head -n 1 "$passed" 2>/dev/null)" = "$state" ] || echo "$state" >"$passed"
failed=()
for piece in $(seq "$pieces"); do
  if grep -qx "$piece" "$passed"; then
    say "piece $piece of $pieces passed before"
    continue
  fi
  say "piece $piece of $pieces"
  if ctest --test-dir build/test -j "$(nproc)" --output-on-failure --output-junit "$PWD/build/test/times/full_$piece.xml" \
      -I "$piece,,$pieces" "${selection[@]}" "${rest[@]}"; then
    echo "$piece" >>"$passed"
  else
    failed+=("$piece")
  fi
done
[ ${#failed[@]} -eq 0 ] || { say "tests failed in the pieces ${failed[*]}; ./test.sh --full runs these again"; exit 1; }
