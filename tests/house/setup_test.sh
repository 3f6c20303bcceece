#!/usr/bin/env bash
# What run.sh builds of the CUDA side, with stand-ins for nvidia-smi and nvcc.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. third_party/setup.sh
say() { echo "$*" >&3; }
cuda_compiler() { command -v nvcc || true; }  # not that of this machine
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=$scratch/build
mkdir -p "$folder/bin"
failures=0

# expect NAME GPUS NVCC WANTED RESULT WORDS: GPUS as nvidia-smi prints them ("none": there is no driver).
expect() {
  local name=$1 gpus=$2 nvcc=$3 wanted=$4 result=$5 words=$6 got
  rm -rf "$scratch/path" && mkdir "$scratch/path"
  for tool in sed sort paste grep cat; do ln -s "$(command -v $tool)" "$scratch/path/$tool"; done
  [ "$gpus" = none ] || printf '#!/bin/sh\nprintf "%s"\n' "$gpus" >"$scratch/path/nvidia-smi"
  [ "$nvcc" = no ] || printf '#!/bin/sh\n' >"$scratch/path/nvcc"
  chmod +x "$scratch"/path/nv* 2>/dev/null || true
  got=$(PATH=$scratch/path cuda_for_run "$folder" "$wanted" 3>"$scratch/said" || echo refused)
  if [ "$got" != "$result" ] || { [ -n "$words" ] && ! grep -q -- "$words" "$scratch/said"; } ||
      { [ -z "$words" ] && [ -s "$scratch/said" ]; }; then
    echo "$name: got '$got' for '$result', said '$(cat "$scratch/said")'"
    failures=$((failures + 1))
  fi
}

expect "no GPU" none yes 0 "-DWEFT_CUDA=OFF" "run.sh --cuda"
expect "no GPU, and the driver's tool without one" "" yes 0 "-DWEFT_CUDA=OFF" "run.sh --cuda"
expect "no GPU, CUDA wanted" none yes 1 "-DWEFT_CUDA=ON -UWEFT_CUDA_ARCHITECTURES" ""
expect "no GPU and no toolkit, CUDA wanted" none no 1 "refused" "toolkit 12.4"
expect "a GPU" "9.0\n" yes 0 "-DWEFT_CUDA=AUTO -DWEFT_CUDA_ARCHITECTURES=90" ""
expect "two GPUs of one kind and another" "8.6\n9.0\n8.6\n" yes 0 "-DWEFT_CUDA=AUTO -DWEFT_CUDA_ARCHITECTURES=86;90" ""
expect "a GPU without a toolkit" "9.0\n" no 0 "-DWEFT_CUDA=OFF" "no CUDA toolkit"
printf '%s' "-DWEFT_CUDA=ON -UWEFT_CUDA_ARCHITECTURES CUDA compiler: /x/nvcc" >"$folder/configured.txt"
expect "no GPU, built with CUDA before" none yes 0 "-DWEFT_CUDA=ON -UWEFT_CUDA_ARCHITECTURES" ""
expect "a GPU that appeared" "12.0\n" yes 0 "-DWEFT_CUDA=AUTO -DWEFT_CUDA_ARCHITECTURES=120" ""
[ "$failures" = 0 ] || exit 1
echo "run.sh chooses right in 9 cases"
