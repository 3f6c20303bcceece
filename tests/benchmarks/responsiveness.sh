#!/usr/bin/env bash
# How much of its picture rate the window keeps while a step takes half a second, on a display of its own (Xvfb).
# Prints a Markdown table and keeps it in results/responsiveness.md. Arguments: the weft program, then any for it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
weft=${1:-build/auto/bin/weft}
[ $# -eq 0 ] || shift
scratch=$(mktemp -d)
started=()
trap 'for id in "${started[@]}"; do kill "$id" 2>/dev/null || true; done; rm -rf "$scratch"' EXIT
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$scratch/display" 2>"$scratch/xvfb.log" &
started+=($!)
for _ in $(seq 300); do [ -s "$scratch/display" ] && break; sleep 0.1; done
[ -s "$scratch/display" ] || { echo "Xvfb did not start: $(cat "$scratch/xvfb.log")" >&2; exit 1; }
export DISPLAY=:$(tr -d '[:space:]' <"$scratch/display")

"$weft" bench --window --markdown "$scratch/table.md" "$@"
{
  echo "# Responsiveness"
  echo
  cat "$scratch/table.md"
  echo
  echo "Made by \`tests/benchmarks/responsiveness.sh $weft${*:+ $*}\`."
} >tests/benchmarks/results/responsiveness.md
