#!/usr/bin/env bash
# A minute of Weft as one video with chapters: runs each part without a window and joins them with ffmpeg.
#   film.sh PROGRAM [OUT.mp4] [SIZE]      PROGRAM: a built weft; weft-minute.mp4 and 1280x720 where nothing is named
# The TOML files beside this script are hands that act in three of the parts.
set -euo pipefail
weft=$(realpath "$1")
out=${2:-weft-minute.mp4}
size=${3:-1280x720}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scenes=$here/../scenes
command -v ffmpeg >/dev/null || { echo "film.sh: ffmpeg is missing, which joins the parts" >&2; exit 1; }
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
echo ";FFMETADATA1" >"$parts/chapters"
number=0
end=0  # ms of video so far

# part TITLE ARGUMENTS...: the next part; a frame is 1/30 s of video.
part() {
  local title=$1 file before=$end
  shift
  number=$((number + 1))
  file=$parts/$number.mp4
  echo "film.sh: $title"
  "$weft" "$@" --record "$file" --size "$size" --fps 30 --quiet >"$parts/said" 2>&1 || {
    cat "$parts/said" >&2
    exit 1
  }
  end=$((end + $(ffprobe -v error -select_streams v -count_packets -show_entries stream=nb_read_packets \
    -of csv=p=0 "$file" | tr -dc 0-9) * 1000 / 30))
  echo "file '$file'" >>"$parts/list"
  printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=%d\nEND=%d\ntitle=%s\n' "$before" "$end" "$title" >>"$parts/chapters"
}

part "Cloth follows the hand" replay "$here/drag.toml" --caption "Cloth follows the hand"
part "Two methods, one hand" compare --hands "$here/methods.toml" --seconds 6 --speed 0.6 \
  --lane "solver=newton,name=Newton's method" --lane "solver=projective,name=projective dynamics"
part "A cape on a walking mannequin" "$scenes/mannequin/cape.toml" --headless --seconds 5.6 --speed 0.56 \
  --caption "A cape on a walking mannequin"
part "A ball is thrown on a sheet" replay "$here/ball.toml" --speed 0.6 --caption "A ball is thrown on a sheet"
part "Hair" "$scenes/wang2023/hair_small.toml" --headless --seconds 3 --speed 0.4286 --caption "Hair"
part "Sand" "$scenes/wang2023/sand_small.toml" --headless --seconds 2 --speed 0.25 --caption "Sand, poured on cloth"
part "Elastic mats" "$scenes/wang2023/mat_drop_small.toml" --headless --seconds 2 --speed 0.25 \
  --caption "Elastic mats over a bar"

ffmpeg -v error -y -f concat -safe 0 -i "$parts/list" -i "$parts/chapters" -map 0:v -map_metadata 1 -c copy \
  -movflags +faststart "$out"
printf 'film.sh: %s, %d.%01d s in %d chapters\n' "$out" $((end / 1000)) $((end % 1000 / 100)) "$number"
times >"$parts/times"
echo "film.sh: processor time of the parts (user, system): $(tail -n 1 "$parts/times")"
