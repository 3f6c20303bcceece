#!/usr/bin/env bash
# Packages on a bare Debian 12: the archive is unpacked and the Debian package installed in systems that have nothing but OpenGL in
# software, X libraries and Xvfb. A scene runs, the window shows it (pictures in build/package-trial), the manual page and the
# completion are there.
#   WEFT_PACKAGES=FOLDER   packages made before (out/); otherwise third_party/package.sh makes them, for one architecture
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
skip() { echo "weft-skip: $*" && exit 0; }
[ "$(id -u)" = 0 ] || skip "a bare system is made by root alone"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
unshare -m true 2>/dev/null || skip "no mount namespaces here"
timeout 30 apt-get update -qq -o Acquire::Retries=0 -o APT::Update::Error-Mode=any >/dev/null 2>&1 ||
  skip "Debian's mirror cannot be reached"

packages=${WEFT_PACKAGES:-}
if [ -z "$packages" ]; then
  packages=out
  third_party/package.sh --architectures 75
fi
archive=$(ls "$packages"/weft-*-linux-x86_64.tar.gz) deb=$(ls "$packages"/weft_*_amd64.deb)
pictures=$PWD/build/package-trial
mkdir -p "$pictures"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
say() { echo "package trial: $*"; }

say "two bare systems"
mmdebstrap --mode=root --variant=minbase --quiet \
  --include=libgl1,libegl1,libgl1-mesa-dri,libx11-6,libxcursor1,libxi6,libxrandr2,libxinerama1,xvfb \
  bookworm "$scratch/root.tar"
for which in archive deb; do
  mkdir "$scratch/$which"
  tar -C "$scratch/$which" -xf "$scratch/root.tar"
done
rm "$scratch/root.tar"
cp /etc/resolv.conf "$scratch/deb/etc/resolv.conf"

# inside SYSTEM: runs /trial there; whatever it started ends with it.
inside() {
  unshare --mount --pid --fork --kill-child bash -c "mount -t proc proc '$1/proc' && mount --bind /dev '$1/dev' &&
    mount -t tmpfs tmpfs '$1/dev/shm' && exec chroot '$1' /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    LC_ALL=C.UTF-8 bash -euo pipefail /trial" </dev/null
}

# What both systems do with a program on PATH.
cat >"$scratch/common" <<'END'
cd /root
weft --version
! command -v ffmpeg >/dev/null || fail "the system is bare"
weft list --json >scenes.json
weft default --headless --frames 10 --quiet --cache run.weftcache
weft-check --quiet run.weftcache
weft run.weftcache --headless --record frames/ --size 640x360 --quiet
ls frames/*.png >/dev/null || fail "pictures without ffmpeg"
mkdir display
Xvfb :93 -screen 0 1280x800x24 -nolisten tcp -noreset -fbdir display >xvfb.log 2>&1 &
display=$!
for _ in $(seq 100); do [ -S /tmp/.X11-unix/X93 ] && break; sleep 0.1; done
DISPLAY=:93 weft drape_table --fresh --set view.quality=low >window.log 2>&1 &
window=$!
sleep 45
kill -0 $window || { cat xvfb.log window.log; fail "the window is open"; }
cp display/Xvfb_screen0 window.xwd  # in the format of xwd
kill -INT $window
wait $window || true
kill $display
END
cat >"$scratch/archive_first" <<'END'
fail() { echo "not so: $*"; exit 1; }
tar -C /opt -xf /weft.tar.gz
PATH=$(echo /opt/weft-*/bin):$PATH
! ls /usr/lib/x86_64-linux-gnu | grep -q libtbb || fail "the system has no libraries of Weft's"
END
cat >"$scratch/deb_first" <<'END'
fail() { echo "not so: $*"; exit 1; }
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /weft.deb man-db bash-completion shared-mime-info \
  desktop-file-utils >/root/apt.log 2>&1 || { tail -n 20 /root/apt.log; exit 1; }
dpkg -s weft | grep '^Status: install ok installed'
dpkg --verify weft
END
cat >"$scratch/deb_last" <<'END'
page() { man "$1" | sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' >page.txt; }  # without bold letters
page weft && grep -q -- '--headless' page.txt || fail "man weft"
page weft-check && grep -q -- '--continuous' page.txt || fail "man weft-check"
grep -q 'x-weft-run:\*.weftcache' /usr/share/mime/globs || fail "the file type of recorded runs"
desktop-file-validate /usr/share/applications/weft.desktop
bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader weft || [ $? = 124 ]; complete -p weft
  COMP_WORDS=(weft --headl); COMP_CWORD=1; compopt() { :; }; _weft; [ "${COMPREPLY[*]}" = --headless ]' || fail "completion"
apt-get remove -y -qq weft >/dev/null 2>&1
[ ! -e /usr/bin/weft ] && [ ! -e /usr/share/weft ] || fail "removing leaves nothing"
END

trial() {  # trial SYSTEM PACKAGE NAME SCRIPT ...
  local system=$1 package=$2 name=$3
  shift 3
  cp "$package" "$scratch/$system/$name"
  cat "$@" >"$scratch/$system/trial"
  say "$system"
  inside "$scratch/$system"
  ffmpeg -hide_banner -loglevel error -y -f xwd_pipe -i "$scratch/$system/root/window.xwd" "$pictures/$system.png"
  # cloth and panels, not one colour
  [ "$(stat -c %s "$pictures/$system.png")" -gt 50000 ] || { say "$pictures/$system.png is empty" && exit 1; }
}
trial archive "$archive" weft.tar.gz "$scratch/archive_first" "$scratch/common"
trial deb "$deb" weft.deb "$scratch/deb_first" "$scratch/common" "$scratch/deb_last"
say "both run; pictures are in $pictures"
