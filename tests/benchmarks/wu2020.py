#!/usr/bin/env python3
"""Tables of tests/benchmarks/results/wu2020.md, as Markdown on standard output:
   tests/benchmarks/wu2020.py [--weft build/cpu/bin/weft] [--threads 1] [coupling integration damping density friction bench ...]
Without names: all. `bench` takes longest by far. Scenes are in tests/benchmarks/wu2020; only the standard library is needed.
"""

import argparse, csv, json, math, os, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
NONE, EVERYWHERE, NO_START = (
    {"step.collision": "none"},
    {"repulsion.coupling_everywhere": "true"},
    {"repulsion.initial_steps": 0},
)
CONVERGED = {
    "descent.fine_iterations": 240,
    "descent.middle_iterations": 96,
    "descent.coarse_iterations": 2000,
}


class Table:
    """The CSV of one run: columns by name, one number per step."""

    def __init__(self, path, seconds):
        with open(path, newline="") as file:
            self.rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.seconds = seconds  # of process time that the run took

    def column(self, name, begin=0.0, end=1e30):
        return [float(r[name]) for r in self.rows if begin < float(r["time"]) <= end + 1e-6]

    def last(self, name):
        return float(self.rows[-1][name])

    def total(self, name):
        return int(sum(self.column(name)))


def run(options, scene, settings, seconds=None):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "steps.csv")
        file = HERE / "wu2020" / (scene + ".toml")
        command = [
            options.weft,
            str(file) if file.exists() else "wu2020/" + scene,
            "--headless",
            "--quiet",
            "--device",
            "cpu",
            "--threads",
            str(options.threads),
            "--csv",
            out,
        ]
        if seconds:
            command += ["--seconds", str(seconds)]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        before = os.times()
        done = subprocess.run(command, capture_output=True, text=True)
        after = os.times()
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return Table(
            out, after.children_user + after.children_system - before.children_user - before.children_system
        )


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def head(*cells):
    row(*cells)
    print("|" + "---|" * len(cells))


def coupling(options):
    print("### Figure 6: a pulled sheet, with and without the coupling term\n")
    head(
        "arm",
        "pull at each end",
        "coupling",
        "longest edge / rest, weight alone",
        "while pulled",
        "mean edge / rest at the end",
        "failed collision steps",
    )

    def line(arm, pull, label, **settings):
        chosen = {"drag.force_limit": pull} | {k.replace("__", "."): v for k, v in settings.items()}
        t = run(options, "arm" if arm == "cloth" else "arm_body", chosen)
        row(
            arm,
            f"{pull:g} N",
            label,
            f"{max(t.column('max_stretch', 0, 0.2)):.3f}",
            f"{max(t.column('max_stretch', 0.2)):.3f}",
            f"{t.last('mean_stretch'):.3f}",
            f"{t.total('failed_steps')} of {t.total('collision_steps')}",
        )

    for pull in (0.02, 0.05, 0.1):
        line("cloth", pull, "80,000 /s²")
        line("cloth", pull, "0", repulsion__coupling=0)
    for label, value in (("800,000 /s²", 8e5), ("8,000,000 /s²", 8e6)):
        line("cloth", 0.1, label, repulsion__coupling=value)
    line("cloth", 0.1, "80,000 /s², everywhere", repulsion__coupling_everywhere="true")
    line("cloth", 0.1, "80,000 /s², dt 1 ms", step__dt=0.001)
    for label, value in (("80,000 /s²", 80000), ("0", 0)):
        line("body", 0.1, label, repulsion__coupling=value)
    print()


def integration(options):
    """What the solver's cloth and the collision-free one have to do with each other: figures 5 to 7."""
    print("### Figures 5 to 7: four ways to bring solver and collision handling together\n")
    head(
        "scene",
        "integration",
        "dt, ms",
        "longest edge / rest",
        "mean edge / rest at the end",
        "failed collision steps",
        "vertices in the hard phase, per step",
        "the same, first step with any",
        "fastest vertex of the last 0.2 s, m/s",
        "process time, s per s simulated",
    )
    arm = {"drag.force_limit": 0.1}
    for scene, seconds, settings, dt in (
        ("arm", None, arm, 0.01),
        ("arm", None, arm, 0.001),
        ("table_small", 0.8, {}, 0.01),
    ):
        for way in ("splitting", "interleaving", "post_processing", "phantom_mesh"):
            t = run(options, scene, settings | {"repulsion.integration": way, "step.dt": dt}, seconds)
            hard, end = t.column("hard_vertices"), t.last("time")
            row(
                scene,
                way,
                f"{1e3 * dt:.3g}",
                f"{max(t.column('max_stretch')):.3f}",
                f"{t.last('mean_stretch'):.3f}",
                f"{t.total('failed_steps')} of {t.total('collision_steps')}",
                f"{sum(hard) / len(hard):.3g}",
                f"{next((h for h in hard if h > 0), 0):.0f}",
                f"{max(t.column('max_speed', end - 0.2)):.3f}",
                f"{t.seconds / end:.3g}",
            )
    print()


