#!/usr/bin/env python3
"""Time of a step in scenes as users have them: processor time of one thread and time by the clock of two.

    tests/benchmarks/step_times.py [--weft build/test/bin/weft] [--only NAME] [--output FILE.csv]

A row: scene, steps, ms of processor time a step with one thread (of the process, less that of a run of the
steps before), percentiles of steps by the clock with one thread, ms by the clock a step with two threads,
forward steps, Newton's residual. The load of the machine at the start is printed: with anything beside it the
times are worth nothing.
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRAG = """
[[scripted_drag]]
cloth = "cloth"
at = [0.5, 0.1]
begin = 0.5
end = 2.5
keys = [{ time = 0, position = [0, 0, 0] }, { time = 0.5, position = [0.3, 0.25, 0.25] },
        { time = 1.0, position = [-0.3, 0.3, -0.2] }, { time = 1.5, position = [0.2, 0.35, 0.3] },
        { time = 2.0, position = [-0.4, 0.2, 0.1] }]
"""


def scenes(folder):
    """(name, input, settings, first step that counts, steps)."""
    dragged = pathlib.Path(folder) / "dragged.toml"
    dragged.write_text((ROOT / "assets/scenes/default.toml").read_text() + DRAG)
    two_way = ["--set", "step.collision=two_way"]
    rows = [
        ("default scene, first 4 s", "default", [], 0, 240),
        ("the same at rest, 4 to 5 s", "default", [], 240, 300),
        ("dragged hard", str(dragged), [], 0, 120),
        ("drape_table, two-way, steps 20 to 60", "drape_table", two_way, 20, 60),
    ]
    for vertices, steps in ((40000, 60), (160000, 20)):
        rows.append((f"default scene, {vertices}", "default", ["--vertices", str(vertices)], 0, steps))
    for scene in ("wu2020/sphere_drape_small", "wang2023/reef_knot_small", "tang2018/sphere_small",
                  "lan2024/sphere_small", "wu2020/shirt_small"):
        if (ROOT / "assets/scenes" / f"{scene}.toml").exists():
            rows.append((scene, scene, [], 0, 60))
    return rows


def run(weft, scene, settings, steps, threads, folder):
    """Processor seconds of the process, and the rows of its table."""
    table = pathlib.Path(folder) / "steps.csv"
    command = [weft] + ([] if scene == "default" else [scene])
    command += ["--headless", "--quiet", "--frames", str(steps)]
    command += ["--threads", str(threads), "--csv", str(table)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command + settings, cwd=folder, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    lines = [line for line in table.read_text().splitlines() if not line.startswith("#")]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, list(csv.DictReader(lines))


def mean(values):
    return sum(values) / max(1, len(values))


def measure(weft, row, folder):
    name, scene, settings, first, steps = row
    start = run(weft, scene, settings, max(1, first), 1, folder)[0]
    seconds, table = run(weft, scene, settings, steps, 1, folder)
    counted = table[first:]
    clock = sorted(float(r["wall_ms"]) for r in counted)
    two = [float(r["wall_ms"]) for r in run(weft, scene, settings, steps, 2, folder)[1][first:]]
    return {
        "scene": name,
        "steps": len(counted),
        "processor_ms": round(1e3 * (seconds - start) / max(1, steps - max(1, first)), 1),
        "clock_ms": round(mean(clock), 1),
        "median": round(clock[len(clock) // 2], 1),
        "tenth": round(clock[len(clock) * 9 // 10], 1),
        "most": round(clock[-1], 1),
        "two_threads_ms": round(mean(two), 1),
        "forward_steps": round(mean([float(r["collision_steps"] or 0) for r in counted]), 2),
        "residual": round(mean([float(r.get("solver_residual") or 0) for r in counted]), 4),
    }


def main():
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--weft", default=str(ROOT / "build/test/bin/weft"))
    parser.add_argument("--only", default="")
    parser.add_argument("--output", default="")
    options = parser.parse_args()
    weft = os.path.abspath(options.weft)
    print("load of the machine at the start:", os.getloadavg()[0])
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for row in scenes(folder):
            if options.only in row[0]:
                results.append(measure(weft, row, folder))
                print(json.dumps(results[-1]), flush=True)
    if options.output and results:
        with open(options.output, "w", newline="") as file:
            writer = csv.DictWriter(file, results[0].keys())
            writer.writeheader()
            writer.writerows(results)


if __name__ == "__main__":
    main()
