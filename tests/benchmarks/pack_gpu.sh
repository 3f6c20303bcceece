#!/usr/bin/env bash
# Packs what gpu.sh needs for a machine with an NVIDIA GPU, its driver and nothing else installed: programs, the libraries that they
# need, scenes, shaders and the script itself, in one folder.
#   tests/benchmarks/pack_gpu.sh [OUT] [BIN]      OUT: folder to make, build/gpu-pack by default; what an earlier pack left there goes
# BIN: folder of weft, weft-unit-tests and weft-physics-tests that were built for that GPU. Without it they are built in build/gpu for compute capability
# WEFT_PACK_ARCHITECTURE (default 90: H100 and H200), for CPUs since Haswell rather than for this one, which may know other
# instructions (WEFT_PACK_CPU, default x86-64-v3). Copy OUT.tar.xz there, unpack it in a temporary folder, and run run.sh in it; it
# writes results/gpu.md there, or the file that it is given.
# WEFT_PACK_MIB: what may be copied in all (default 64), OUT.tar.xz together with the tracked files of the checkout that goes along.
# Status 4: that is more.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:-$root/build/gpu-pack}
bin=${2:-}

export PATH=$PATH:/usr/sbin:/sbin  # of ldconfig
say() { printf 'pack_gpu.sh: %s\n' "$*" >&2; }
command -v xz >/dev/null || { say "xz is missing: on Debian it is in xz-utils"; exit 1; }

if [ -z "$bin" ]; then
  build=$root/build/gpu
  # Only code for that GPU (-real: no PTX), which halves the programs. The libraries are found beside the programs, also by each other: an RPATH holds
  # for libraries of libraries, which a RUNPATH does not.
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_CUDA=ON -DWEFT_CUDA_ARCHITECTURES="${WEFT_PACK_ARCHITECTURE:-90}-real" \
    -DWEFT_NATIVE=OFF -DCMAKE_CXX_FLAGS="-march=${WEFT_PACK_CPU:-x86-64-v3}" -DCMAKE_BUILD_RPATH='$ORIGIN/../lib' \
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags >&2
  cmake --build "$build" --target weft weft-unit-tests weft-physics-tests >&2
  bin=$build/bin
fi
for program in weft weft-unit-tests weft-physics-tests; do
  [ -x "$bin/$program" ] || { say "there is no $program in '$bin'"; exit 1; }
done
bin=$(cd "$bin" && pwd)
if [ -e "$out" ] && [ ! -e "$out/run.sh" ] && [ -n "$(ls -A "$out" 2>/dev/null)" ]; then
  say "'$out' is there and is no pack: name another folder"
  exit 1
fi
rm -rf "$out" "$out.tar.xz"
mkdir -p "$out"/{bin,lib,lib_if_missing,tests/benchmarks}
out=$(cd "$out" && pwd)

# Programs without the names of their functions: the CUDA code, which is most of them, stays.
for program in weft weft-unit-tests weft-physics-tests; do strip -o "$out/bin/$program" "$bin/$program"; done

# What the loader finds for them here, down to the C library. glibc must be the machine's own, and not older than this one's.
of_the_system='^(ld-linux|linux-vdso|libc\.|libm\.|libdl\.|libpthread\.|librt\.)'
# What a machine often has, and then in a version that fits its driver or that other libraries ask for: used only where it has none.
often_there='^(libstdc\+\+|libgcc_s|libEGL|libGL|libGLX|libGLdispatch|libOpenGL|libX11|libxcb|libXau|libXdmcp|libbsd|libmd)\.'
# GLAD opens OpenGL's libraries by name, as CUDA does to ask for the context of a thread: no program names them.
by_name=$(ldconfig -p | sed -n 's/^[[:space:]]*\(libOpenGL\.so\.0\|libGL\.so\.1\|libGLX\.so\.0\) .*x86-64.*=> //p')
missing=$(ldd "$bin/weft" "$bin/weft-unit-tests" "$bin/weft-physics-tests" | grep 'not found' | sort -u || true)
[ -z "$missing" ] || { say "the loader does not find: $missing"; exit 1; }
ldd "$bin/weft" "$bin/weft-unit-tests" "$bin/weft-physics-tests" $by_name | sed -n 's/^[[:space:]]*\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' >"$out/needed"
for library in $by_name; do printf '%s %s\n' "$(basename "$library")" "$library"; done >>"$out/needed"
sort -u "$out/needed" | while read -r name path; do
  [[ $name =~ $of_the_system ]] && continue
  if [[ $name =~ $often_there ]]; then to=$out/lib_if_missing; else to=$out/lib; fi
  cp -L "$path" "$to/$name"
