"""The field: scenes x methods of Weft x other programs, with errors, crossings, times and one page.

python3 tests/benchmarks/field --quick                 three scenes, Weft's methods alone
python3 tests/benchmarks/field                         all scenes in the small size
python3 tests/benchmarks/field --peers                 other programs too, from PyPI into build/field/python
python3 tests/benchmarks/field --full                  the large size: hours
python3 tests/benchmarks/field --scene NAME --method NAME
python3 tests/benchmarks/field --work-precision NAME   error of a step against its time, for any scene
python3 tests/benchmarks/field --references            makes the stored references anew
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WORK = ROOT / "build/field"
QUICK = ("hanging_corners", "strip_cantilever", "wang2021_square")


def arguments():
    parser = argparse.ArgumentParser(
        prog="field", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="three scenes")
    parser.add_argument("--full", action="store_true", help="the large size")
    parser.add_argument("--scene", action="append", metavar="NAME", help="only this scene; several times")
    parser.add_argument(
        "--method", action="append", metavar="NAME", help="only methods with this in their name"
    )
    parser.add_argument(
        "--effort", action="append", type=int, metavar="N", help="N steps a frame; default: 1 and 4"
    )
    parser.add_argument("--peers", action="store_true", help="other programs too")
    parser.add_argument(
        "--work-precision", action="append", metavar="SCENE", help="and its plot on the page", default=[]
    )
    parser.add_argument("--references", action="store_true", help="makes the stored references anew and ends")
    parser.add_argument(
        "--again", action="store_true", help="repeats the runs and compares with the kept results"
    )
    parser.add_argument("--kept", action="store_true", help="a page of kept results, without new runs")
    parser.add_argument("--no-pictures", action="store_true", help="a page without pictures and videos")
    parser.add_argument("--bin", default=str(ROOT / "build/test/bin"), help="folder of weft and weft-check")
    parser.add_argument("--out", default=str(WORK), help="folder of results and page")
    parser.add_argument("--scenes-file", default=str(HERE / "scenes.toml"), help="another list of scenes")
    parser.add_argument("--adapters", default=str(HERE / "adapters"), help="another folder of adapters")
    return parser.parse_args()


def python_with(packages):
    """A Python that has these packages: this one, or that of build/field/python, where they are installed
    from PyPI."""
    folder = WORK / "python"
    python, noted = folder / "bin/python", folder / "installed.txt"
    words = "\n".join(packages)
    if not noted.exists() or noted.read_text() != words:
        print(f"field: installing {' '.join(packages)} from PyPI into {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for package in packages:  # one by one: what cannot be had leaves the others
            if subprocess.run(command + [package]).returncode:
                print(f"field: {package} cannot be had; what needs it does not run", file=sys.stderr)
        noted.write_text(words)
    return python


def with_numpy():
    """Starts again with a Python that has NumPy, if this one has none."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        python = python_with(["numpy"])
        os.execv(python, [str(python), "-B", str(HERE), *sys.argv[1:]])


def efforts_of(method, scene, options):
    """One step a frame for every pair; four too for solvers with the scene's own contact; peers one and
    two."""
    if options.effort:
        return options.effort
    if method.kind == "peer":
        return getattr(method.adapter, "EFFORTS", (1,))
    return [1, 4] if method.collision in (scene.contact, scene.reference) else [1]


def selected(methods, names):
    return [m for m in methods if not names or any(n in m.name for n in names)]


def all_methods(options, weft):
    from methods import own_methods, peers

    folder = pathlib.Path(options.adapters)
    others = peers(sys.executable, folder) if options.peers or folder != HERE / "adapters" else []
    if options.peers:
        python = python_with(["numpy", *sorted({p for m in others for p in m.packages})])
        for m in others:
            m.python = str(python)
    return selected(own_methods(weft) + others, options.method)


