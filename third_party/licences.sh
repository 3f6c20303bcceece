#!/usr/bin/env bash
# licences.sh FOLDER: writes the licences of what is compiled into the programs or travels with them, as Debian's packages
# have them, and the versions. On other systems a word where to find them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
to=$1
mkdir -p "$to/common-licenses"
if ! command -v dpkg-query >/dev/null; then
  echo "Built on a system without dpkg: the licences of the libraries are those of its own packages." >"$to/README"
  exit 0
fi
parts=$(awk '/^# tests/ { exit } /-dev$|-glad$|^fonts-/ && !/^lib(egl|gl)-dev$|^doctest-dev$/' "$here/packages.txt")
{
  echo "Weft has code of these Debian packages in it, or is linked with their libraries, which may lie in lib/weft."
  echo "Each file here is the package's copyright file; common-licenses has the texts that they refer to."
  echo "Sources of these versions: https://snapshot.debian.org."
  echo
} >"$to/README"
for package in $parts libgmp-dev libmpfr-dev; do
  version=$(dpkg-query -W -f='${Version}' "$package" 2>/dev/null) || continue
  printf '%-24s %s\n' "$package" "$version" >>"$to/README"
  cp -L "/usr/share/doc/$package/copyright" "$to/$package.txt"
done
{ grep -rhoE '/usr/share/common-licenses/[A-Za-z]+(-[0-9]+(\.[0-9]+)?)?' "$to" || true; } | sort -u |
  while read -r text; do
    [ ! -f "$text" ] || cp -L "$text" "$to/common-licenses/"
  done
cat >>"$to/README" <<'END'

A program built with CUDA has NVIDIA's CUDA runtime in it, under the CUDA Toolkit's licence agreement:
https://docs.nvidia.com/cuda/eula/
END
chmod -R u=rwX,go=rX "$to"
