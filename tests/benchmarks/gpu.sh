#!/usr/bin/env bash
# What needs an NVIDIA GPU, in calls of less than ten minutes, each into one Markdown file:
#   tests/benchmarks/gpu.sh [OUT.md]      default: tests/benchmarks/results/gpu.md; pictures are written beside it
# WEFT_GPU_SECTIONS: which sections, in the order in which they run, or a call by its name:
#   correctness (the default): unit_tests checkers      speed: interop bench      parity: each test that compares devices, by its name
# Each section has seconds of its own, which a call's WEFT_GPU_SECONDS (default 560) must hold together with the probe's before them.
# The file grows as results come: what was found stands in it if the script is killed. Each verdict is also told on the terminal.
# WEFT_BIN: folder of weft and weft-unit-tests (default: the first of build/auto/bin, build/cuda/bin, build/test/bin).
# WEFT_GPU_DEVICE=cpu: the same sections on the CPU, to try the script where there is no GPU. WEFT_COMMIT: what to write as the
# commit where there is no git. WEFT_GPU_LEAVE_OUT: source files of unit tests that cannot run here, as doctest takes them.
# Where there is no build here: pack_gpu.sh.
# Exit status: 0 all sections hold, 1 one does not (the others are run and written all the same), 2 no GPU, 3 no way of launching ends.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
device=${WEFT_GPU_DEVICE:-cuda}
out=${1:-$here/results/gpu.md}
mkdir -p "$(dirname "$out")"
out=$(cd "$(dirname "$out")" && pwd)/$(basename "$out")
stem=${out%.md}

say() { printf 'gpu.sh: %s\n' "$*" >&2; }
bin=${WEFT_BIN:-}
for folder in build/auto/bin build/cuda/bin build/test/bin; do
  [ -z "$bin" ] && [ -x "$root/$folder/weft" ] && bin=$root/$folder
done
if [ ! -x "$bin/weft" ]; then
  say "there is no weft in '${bin:-$root/build/*/bin}': build it, or name the folder in WEFT_BIN"
  exit 1
fi
bin=$(cd "$bin" && pwd)
devices=$("$bin/weft" devices 2>&1)
if [ "$device" = cuda ] && ! grep -Eq '^cuda +usable' <<<"$devices"; then
  say "no GPU can be used here: $(grep '^cuda' <<<"$devices" | tr -s ' ')"
  exit 2
fi

scratch=$(mktemp -d)
background=()
finish() {
  [ ${#background[@]} -eq 0 ] || kill "${background[@]}" 2>/dev/null
  rm -rf "$scratch"
}
trap finish EXIT
trap 'write "**Stopped from outside after $SECONDS s.**"; exit 143' TERM INT
export WEFT_ASSETS=${WEFT_ASSETS:-$root/assets} WEFT_SHADERS=${WEFT_SHADERS:-$root/shaders}

# Seconds of each section. limited() keeps every command within its section's.
declare -A budget=([probe]=90 [unit_tests]=240 [checkers]=200 [parity]=400 [interop]=60 [bench]=400)
sections=${WEFT_GPU_SECTIONS:-correctness}
case $sections in
  correctness) sections="unit_tests checkers" ;;
  speed) sections="interop bench" ;;
esac
seconds=${WEFT_GPU_SECONDS:-560}
asked=${budget[probe]}
for section in $sections; do
  [ "$section" != probe ] && [ -n "${budget[$section]:-}" ] ||
    { say "there is no section '$section': unit_tests, checkers, parity, interop, bench"; exit 1; }
  asked=$((asked + budget[$section]))
done
if [ "$asked" -gt "$seconds" ]; then
  say "probe, $sections may take $asked s, and this call has $seconds s: name fewer in WEFT_GPU_SECTIONS, or give WEFT_GPU_SECONDS"
  exit 1
fi
failed=()
section_end=$SECONDS

