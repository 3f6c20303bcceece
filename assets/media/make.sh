#!/usr/bin/env bash
# Makes the README's pictures anew: weft.mp4 and weft.gif, a scene whose hands are scripted (demo.toml), filmed without a window;
# and weft.png, the window with a mouse that this script moves. Takes some minutes with software OpenGL.
#   assets/media/make.sh [PROGRAM]     the program that ./run.sh has built, unless another is named
#   assets/media/make.sh --clip | --window [PROGRAM]     only the clip, or only the picture of the window
set -euo pipefail
media=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

what=all
case "${1:-}" in
  --clip | --window) what=${1#--}; shift ;;
esac
program=${1:-}
for built in run auto cuda cpu; do
  [ -n "$program" ] || [ ! -x "$media/../../build/$built/bin/weft" ] || program=$media/../../build/$built/bin/weft
done
[ -x "$program" ] || { echo "make.sh: there is no program '$program'; build it with ./run.sh, or name one" >&2; exit 1; }
program=$(realpath "$program")

need() {
  for tool; do
    command -v "$tool" > /dev/null || { echo "make.sh: $tool is missing" >&2; exit 1; }
  done
}

work=$(mktemp -d)
started=()
clean_up() {
  for id in "${started[@]}"; do kill "$id" 2> /dev/null || true; done
  rm -rf "$work"
}
trap clean_up EXIT

film() {
  need ffmpeg
  "$program" "$media/demo.toml" --headless --quiet --set view.quality=high --set view.pins=false \
    --size 1280x720 --fps 30 --crf 21 --caption "Two hands, 10,000 vertices" --record "$work/weft.mp4"
  "$program" "$media/demo.toml" --headless --quiet --set view.quality=high --set view.pins=false --speed 1.5 \
    --size 400x225 --fps 12.5 --record "$work/weft.gif"
  mv "$work/weft.mp4" "$work/weft.gif" "$media/"
}

# A number of the window's report; "handles.0" goes into lists.
report() {
  python3 -c 'import json, sys
at = json.load(open(sys.argv[1]))
for key in sys.argv[2].split("/"): at = at[int(key) if isinstance(at, list) else key]
print(*(at if isinstance(at, list) else [at]))' "$work/report.json" "$1" 2> /dev/null || echo -1
}
until_step() {
  while [ "$(report step)" -lt "$1" ]; do
    kill -0 "$weft" 2> /dev/null || { cat "$work/log" >&2; exit 1; }
    sleep 0.05
  done
}
# The middle of a widget, once it can be seen.
click() {
  local tries=0
  while read -r x y w h <<< "$(report "items/$1")" && [ "$x" = -1 ]; do
    [ $((tries += 1)) -lt 200 ] || { echo "make.sh: $1 cannot be seen in the window" >&2; exit 1; }
    sleep 0.1
  done
  xdotool mousemove $((${x%.*} + ${w%.*} / 2)) $((${y%.*} + ${h%.*} / 2)) sleep 0.3 click 1 sleep 0.4
}

photograph() {
  need Xvfb openbox xdotool ffmpeg python3
  local width=1440 height=860
  Xvfb -displayfd 3 -screen 0 "${width}x${height}x24" -nolisten tcp -noreset 3> "$work/display" 2> /dev/null &
  started+=($!)
  until [ -s "$work/display" ]; do sleep 0.1; done
  DISPLAY=:$(cat "$work/display")
  export DISPLAY
  mkdir -p "$work/openbox"
  # No frame around the window: it is the picture.
  echo '<openbox_config><applications><application class="*"><decor>no</decor><maximized>yes</maximized></application></applications></openbox_config>' > "$work/openbox/rc.xml"
  openbox --config-file "$work/openbox/rc.xml" 2> /dev/null &
  started+=($!)
  sleep 1
  cd "$work"
  "$program" --fresh --size "${width}x${height}" --test-report "$work/report.json" 2> "$work/log" &
  weft=$!
  started+=("$weft")
  until_step 180
  read -r x y <<< "$(report cloth_screen)"
  x=${x%.*} y=$((${y%.*} + 70))
  xdotool mousemove "$x" "$y" sleep 0.3 mousedown 1 sleep 0.2
  for i in $(seq 1 30); do xdotool mousemove $((x + 7 * i / 2)) $((y - 2 * i)) sleep 0.03; done
  sleep 1
  # Shift leaves the handle in place, so that the cursor is free to ask for the better picture.
  xdotool keydown shift mouseup 1 keyup shift sleep 0.3
  click view.quality
  click view.quality=high
  read -r x y <<< "$(report handles/0/target_screen)"
  xdotool mousemove "${x%.*}" "${y%.*}"
  until_step $(($(report step) + 12))
  ffmpeg -v error -y -f x11grab -draw_mouse 1 -video_size "${width}x${height}" -i "$DISPLAY" -frames:v 1 "$work/weft.png"
  mv "$work/weft.png" "$media/"
}

[ $what = window ] || film
[ $what = clip ] || photograph
ls -l "$media"/weft.*
