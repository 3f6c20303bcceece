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

# Compute capability of the first GPU without the dot ("86"); empty where there is none.
gpu_architecture() {
  command -v nvidia-smi >/dev/null || return 0
  nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -dc '0-9'
}

# build FOLDER TARGETS -- further arguments for cmake. CUDA is on where a toolkit >= 12.4 is found.
build() {
  local folder=$1 targets=$2
  shift 3
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  if [ ! -f "$folder/build.ninja" ]; then
    say "configuring (this happens once)"
    cmake --preset auto -B "$folder" "$@" >&2 || return 1
  fi
  [ -e "$folder/bin" ] || say "building; the first time takes some minutes"
  ninja -C "$folder" $targets >&2
}