write() { printf '%s\n' "$@" >>"$out"; }
quote() { write '```'; tail -n "${1:-30}" | cut -c1-200 >>"$out"; write '```' ''; }
# Runs a command with a limit in seconds, its output in $log; returns its status, 124 where time ran out. (SIGKILL comes 2 s after SIGTERM.)
log=$scratch/log
limited() {
  local limit=$1 left=$((section_end - SECONDS - 2))
  shift
  [ "$left" -lt "$limit" ] && limit=$left
  if [ "$limit" -lt 2 ]; then echo "no time is left for this" >"$log"; return 124; fi
  local status=0
  timeout -k 2 "$limit" "$@" >"$log" 2>&1 || status=$?
  [ $status -ne 137 ] || status=124  # killed, for it did not end when it was asked to: what hangs on a GPU cannot
  return $status
}
# verdict STATUS WHAT: a line that says how it went, in the file and on the terminal, and keeps the failures.
verdict() {
  local words="holds"
  [ "$1" -eq 0 ] || { words="**FAILED** (status $1)"; failed+=("$2"); }
  [ "$1" -ne 124 ] || words="**NOT FINISHED** in the time it had"
  write "$2: $words" ''
  say "$2: $words"
}

header() {
  : >"$out"
  write "# What ran on a GPU" ''
  [ "$device" = cuda ] || write "**This is a trial of the script on the CPU (WEFT_GPU_DEVICE=$device): nothing here is about a GPU.**" ''
  write "| | |" "|---|---|"
  if command -v nvidia-smi >/dev/null; then
    write "| GPU, driver, memory | $(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1 | head -n 1) |"
  fi
  write "| \`weft devices\` | $(tr -s ' ' <<<"$devices" | paste -sd';') |" \
    "| date | $(date -u '+%Y-%m-%d %H:%M UTC') |" \
    "| commit | ${WEFT_COMMIT:-$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)} |" \
    "| program | $("$bin/weft" --version 2>&1 | head -n 1) |" \
    "| made by | \`WEFT_BIN=... tests/benchmarks/gpu.sh\`, WEFT_GPU_DEVICE=$device |" ''
}

# Before all else: a few steps with every kind of launch, in the fastest way that ends. A recording or a barrier that hangs would cost
# each section its whole time; what had to be switched off (WEFT_CUDA_OFF, cuda/README.md) is a failure of its own, and the sections run
# without it. Newton's method is what has clusters inside of conditional parts.
probe() {
  [ "$device" = cuda ] || return 0
  local off status pair asked=${WEFT_CUDA_OFF:-}
  write "## Ways that work" ''
  for off in "$asked" graphs graphs,cooperative graphs,resident graphs,cooperative,resident; do
    for pair in descent:bodies descent:repulsion descent:two_way newton:two_way; do
      status=0
      WEFT_CUDA_OFF=$off limited 15 "$bin/weft" drape_sphere --headless --frames 12 --set "step.solver=${pair%:*}" \
        --set "step.collision=${pair#*:}" --device cuda --quiet || status=$?
      [ $status -ne 0 ] || ! grep -q 'piece by piece' "$log" || status=92
      [ $status -eq 0 ] || break
    done
    if [ $status -eq 0 ]; then
      if [ -n "$off" ]; then export WEFT_CUDA_OFF=$off; else unset WEFT_CUDA_OFF; fi
      break
    fi
    write "With ${off:-nothing} off, $pair: status $status"
    say "with ${off:-nothing} off, $pair: status $status: $(tail -n 1 "$log" | cut -c1-200)"
    quote 10 <"$log"
  done
  [ "$off" = "$asked" ] && [ $status -eq 0 ]
  verdict $? "Every way of launching"
  if [ $status -ne 0 ]; then
    write "No way of launching ends: nothing else was tried."
    say "no way of launching ends: nothing else is tried; see $out"
    exit 3
  fi
  write "Switched off in what follows: ${WEFT_CUDA_OFF:-nothing}" ''
}

