"""Error of a step against its time, of each solver at several efforts, by `weft bench error`, as a plot."""

import hashlib
import json
import statistics
import subprocess

from measures import frontier
from plots import Axes, number, widened
from program import Scratch
from scenes import FRAME


def measured(scene, weft, out):
    """The program's own results; they are kept by program and scene as it is."""
    text = hashlib.sha256(f"{scene.text}\n{scene.seconds!r}".encode()).hexdigest()[:12]
    path = out / "precision" / f"{scene.name}-{text}-{weft.identity}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with Scratch(scene) as scratch:
            command = [
                weft.program,
                "bench",
                "error",
                "--scene",
                scratch.file,
                "--seconds",
                repr(scene.seconds),
            ]
            command += ["--device", "cpu", "--threads", str(weft.threads), "--quiet", "--json", path]
            subprocess.run([str(c) for c in command], env=weft.env, check=True, stdout=subprocess.DEVNULL)
    return json.loads(path.read_text())["scenes"][0]


def entry(scene, weft, out, say):
    """Title, plot and table for the page."""
    found = measured(scene, weft, out)
    unit = 1e3 * 9.81 * FRAME**2  # mm that gravity moves in a step
    groups, table = {}, []
    for row in found["rows"]:
        solver = row["solver"].replace("_", " ")
        if row.get("refused") or not row["error"]:
            table.append(
                {
                    "solver": solver,
                    "work": row["work"],
                    "error, mm": "",
                    "worst, mm": "",
                    "ms": row.get("refused", ""),
                }
            )
            continue
        error, ms = unit * statistics.median(row["error"]), statistics.mean(row["ms"])
        usual = " (default)" if row["default"] else ""
        table.append(
            {
                "solver": solver,
                "work": row["work"] + usual,
                "error, mm": f"{error:.4f}",
                "worst, mm": f"{unit * max(row['error']):.4f}",
                "ms": f"{ms:.2f}",
            }
        )
        groups.setdefault(solver, []).append((ms, max(error, 1e-6), row["work"] + usual))
    every = [p for points in groups.values() for p in points]
    axes = Axes(
        widened([p[0] for p in every]),
        widened([p[1] for p in every]),
        "processor time of a step, ms",
        "error of a step, mm (median)",
    )
    for k, (solver, points) in enumerate(groups.items()):
        pairs = [p[:2] for p in points]
        notes = [f"{solver}, {p[2]}: {number(round(p[1], 4))} mm, {p[0]:.2f} ms" for p in points]
        axes.line(frontier(pairs), solver, k, marks=pairs, notes=notes)
    (out / f"precision_{scene.name}.svg").write_text(
        axes.svg().replace(
            "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12" ', 1
        )
    )
    say(f"work against precision of {scene.name}: {out / ('precision_' + scene.name + '.svg')}")
    contact = scene.contact.replace("_", " ")
    title = f"{scene.title} ({scene.name}): {found['vertices']} vertices, contact {contact}"
    return {"title": title, "svg": axes.svg(), "rows": table}