def about(options, weft):
    shown = []
    for k, word in enumerate(sys.argv[1:]):  # folders of this machine are left out
        if word not in ("--bin", "--out") and sys.argv[k] not in ("--bin", "--out"):
            shown.append(word)
    commit = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True
    )
    cpu = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return {
        "date": datetime.date.today().isoformat(),
        "commit": commit.stdout.strip() or "unknown",
        "program": weft.version().splitlines()[0],
        "machine": f"{cpu[0] if cpu else platform.processor()}, {os.cpu_count()} cores; one thread, no GPU",
        "size": "full" if options.full else "small",
        "command": "python3 tests/benchmarks/field " + " ".join(shown),
        "not run": ("" if options.peers else "other programs (--peers); ")
        + "ppf-contact-solver and pyuipc, which need a GPU",
    }


def compare_again(field, results, say):
    """Runs everything that was done once more: errors must be the same bits, times close."""
    factors, differ = [], []
    scenes, methods = {s.name: s for s in field.scenes}, {m.name: m for m in field.methods}
    for row in [r for r in field.rows if r["status"] == "done"]:
        scene, method = scenes[row["scene"]], methods[row["method"]]
        new = results.result(scene, method, row["effort"], field.references[row["scene"]], again=True)
        if new["status"] != row["status"]:
            differ.append(f"{row['scene']} {row['method']} ({new['status']})")
            continue
        factors.append(new["seconds"] / row["seconds"])
        if new["positions"] != row["positions"]:
            differ.append(f"{row['scene']} {row['method']}")
    factors.sort()
    if not factors:
        return say("nothing was run again")
    at = lambda share: factors[min(int(share * len(factors)), len(factors) - 1)]
    say(
        f"{len(factors)} runs again: time over the first {at(0.1):.2f}, {at(0.5):.2f}, {at(0.9):.2f} "
        f"(tenth, half, nine tenths of the runs); other errors in {len(differ)}: "
        f"{', '.join(differ) or 'none'}"
    )


def run(options):
    import artwork
    import page
    import precision
    from methods import Results
    from program import Weft
    from references import reference_of
    from scenes import read_scenes

    say = lambda words: print("field: " + words, file=sys.stderr, flush=True)
    weft = Weft(options.bin)
    size = "full" if options.full else "small"
    more = options.scene or options.quick or options.method or options.peers or options.kept
    only_precision = options.work_precision and not more
    names = options.scene or (QUICK if options.quick else options.work_precision if only_precision else None)
    scenes = read_scenes(size, options.scenes_file, names)
    out = pathlib.Path(options.out)
    folders = [out / "references" / size]
    if size == "small":  # those that are kept with the sources
        folders.insert(0, HERE / "references")
    references = {}
    for scene in scenes:
        references[scene.name] = reference_of(scene, weft, folders, options.references, say)
    if options.references:
        return
    methods = all_methods(options, weft)
    results = Results(out / "results" / size, weft, say)
    rows = []
    for scene in scenes if not only_precision else []:
        for method in methods:
            for effort in efforts_of(method, scene, options):
                if not options.kept or results.path(scene, method, effort, references[scene.name]).exists():
                    rows.append(results.result(scene, method, effort, references[scene.name]))
    field = page.Field(scenes, references, methods if rows else [], rows, about(options, weft))
    if options.again:
        compare_again(field, results, say)
        return
    for name in options.work_precision:
        field.precision.append(
            precision.entry(read_scenes(size, options.scenes_file, [name])[0], weft, out, say)
        )
    if not options.no_pictures and rows:
        artwork.add(field, results, weft, out / "artwork" / size, say)
    (out / "page.html").write_text(page.to_html(field))
    (out / "field.csv").write_text(page.to_csv(field))
    (out / "field.json").write_text(json.dumps({"about": field.about, "rows": rows}, indent=1))
    print(page.markdown_table(page.summary_rows(field)))
    say(f"page: {out / 'page.html'}")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(HERE))
    with_numpy()
    run(arguments())
