#!/usr/bin/env bash
# Lines of cuda/ that the device tests on the double run (weft-double-device-tests), as a table. Without interop/, and
# without kernels/, whose files name kernels and have no lines of their own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
out=$PWD/build/double-coverage
cmake --preset cuda-double -B "$out" -DWEFT_DOUBLE_COVERAGE=ON >/dev/null
ninja -C "$out" weft-double-device-tests >/dev/null
find "$out" -name '*.gcda' -delete
"$out/bin/weft-double-device-tests" -m >"$out/tests.log" || { tail -20 "$out/tests.log"; exit 1; }
cd "$out"
rm -rf lines && mkdir lines && cd lines
find .. -name '*.gcda' -print0 | xargs -0 gcov --json-format --preserve-paths >/dev/null 2>&1
python3 - "$OLDPWD" <<'END'
import collections, glob, gzip, json, os, sys
root = os.path.abspath(os.path.join(os.getcwd(), "..", "..", ".."))
lines = collections.defaultdict(dict)
for name in glob.glob("*.gcov.json.gz"):
    data = json.load(gzip.open(name))
    for file in data["files"]:
        path = os.path.relpath(os.path.normpath(os.path.join(data["current_working_directory"], file["file"])), root)
        if not path.startswith("cuda/") or "interop" in path or "kernels" in path:
            continue
        for line in file["lines"]:
            lines[path][line["line_number"]] = max(line["count"], lines[path].get(line["line_number"], 0))
print("| file | lines | run | % | not run |\n|---|---|---|---|---|")
total = run = 0
for path in sorted(lines):
    counts = lines[path]
    hit = sum(c > 0 for c in counts.values())
    total, run = total + len(counts), run + hit
    missed = sorted(n for n, c in counts.items() if c == 0)
    print(f"| {path[5:]} | {len(counts)} | {hit} | {100 * hit / len(counts):.0f} | {' '.join(map(str, missed[:24]))} |")
print(f"| all | {total} | {run} | {100 * run / total:.1f} | |")
sys.exit(0 if run >= 0.9 * total else 1)
END
