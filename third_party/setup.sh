# Shared by run.sh and test.sh: packages, configuration, building. Sourced from the project's folder.

say() { printf 'weft: %s\n' "$*" >&2; }

# Packages of third_party/packages.txt up to the end of section $1 ("build and run" or "tests").
packages_up_to() {
  awk -v last="# $1" '/^#/ { if (found) exit; if ($0 == last) found = 1; next } NF { print }' third_party/packages.txt
}

install_missing() {
  local missing=() package
  for package in $(packages_up_to "$1"); do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! command -v apt-get >/dev/null; then
    say "these packages are needed, and this system has no apt-get to install them: ${missing[*]}"
    return 1
  fi
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "please run this as root, then start again:  apt-get install ${missing[*]}"
      return 1
    fi
    root=(sudo)
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  "${root[@]}" apt-get update -qq || say "the package lists could not be refreshed; going on with those that are there"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# Python for the tests: the system's, with its NumPy, and the packages of third_party/python-packages.txt from PyPI. Tests that need them
# fail where they cannot be had.
python_for_tests() {
  local folder=build/test-python list=third_party/python-packages.txt
  cmp -s "$list" "$folder/installed.txt" && return 0
  say "installing $(tr '\n' ' ' <"$list")from PyPI into $folder"
  rm -rf "$folder"
  if /usr/bin/python3 -m venv --system-site-packages "$folder" >&2 &&
     "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$list" >&2; then
    cp "$list" "$folder/installed.txt"
  else
    say "these Python packages cannot be had ($(tr '\n' ' ' <"$list")): the tests that read USD files with them will fail"
  fi
}

# Compute capabilities of this machine's NVIDIA GPUs, as CMake wants them ("86;90"); empty where there is no GPU or driver.
gpu_architectures() {
  command -v nvidia-smi >/dev/null || return 0
  nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
    sed -n 's/^ *\([0-9]\+\)\.\([0-9]\+\) *$/\1\2/p' | sort -un | paste -sd ';'
}

# Path of the CUDA compiler; empty where there is none.
cuda_compiler() {
  command -v nvcc || { [ -x /usr/local/cuda/bin/nvcc ] && echo /usr/local/cuda/bin/nvcc; } || true
}

# cuda_for_run FOLDER WANTED: what run.sh tells CMake of CUDA for the build in FOLDER. With a GPU: for its architecture
# alone. Without: no CUDA side, which takes more than half of the build, unless WANTED is 1 or FOLDER was built with it before.
cuda_for_run() {
  local folder=$1 wanted=$2 architectures compiler
  architectures=$(gpu_architectures)
  compiler=$(cuda_compiler)
  if [ "$wanted" = 1 ] && [ -z "$compiler" ]; then
    say "--cuda needs the CUDA toolkit 12.4 or newer: install it, so that nvcc is on PATH or in /usr/local/cuda/bin"
    return 1
  fi
  if [ -n "$architectures" ] && [ -z "$compiler" ]; then
    say "this machine's NVIDIA GPU is not used: there is no CUDA toolkit. Install 12.4 or newer and start again"
    echo -DWEFT_CUDA=OFF
  elif [ -n "$architectures" ]; then
    echo "-DWEFT_CUDA=AUTO -DWEFT_CUDA_ARCHITECTURES=$architectures"
  elif [ "$wanted" = 1 ]; then
    echo "-DWEFT_CUDA=ON -UWEFT_CUDA_ARCHITECTURES"  # the default list, for machines with a GPU
  elif grep -qs -e -DWEFT_CUDA=ON -e -DWEFT_CUDA=AUTO "$folder/configured.txt"; then
    sed 's/ CUDA compiler: .*//' "$folder/configured.txt"  # as it was
  else
    [ -e "$folder/bin/weft" ] ||
      say "no NVIDIA GPU and driver found: building for the CPU alone (for the CUDA side too: ./run.sh --cuda)"
    echo -DWEFT_CUDA=OFF
  fi
}

# build FOLDER TARGETS -- further arguments for cmake. Configures anew when these arguments are others than last time (a GPU
# that appeared, say). Made for builds from nothing (WEFT_WHOLE_BUILD); the presets are for daily work.
build() {
  local folder=$1 targets=$2
  shift 3
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  local arguments="$* CUDA compiler: $(cuda_compiler)"
  if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/configured.txt" 2>/dev/null)" != "$arguments" ]; then
    say "configuring"
    cmake --preset auto -B "$folder" -DWEFT_WHOLE_BUILD=ON "$@" >&2 || return 1
    printf '%s' "$arguments" >"$folder/configured.txt"
  fi
  [ -e "$folder/bin" ] || say "building; the first time takes some minutes"
  ninja ${WEFT_JOBS:+-j"$WEFT_JOBS"} -C "$folder" $targets >&2
}