# Runs one test of $program by itself, and leaves its output, or nothing where it holds, and its status.
one_test() {
  local file=$results/$(md5sum <<<"$1" | cut -c1-16) status=0
  timeout -k 2 "$each" "$bin/weft-$program-tests" --no-colors=true --test-suite-exclude=full --test-case="${1//,/?}" >"$file.log" 2>&1 || status=$?
  # On a GPU a test that checks nothing was skipped, and shows nothing.
  [ $status -ne 0 ] || [ "$device" != cuda ] || ! grep -Eq 'assertions: +0 ' "$file.log" || status=91
  printf '%s\t%s\n' "$status" "$1" >"$file.status"
}
export -f one_test
export bin device

# (a) The unit tests, less those that need a window: each in a process of its own, since a fault ends all work of its process on a GPU, and
# as many at a time as there are processors. Tests of devices first.
unit_tests() {
  write "## a. Unit tests" ''
  local status part label seconds files names
  local -x program results each
  for part in "devices and CUDA|160|unit|*tests/device/*,*tests/cuda/*" \
              "simulator|80|unit|*tests/runner/*,*tests/geometry/*,*tests/energies/*,*tests/mesh/*,*tests/scene/*,*tests/files/*,*tests/collision/*,*tests/solvers/*,*tests/grid/*,*tests/wrinkles/*,*tests/methods/*" \
              "physics|80|physics|*tests/physics/*"; do
    IFS='|' read -r label seconds program files <<<"$part"
    [ $((section_end - SECONDS - 2)) -ge "$seconds" ] || seconds=$((section_end - SECONDS - 2))
    if [ "$seconds" -lt 2 ]; then verdict 124 "Unit tests, $label"; continue; fi
    each=$seconds results=$scratch/tests_$program.${label%% *}
    mkdir "$results"
    names=$("$bin/weft-$program-tests" --no-colors=true --list-test-cases --test-suite-exclude=full --source-file="$files" \
      --source-file-exclude="${WEFT_GPU_LEAVE_OUT:-}" 2>&1 | grep -v -e '^\[doctest\]' -e '^=*$')
    timeout -k 2 "$seconds" xargs -d '\n' -P "$(nproc)" -I '{}' bash -c 'one_test "$1"' one_test '{}' <<<"$names"
    status=0
    tell_tests "$names" || status=1
    verdict $status "Unit tests, $label"
  done
}

# What is known of the tests in $results, of which these are the names; fails if one failed or is not there.
tell_tests() {
  local all failed_ones missing
  all=$(grep -c . <<<"$1")
  cat "$results"/*.status >"$results/all" 2>/dev/null
  failed_ones=$(grep -vE '^(0|91)	' "$results/all")
  missing=$((all - $(grep -c . "$results/all")))
  write "$(grep -c '^0	' "$results/all") of $all hold, $(grep -c '^91	' "$results/all") check nothing on a GPU, $missing not finished." ''
  [ -n "$failed_ones" ] || return $((missing > 0))
  while IFS=$'\t' read -r status name; do
    write "- **failed** ($status): $name"
    say "failed: $name"
    grep -E -A4 'ERROR:|FATAL|terminate|rror:' "$results/$(md5sum <<<"$name" | cut -c1-16).log" | quote 12
  done <<<"$failed_ones"
  return 1
}

# (b) Each parity test by its name: the tolerances in there are what CPU and CUDA may differ by.
parity() {
  write "## b. CPU against CUDA" '' "| test | result |" "|---|---|"
  local names name status all=0
  names=$("$bin/weft-unit-tests" --no-colors=true --list-test-cases --source-file='*tests/cuda/*,*tests/device/primitives_test*,*tests/device/launch_test*' 2>&1 |
          grep -v -e '^\[doctest\]' -e '^=*$')
  [ -n "$names" ] || { write "| (this build has none) | - |"; [ "$device" = cuda ] && all=1; }
  while IFS= read -r name; do
    [ -n "$name" ] || continue
    limited 40 "$bin/weft-unit-tests" --no-colors=true --test-case="${name//,/?}"
    status=$?
    # On a GPU a test that checks nothing was skipped, and shows nothing.
    [ $status -ne 0 ] || [ "$device" != cuda ] || ! grep -Eq 'assertions: +0 ' "$log" || status=91
    [ $status -eq 0 ] || all=1
    write "| $name | $([ $status -eq 0 ] && echo holds || echo "**FAILED** ($status)"): $(grep -E 'assertions:' "$log" | tr -s ' ' | sed 's/.*assertions: *//; s/|/,/g') |"
    [ $status -eq 0 ] || { cp "$log" "$scratch/parity_failure"; say "failed ($status): $name"; }
  done <<<"$names"
  write ''
  [ ! -f "$scratch/parity_failure" ] || quote 40 <"$scratch/parity_failure"
  verdict $all "Parity tests"
  write "One scene three times on $device, final hashes:" ''
  local hashes
  hashes=$(for _ in 1 2 3; do
    limited 60 "$bin/weft" drape_sphere --headless --frames 100 --device "$device" --quiet
    grep 'state hash' "$log"
  done)
  quote <<<"$hashes"
  [ "$(sort -u <<<"$hashes" | grep -c 'state hash')" -eq 1 ] && [ "$(wc -l <<<"$hashes")" -eq 3 ]
  verdict $? "Equal bits from run to run"
}