def damping(options):
    print("### Figure 12: artificial damping\n")
    head(
        "collision handling",
        "coarse iterations (over 48: I_dyn)",
        "D, mm",
        "fall of the centre, m",
        "of that without",
        "kinetic energy, mJ",
        "of that without",
        "longest edge / rest",
    )
    reference = None

    def line(label, settings, coarse=288, limit=0.25):
        nonlocal reference
        chosen = {"descent.coarse_iterations": coarse, "repulsion.step_limit": limit * 1e-3} | settings
        t = run(options, "strip", chosen)
        fall, energy = 1 - t.last("mean_height"), 1e3 * t.last("kinetic_energy")
        reference = reference or (fall, energy)
        of = lambda value, of_all: f"{100 * value / of_all:.0f} %"
        row(
            label,
            f"{chosen['descent.coarse_iterations']} ({chosen['descent.coarse_iterations'] / 48:.3g})",
            "" if label.startswith("none") else f"{limit:g}",
            f"{fall:.4f}",
            of(fall, reference[0]),
            f"{energy:.2f}",
            of(energy, reference[1]),
            f"{max(t.column('max_stretch')):.3f}",
        )

    line("none", NONE)
    line("none, solved to convergence", NONE | CONVERGED)
    line("none, dt 1 ms", NONE | {"step.dt": 0.001})
    line("repulsion", {})
    for limit in (0.0625, 0.125, 0.25, 0.5, 1):
        line("repulsion, initial steps 0", NO_START, limit=limit)
    for coarse in (0, 48, 288, 576):
        line("repulsion, coupled everywhere (as in the paper)", EVERYWHERE, coarse)
    for coarse in (0, 48, 576):
        line("repulsion", {}, coarse)
    print()


def density(options):
    print("### Figure 15: stretch against areal density\n")
    head(
        "areal density, kg/m²",
        "height without collision steps / at rest",
        "with",
        "difference",
        "longest edge / rest without",
        "with",
        "failed collision steps",
    )
    for value in (0.001, 0.01, 0.1, 0.276, 1, 3, 5, 10):
        tables = [run(options, "layers", {"fabric.areal_density": value} | more) for more in (NONE, {})]
        height = [(t.last("max_height") - t.last("min_height")) / 0.16 for t in tables]
        row(
            f"{value:g}",
            f"{height[0]:.4f}",
            f"{height[1]:.4f}",
            f"{height[0] - height[1]:.4f}",
            *(f"{t.last('max_stretch'):.3f}" for t in tables),
            f"{tables[1].total('failed_steps')} of {tables[1].total('collision_steps')}",
        )
    print()


def friction(options):
    print("### Cloth that slides on cloth at 35 degrees: speed, m/s\n")
    head(
        "friction",
        *(f"{way} after {t:g} s" for t in (0.1, 0.2, 0.3) for way in ("Coulomb's law,", "measured,")),
    )
    slope, mass = math.radians(35), 0.276 * 0.06 * 0.08
    for value in (0, 0.1, 0.3, 0.5, 0.7):
        t = run(options, "slide", {"repulsion.self_friction": value})
        cells = []
        for end in (0.1, 0.2, 0.3):
            energy = t.column("kinetic_energy", 0, end + 1e-4)[-1]
            cells += [
                f"{max(0, 9.81 * (math.sin(slope) - value * math.cos(slope)) * end):.3f}",
                f"{math.sqrt(2 * energy / mass):.3f}",
            ]
        row(f"{value:g}", *cells)
    print()


def bench(options):
    print("### Speed, small scenes over their whole length\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "bench.json")
        subprocess.run(
            [
                options.weft,
                "bench",
                "wu2020",
                "--small",
                "--device",
                "cpu",
                "--threads",
                str(options.threads),
                "--quiet",
                "--json",
                out,
            ],
            check=True,
        )
        scenes = json.loads(pathlib.Path(out).read_text())["scenes"]
    print()
    head("scene", "longest edge / rest, any step", "deepest in a body, mm", "slowest step, s")
    for s in scenes:
        if "missing" not in s:
            row(
                s["scene"],
                f"{s['max_stretch']:.3f}",
                f"{1e3 * s['max_penetration']:.2f}",
                f"{1e-3 * s['worst_step_ms']:.1f}",
            )


def main():
    tables = {f.__name__: f for f in (coupling, integration, damping, density, friction, bench)}
    parser = argparse.ArgumentParser(description="Tables of tests/benchmarks/results/wu2020.md")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(tables))
    parser.add_argument("--weft", default=str(HERE.parent.parent / "build/cpu/bin/weft"))
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    options = parser.parse_args()
    unknown = [name for name in options.tables if name not in tables]
    if unknown:
        parser.error(f"there is no table {unknown[0]}: {', '.join(tables)}")
    for name in options.tables or tables:
        tables[name](options)


if __name__ == "__main__":
    main()