done
rm "$out/needed"

cp -r "$root/shaders" "$out/shaders"
mkdir "$out/assets"
for part in "$root"/assets/*/; do [ "$(basename "$part")" = media ] || cp -r "$part" "$out/assets"; done
cp "$here/gpu.sh" "$here/plot_scaling.py" "$out/tests/benchmarks"
git -C "$root" describe --always --dirty >"$out/commit" 2>/dev/null || echo unknown >"$out/commit"

cat >"$out/run.sh" <<'RUN'
#!/usr/bin/env bash
# All that gpu.sh does, from this folder: run.sh [OUT.md]. Its environment variables hold here too.
# What else is to be run with the programs here: run.sh --with COMMAND..., for example run.sh --with bin/weft devices
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH=$PATH:/usr/sbin:/sbin  # of ldconfig
for library in "$here"/lib_if_missing/*; do
  name=$(basename "$library")
  if ! ldconfig -p 2>/dev/null | grep -qF "$name (" && [ ! -e "$here/lib/$name" ]; then cp "$library" "$here/lib/$name"; fi
done
# A build that does not look there by itself.
"$here/bin/weft" --version >/dev/null 2>&1 || export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# Containers bring the driver in a folder of its own, where OpenGL's loader does not look for it.
shopt -s nullglob
known=(/usr/share/glvnd/egl_vendor.d/*nvidia* /etc/glvnd/egl_vendor.d/*nvidia*)
found=(/usr/local/nvidia/share/glvnd/egl_vendor.d/*nvidia* /usr/local/share/glvnd/egl_vendor.d/*nvidia* /opt/nvidia/share/glvnd/egl_vendor.d/*nvidia*)
if [ ${#known[@]} -eq 0 ] && [ ${#found[@]} -gt 0 ]; then export __EGL_VENDOR_LIBRARY_FILENAMES=${__EGL_VENDOR_LIBRARY_FILENAMES:-${found[0]}}; fi
for folder in /usr/local/nvidia/lib64 /usr/local/nvidia/lib; do
  if [ -e "$folder/libEGL_nvidia.so.0" ] && ! ldconfig -p 2>/dev/null | grep -qF 'libEGL_nvidia.so.0 ('; then export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder; fi
done
export WEFT_BIN=$here/bin WEFT_ASSETS=$here/assets WEFT_SHADERS=$here/shaders
export WEFT_COMMIT=${WEFT_COMMIT:-$(cat "$here/commit")}
# Tests that read texts and scripts of the source tree, and nothing of a GPU.
export WEFT_GPU_LEAVE_OUT=${WEFT_GPU_LEAVE_OUT-*readme_test*,*repulsion_figures_test*,*export_test*}
if [ "${1:-}" = --with ]; then
  shift
  cd "$here" && exec "$@"
fi
exec "$here/tests/benchmarks/gpu.sh" "${1:-$here/results/gpu.md}"
RUN
chmod +x "$out/run.sh"

tar -C "$(dirname "$out")" -c "$(basename "$out")" | xz -4 -T0 >"$out.tar.xz"
du -sb "$out"/* | awk '{ name = $2; sub(".*/", "", name); printf "%8.1f MiB  %s\n", $1 / 1048576, name; all += $1 } END { printf "%8.1f MiB  in all\n", all / 1048576 }'
du -b "$out.tar.xz" | awk '{ printf "%8.1f MiB  as one file, %s\n", $1 / 1048576, $2 }'
packed=$(stat -c %s "$out.tar.xz")
tracked=$(git -C "$root" ls-files -z 2>/dev/null | (cd "$root" && xargs -0 -r stat -c %s 2>/dev/null) | awk '{ all += $1 } END { print all + 0 }')
awk -v p="$packed" -v t="$tracked" -v most="${WEFT_PACK_MIB:-64}" 'BEGIN {
  printf "%8.1f MiB  tracked files and that, of %d MiB that may be copied\n", (p + t) / 1048576, most
  exit p + t > most * 1048576 }' || { say "too large to be copied beside the sources"; exit 4; }
say "copy $out.tar.xz to the machine with the GPU, unpack it in a temporary folder and start run.sh there: it needs bash, the usual text tools, and for the plot of sizes python3 with matplotlib"