small_scene() {
  cat >"$scratch/small.toml" <<'SCENE'
title = "For the checkers"
[[cloth]]
size = [0.3, 0.3]
vertices = 200
position = [0, 0.32, 0]
rotation = [-90, 0, 0]
[[pin]]
where = "top_left"
[[obstacle]]
radius = 0.15
position = [0, 0.15, 0]
[[scripted_drag]]
at = [0.8, 0.8]
end = 0.2
SCENE
}

# (c) Memory errors and races in the kernels.
checkers() {
  write "## c. compute-sanitizer" ''
  if [ "$device" != cuda ]; then
    write "Left out: $device has no kernels for it." ''
    return
  fi
  local checker tool status
  checker=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -n 1)
  if [ -z "$checker" ]; then
    write "**FAILED**: there is no compute-sanitizer on the path or in /usr/local/cuda*/bin." ''
    failed+=("compute-sanitizer")
    return
  fi
  small_scene
  # The checkers see the kernels of a recording's conditional parts badly or not at all: methods that have such parts are launched one by one.
  local run solver collision off frames
  for run in racecheck:descent:bodies:1 racecheck:newton:bodies:1 racecheck:descent:repulsion:1 racecheck:projective:bodies:1 \
             memcheck:descent:repulsion:3 memcheck:descent:two_way:3 memcheck:newton:two_way:2 memcheck:newton:impact_zones:2 \
             memcheck:projective:ndb:2 initcheck:descent:repulsion:2 initcheck:newton:two_way:1 synccheck:newton:bodies:2; do
    IFS=: read -r tool solver collision frames <<<"$run"
    # racecheck looks at shared memory alone, and takes 12 to 21 s for such a step on an H200; races between rows, in the GPU's memory, are
    # for tests/device/order.
    off=${WEFT_CUDA_OFF:-}
    [ "$collision" = bodies ] || off=graphs${off:+,$off}
    WEFT_CUDA_OFF=$off limited 25 "$checker" --tool "$tool" --error-exitcode 99 "$bin/weft" "$scratch/small.toml" --headless --frames "$frames" --device cuda --quiet \
      --set "step.solver=$solver" --set "step.collision=$collision"
    status=$?
    verdict $status "$tool, 200 vertices, $solver, $collision, $frames steps"
    # The first faults say most; later ones often follow from them.
    if [ $status -eq 0 ]; then quote 5 <"$log"; else head -n 50 "$log" | quote 50; fi
  done
  limited 40 "$checker" --tool memcheck --error-exitcode 99 "$bin/weft-unit-tests" --no-colors=true --source-file='*tests/device/*'
  status=$?
  verdict $status "memcheck, tests of the device layer"
  quote 12 <"$log"
}

