#!/usr/bin/env bash
# Makes an archive, a Debian package and the Blender add-on of Weft in out/: ./run.sh --package. On Debian 12, so
# that they run there and on what is newer. With the CUDA side where a toolkit of version 12.4 or newer is found.
#   --architectures "75-real;90"   compute capabilities; default: 75 to 90, and PTX for newer GPUs
#   --build FOLDER                 takes the programs built there as they are, instead of building them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. third_party/setup.sh

architectures="75-real;80-real;86-real;89-real;90"
folder=
while [ $# -gt 0 ]; do
  case "$1" in
    --architectures) architectures=$2 && shift 2 ;;
    --build) folder=$2 && shift 2 ;;
    *) say "unknown argument $1 (--architectures LIST, --build FOLDER)" && exit 2 ;;
  esac
done
for tool in dpkg-shlibdeps objdump cpack; do
  command -v "$tool" >/dev/null || { say "$tool is missing: apt-get install dpkg-dev binutils cmake" && exit 1; }
done
if [ -z "$folder" ]; then
  folder=build/package
  install_missing "build and run"
  build "$folder" "weft weft-check" -- -DWEFT_CPU=x86-64-v3 -DWEFT_CUDA_ARCHITECTURES="$architectures"
fi

version=$(sed -n 's/^project(Weft VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=weft-$version-linux-x86_64
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022
mkdir -p out
say "archive"
cmake --install "$folder" --strip --prefix "$stage/$name" >/dev/null
cmake --install "$folder" --strip --prefix "$stage/$name" --component bundle >/dev/null

# needed FILE: names of the shared libraries that it asks for.
needed() { objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }'; }
# Libraries of the system: a desktop with X11 and OpenGL has them.
system='^(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|libEGL|libX11)\.so'
for file in "$stage/$name"/bin/* "$stage/$name"/lib/weft/*; do
  for library in $(needed "$file"); do
    if [ ! -e "$stage/$name/lib/weft/$library" ] && ! [[ $library =~ $system ]]; then
      say "$(basename "$file") needs $library, which is neither in the archive nor on every desktop"
      exit 1
    fi
  done
done
# newest PREFIX: the newest version of the symbols that anything in the archive asks of the system.
newest() {
  objdump -T "$stage/$name"/bin/* "$stage/$name"/lib/weft/* | grep '\*UND\*' |
    sed -n "s/.*(\\?$1\\([0-9][0-9.]*\\))\\?.*/\\1/p" | sort -uV | tail -n 1
}
needs="glibc $(newest GLIBC_), libstdc++ with GLIBCXX_$(newest GLIBCXX_), OpenGL 4.5 (libGL, libEGL) and libX11"
"$stage/$name/bin/weft" --version | grep -v "^video:" >"$stage/$name/VERSION"  # that is of this machine
echo "needs of the system: $needs" >>"$stage/$name/VERSION"
time=$(git log -1 --format=%ct 2>/dev/null || date +%s)
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" -C "$stage" -c "$name" | gzip -n -9 >"out/$name.tar.gz"

say "Blender add-on"
python3 viewer/python/weft/blender/__main__.py out/weft_blender.zip

say "Debian package"
(cd "$folder" && cpack -G DEB -B "$stage/deb" >"$stage/cpack.log" 2>&1) || { cat "$stage/cpack.log" >&2 && exit 1; }
cp "$stage/deb/weft_${version}_amd64.deb" out/
(cd out && sha256sum "$name.tar.gz" "weft_${version}_amd64.deb" weft_blender.zip >SHA256SUMS)
say "out/$name.tar.gz needs of the system: $needs"
say "out/weft_${version}_amd64.deb depends on: $(dpkg-deb -f "out/weft_${version}_amd64.deb" Depends)"
