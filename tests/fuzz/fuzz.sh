#!/usr/bin/env bash
# Builds the fuzz targets with Clang, or runs one:  fuzz.sh build  |  fuzz.sh TARGET [SECONDS]
# Starts from corpus/TARGET, finds go to build/fuzz/found/TARGET. What fails is left there, named crash-*, and its path is printed; put it into
# the corpus with the fix.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [ "$1" = build ]; then
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  cmake --preset fuzz >/dev/null
  exec ninja -C build/fuzz
fi
target=$1 seconds=${2:-60}
found=build/fuzz/found/$target
mkdir -p "$found/new"
corpora=("$found/new" "tests/fuzz/corpus/$target")
case $target in
  obj)
    corpora+=(tests/mesh/broken_obj)
    [ ! -d ../shared/data/bad-obj ] || corpora+=(../shared/data/bad-obj) ;;
  scene) corpora+=(assets/scenes) ;;
  scene_build) corpora+=(tests/fuzz/corpus/scene) ;;
esac
longest=8192
options=(-max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len="$longest" -print_final_stats=1 -verbosity=0
         -artifact_prefix="$found/")
[ ! -f "tests/fuzz/$target.dict" ] || options+=(-dict="tests/fuzz/$target.dict")
case $target in scene_build | hands) options+=(-dict=tests/fuzz/scene.dict) ;; esac
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 WEFT_ASSETS=$PWD/assets
if ! "build/fuzz/bin/fuzz-$target" "${options[@]}" "${corpora[@]}"; then
  echo "fuzz.sh: $target failed; the inputs are in $PWD/$found:" >&2
  ls -1t "$found" | grep -v '^new$' >&2
  exit 1
fi
