#!/usr/bin/env bash
# install.sh BUILD: what cmake --install copies of the build in that folder runs from another place, with its own files.
set -euo pipefail
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
failures=0
expect() {  # expect WORDS COMMAND ...
  local words=$1
  shift
  "$@" >"$scratch/said" 2>&1 || { echo "not so: $words" && tail -n 5 "$scratch/said" && failures=$((failures + 1)); }
}

cmake --install "$build" --prefix "$prefix" >"$scratch/log" || { cat "$scratch/log" && exit 1; }
cmake --install "$build" --prefix "$prefix" --component bundle >>"$scratch/log" || { cat "$scratch/log" && exit 1; }
unset WEFT_ASSETS WEFT_SHADERS
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere"
weft=$prefix/bin/weft

for file in bin/weft bin/weft-check share/man/man1/weft.1 share/man/man1/weft-check.1 share/weft/shaders/common.glsl \
    share/weft/assets/scenes/default.toml share/applications/weft.desktop share/icons/hicolor/scalable/apps/weft.svg \
    share/mime/packages/weft.xml share/bash-completion/completions/weft share/zsh/site-functions/_weft \
    share/fish/vendor_completions.d/weft.fish share/doc/weft/LICENSE share/doc/weft/licences/README; do
  expect "$file is installed" test -s "$prefix/$file"
done
"$weft" list --json >scenes.json
expect "scenes are those that were installed" grep -q "\"path\": \"$prefix/share/weft/assets/scenes/default.toml\"" scenes.json
if grep '"path"' scenes.json | grep -qv "$prefix/share/weft/assets/"; then
  echo "a scene is not from $prefix" && failures=$((failures + 1))
fi
expect "a scene runs without a window" "$weft" drape_table --headless --frames 2 --quiet --cache run.weftcache
if command -v cc >/dev/null; then
  expect "a plug-in is built with the installed header" cc -std=c99 -shared -fPIC -I "$prefix/include" \
    "$prefix/share/doc/weft/docs/examples/springs.c" -o springs.so -lm
  expect "a scene runs with the plug-in" \
    "$weft" drape_table --headless --frames 1 --quiet --device cpu --plugin springs.so
fi
expect "weft-check reads the run" "$prefix/bin/weft-check" --quiet run.weftcache
# A shader with a mistake in the installed folder alone must be the one that is found.
echo '#error the installed one' >>"$prefix/share/weft/shaders/common.glsl"
"$weft" run.weftcache --headless --record pictures/ --size 64x64 >said 2>&1 && mended=1 || mended=0
if ! grep -q "the installed one" said && ! grep -qi "no OpenGL\|EGL" said; then
  echo "shaders are not those that were installed (status $mended): $(cat said)" && failures=$((failures + 1))
fi
expect "the environment names other assets" env WEFT_ASSETS="$prefix/share/weft/assets" "$weft" list
expect "a link to the program finds its files" sh -c "ln -s '$weft' linked && ./linked list --json | cmp - scenes.json"
for library in "$prefix"/lib/weft/*; do
  case "$(basename "$library")" in
    libc.so* | libm.so* | libstdc++* | libgcc_s* | libGL* | libEGL* | libX* | libxcb*)
      echo "$library should come from the system" && failures=$((failures + 1)) ;;
  esac
done
expect "libraries that travel are taken from beside the program" sh -c "ldd '$weft' | grep libtbb | grep -q '$prefix/lib/weft\|/bin/../lib/weft'"
[ "$failures" = 0 ] || exit 1
echo "the installed program runs from $prefix with its own files"