# (d) A picture whose vertices never leave the GPU.
interop() {
  write "## d. Picture without a display, vertices straight from the simulator's buffers" ''
  local status wanted="CUDA interop" picture
  [ "$device" = cuda ] || wanted="mapped memory"
  limited 60 "$bin/weft" drape_table --headless --frames 60 --device "$device" --every-step --size 1280x720 --record "$scratch/shots/" --quiet
  status=$?
  [ $status -ne 0 ] || grep -q "vertices through $wanted" "$log" || status=90
  verdict $status "Drawn with vertices through $wanted"
  quote 12 <"$log"
  picture=$(ls "$scratch"/shots/*.png 2>/dev/null | tail -n 1)
  if [ -n "$picture" ]; then
    cp "$picture" "${stem}_picture.png"
    write "![The last of 60 steps]($(basename "$stem")_picture.png)" ''
  else
    write "There is no picture." ''
  fi
}

# (e) Speed over size.
bench() {
  write "## e. Steps per second" ''
  local size runs steps limit status
  for size in 10000:5:100:40 100000:3:50:50 1000000:2:10:110; do
    IFS=: read -r size runs steps limit <<<"$size"
    limited "$limit" "$bin/weft" bench --device "$device" --vertices "$size" --runs "$runs" --steps "$steps" \
      --json "$scratch/bench_$size.json" --quiet
    status=$?
    verdict $status "\`weft bench --device $device --vertices $size --runs $runs --steps $steps\`"
    if [ $status -eq 0 ]; then sed 's/^#/###/' "$log" >>"$out"; else quote 5 <"$log"; fi
  done
  limited 35 "$bin/weft" bench --scaling --device "$device" --runs 3 --steps 60 --quiet
  verdict $? "Bytes that a step moves, beside what memory gives"
  cat "$log" >>"$out"
  write ''
  limited 15 python3 "$here/plot_scaling.py" "${stem}_scaling.png" "$scratch"/bench_*.json
  verdict $? "Table of sizes"
  cat "$log" >>"$out"
  [ ! -f "${stem}_scaling.png" ] || write '' "![Steps per second over vertices]($(basename "$stem")_scaling.png)"
  write ''
  paper_scenes
}

# The scenes of both papers beside their figures: as much of each as fits into some seconds.
paper_scenes() {
  local paper limit wall sizes=() command status
  [ "$device" = cuda ] || sizes=(--small)
  for paper in wang2023:95:4 wu2020:45:4; do
    IFS=: read -r paper limit wall <<<"$paper"
    command=("bench" "$paper" "${sizes[@]}" "--device" "$device" "--wall" "$wall" "--quiet")
    limited "$limit" "$bin/weft" "${command[@]}" --json "${stem}_$paper.json"
    status=$?
    write "### Scenes of $paper" ''
    verdict $status "\`weft ${command[*]}\`"
    # What was measured before time ran out is in the table, too.
    if grep -q '^| scene' "$log"; then cat "$log" >>"$out"; write ''; else quote 5 <"$log"; fi
  done
}

rm -f "${stem}_picture.png" "${stem}_scaling.png" "${stem}_wang2023.json" "${stem}_wu2020.json"
header
# Every process would otherwise wake the GPU anew, which takes seconds where nothing keeps it awake.
if [ "$device" = cuda ] && command -v python3 >/dev/null; then
  python3 -c '
import ctypes, time
cuda, gpu, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_int(), ctypes.c_void_p()
if cuda.cuInit(0) == 0 and cuda.cuDeviceGet(ctypes.byref(gpu), 0) == 0:
    cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), gpu)
    time.sleep(600)' >/dev/null 2>&1 &
  background+=($!)
fi
for section in probe $sections; do
  say "$section"
  section_end=$((SECONDS + budget[$section]))
  $section
done
if [ ${#failed[@]} -gt 0 ]; then
  write "## Failed" ''
  printf -- '- %s\n' "${failed[@]}" | tee -a "$out" >&2
  say "${#failed[@]} parts failed or were not finished; see $out"
  exit 1
fi
write "Every section that was asked for holds ($sections)." ''
say "all that ran holds ($sections); see $out"
