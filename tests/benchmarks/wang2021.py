#!/usr/bin/env python3
"""The seven examples of Wang et al. 2021, table 1, as rows of results/wang2021_examples.csv:
   tests/benchmarks/wang2021.py [--weft build/cpu/bin/weft] [--threads 2] [--csv FILE] [--full] [NAME ...]
Of each: the coarse run of the small scene (of the scene itself where it has a finer garment), and one frame
of wrinkles in cells of the size below, or with --full of the paper's. With --models instead: figure 14, the
three models of inflation and filling on the small inflated patch. Time: processor time of the command for
the frame; memory: the most that its process had. Crossings: weft-check, from beside the program."""
import argparse, csv, math, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# name: coarse scene, frame, cell here and in the paper (m), millions of vertices and seconds in the paper
EXAMPLES = {
    "shirred_dress": ("shirred_dress", 20, 0.9e-3, 0.35e-3, 7.3, 0.830),
    "mini_dress": ("mini_dress_small", 20, 1e-3, 0.38e-3, 6.0, 0.726),
    "body_con": ("body_con_small", 20, 1e-3, 0.33e-3, 6.2, 0.810),
    "down_coat": ("down_coat_small", 20, 1e-3, 0.3e-3, 7.6, 1.130),
    "quilt_dress": ("quilt_dress_small", 20, 1e-3, 0.35e-3, 6.9, 0.947),
    "shirred_patch": ("shirred_patch", 60, 0.5e-3, 0.5e-3, 1.0, 0.154),
    "inflated_patch": ("inflated_patch", 20, 0.5e-3, 0.4e-3, 2.0, 0.250),
}
COLUMNS = (
    "example",
    "paper_vertices_millions",
    "paper_seconds",
    "cell_mm",
    "iterations",
    "coarse_vertices",
    "vertices",
    "cpu_s",
    "wall_s",
    "memory_mb",
    "energy_j",
    "momentum",
    "taken_back",
    "close_pairs",
    "crossings",
)


def measured(command):
    """Exit status, output, processor seconds and MB of a command."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        out.seek(0)
        text = out.read()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, text, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def example(options, name, folder):
    scene, frame, cell, paper_cell, millions, seconds = EXAMPLES[name]
    coarse, fine = (str(pathlib.Path(folder) / f) for f in ("coarse.weftcache", "fine.weftcache"))
    threads = ["--quiet", "--threads", str(options.threads)]
    run = [options.weft, "wang2021/" + scene, "--headless", "--cache", coarse, *threads]
    status, text, *_ = measured(run)
    if status:
        sys.exit(text)
    cell = paper_cell if options.full else options.cell or cell
    settings = ROOT / "assets/wrinkles/wang2021" / (scene + ".toml")
    command = [options.weft, "wrinkle", coarse, "-o", fine, "--settings", str(settings), *threads]
    command += ["--from", str(frame), "--to", str(frame), "--cell", f"{1000 * cell:g}mm"]
    command += ["--iterations", str(options.iterations)]
    status, text, cpu, memory = measured(command)
    if status:
        sys.exit(text)
    found = lambda pattern: (re.search(pattern, text) or [None] * 9)
    sizes, solved = found(r": (\d+) vertices become (\d+)"), found(
        r"energy (\S+) J; momentum in ([\d, ]+) of \d+ iterations, taken back ([\d, ]+) times"
    )
    close = found(r"; (\d+) pairs of vertices are too close")[1] or 0
    crossings = "not looked at"
    if not options.no_check:
        _, checked, *_ = measured([str(pathlib.Path(options.weft).parent / "weft-check"), fine])
        total = re.search(r"(\d+) crossings?", checked.strip().splitlines()[-1])
        crossings = total[1] if total else "0" if "no crossings" in checked else checked.strip()[-80:]
    return (
        name,
        millions,
        seconds,
        1000 * cell,
        options.iterations,
        sizes[1],
        sizes[2],
        f"{cpu:.1f}",
        found(r"frame \d+ \(step \d+\): (\S+) s")[1],
        f"{memory:.0f}",
        solved[1],
        (solved[2] or "").replace(", ", "/"),
        (solved[3] or "").replace(", ", "/"),
        close,
        crossings,
    )


def models(options):
    """Figure 14: air and normals look alike where they are weak; a filling lifts the cloth by 3 mm."""
    with tempfile.TemporaryDirectory() as folder:
        coarse, threads = str(pathlib.Path(folder) / "coarse.weftcache"), ["--quiet", "--threads", "1"]
        status, text, *_ = measured(
            [options.weft, "wang2021/inflated_patch_small", "--headless", "--cache", coarse, *threads]
        )
        if status:
            sys.exit(text)

        def result(*more):
            out = pathlib.Path(folder) / "fine.obj"
            command = [options.weft, "wrinkle", coarse, "-o", str(out), *threads]
            command += ["--from", "20", "--to", "20", "--cell", "2mm", "--hold-boundary", "true"]
            command += ["--iterations", str(options.iterations)]
            status, text, *_ = measured(command + [str(m) for m in more])
            if status:
                sys.exit(text)
            lines = out.read_text().splitlines()
            return [tuple(float(w) for w in line.split()[1:4]) for line in lines if line.startswith("v ")]

        mean = lambda a, b: 1e3 * sum(math.dist(p, q) for p, q in zip(a, b)) / len(a)
        flat = result()
        print("| model | lifted, mean, mm | air and normals apart, mean, mm |\n|---|---|---|")
        for pressure in (2, 10, 50, 250):
            air, normal = result("--air", pressure), result("--push", pressure)
            print(f"| air, {pressure} Pa | {mean(air, flat):.2f} | {mean(air, normal):.3f} |", flush=True)
        for stiffness in (1e4, 1e5, 1e6):
            filled = result("--fill", stiffness, "--thickness", "3mm")
            print(f"| filling of 3 mm, {stiffness:g} N/m³ | {mean(filled, flat):.2f} | |", flush=True)


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("names", nargs="*", metavar="NAME", help="examples; all of them without one")
    options.add_argument("--weft", default=str(ROOT / "build/cpu/bin/weft"))
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--iterations", type=int, default=256, help="outer iterations per level")
    options.add_argument("--cell", type=float, help="m, instead of the table's")
    options.add_argument("--full", action="store_true", help="cells of the paper's size")
    options.add_argument("--no-check", action="store_true", help="without weft-check")
    options.add_argument("--csv", help="file to which rows are added")
    options.add_argument("--models", action="store_true", help="figure 14 instead")
    chosen = options.parse_args()
    if chosen.models:
        return models(chosen)
    unknown = [n for n in chosen.names if n not in EXAMPLES]
    if unknown:
        options.error("there is no %s; there are %s" % (", ".join(unknown), ", ".join(EXAMPLES)))
    if chosen.csv and not os.path.exists(chosen.csv):
        with open(chosen.csv, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(COLUMNS)
    for name in chosen.names or EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            row = example(chosen, name, folder)
        print(", ".join(f"{c} {v}" for c, v in zip(COLUMNS, row)), flush=True)
        if chosen.csv:
            with open(chosen.csv, "a", newline="") as file:
                csv.writer(file, lineterminator="\n").writerow(row)


if __name__ == "__main__":
    main()
