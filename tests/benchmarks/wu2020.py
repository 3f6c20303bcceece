#!/usr/bin/env python3
"""Tables of tests/benchmarks/results/wu2020.md, as Markdown on standard output:
   tests/benchmarks/wu2020.py [--weft build/cpu/bin/weft] [--threads 1] [coupling integration convergence ...]
Without names: all. `bench` takes longest by far. Scenes are in tests/benchmarks/wu2020; only the standard
library is needed.
"""

import argparse, csv, json, math, os, pathlib, subprocess, sys, tempfile

from paper_tables import read_positions
from paper_tables import run as run_states

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


# x and y meet after `iterations` iterative steps, each a dynamics step and a collision step.
ALONE = ("the full mesh alone", lambda n: (n, 0, 0))
LEVELS = ("48 : 12 : 12 on three meshes", lambda n: (n // 6, n // 6, 6 * (n - 2 * (n // 6))))


def one_step(options, snapshot, way, levels, iterations):
    fine, middle, coarse = levels(iterations)
    settings = {
        "repulsion.integration": way,
        "repulsion.steps": iterations,
        "descent.fine_iterations": fine,
        "descent.middle_iterations": middle,
        "descent.coarse_iterations": coarse,
    }
    more = ["--preset", "wu2020", "--load-snapshot", snapshot, "--frames", 1]
    return run_states(options, "wu2020/dress_hang_small", settings, states=True, more=more)


def convergence(options):
    """Figure 5. The paper's error is of the objective; here it is the distance to the same solution."""
    print("### Figure 5: one step of the hanging dress after so many iterative steps\n")
    print("Distance to the solution over the step's own way, roots of mean squares. Solution: interleaving")
    print("after 1,024 iterative steps on the full mesh. Seconds: processor time, less that of one step.\n")
    counts = (6, 12, 24, 48, 96, 192)
    head(
        "meshes, integration",
        *(f"{n}" for n in counts),
        "seconds",
        "failed collision steps",
    )
    with tempfile.TemporaryDirectory() as folder:
        snapshot = os.path.join(folder, "hanging")
        run_states(
            options, "wu2020/dress_hang_small", {}, 0.6,
            more=["--preset", "wu2020", "--save-snapshot", snapshot],
        )
        solved = one_step(options, snapshot, "interleaving", ALONE[1], 1024)
        start, end = solved.states[0], solved.states[-1]
        apart = lambda a, b: math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))
        whole = apart(start, end)
        loaded = one_step(options, snapshot, "splitting", ALONE[1], 1).seconds
        for meshes, levels in (ALONE, LEVELS):
            for way in ("interleaving", "splitting"):
                steps = [one_step(options, snapshot, way, levels, n) for n in counts]
                row(
                    f"{meshes}, {way}",
                    *(f"{apart(t.states[-1], end) / whole:.3g}" for t in steps),
                    ", ".join(f"{t.seconds - loaded:.2f}" for t in steps),
                    ", ".join(str(t.total("failed_steps")) for t in steps),
                )
    print()


def point_to_triangle(p, a, b, c):
    """Distance of p to the plane of a triangle where its foot is inside, else None."""
    sub = lambda u, v: [u[k] - v[k] for k in range(3)]
    dot = lambda u, v: sum(u[k] * v[k] for k in range(3))
    e, f, d = sub(b, a), sub(c, a), sub(p, a)
    ee, ef, ff, de, df = dot(e, e), dot(e, f), dot(f, f), dot(d, e), dot(d, f)
    area = ee * ff - ef * ef
    s, t = (ff * de - ef * df) / area, (ee * df - ef * de) / area
    if s < 0 or t < 0 or s + t > 1:
        return None
    foot = [a[k] + s * e[k] + t * f[k] for k in range(3)]
    return math.sqrt(dot(sub(p, foot), sub(p, foot)))


def bumps(options):
    """Figure 14: the gap is 7.6 to 8.0 mm between regular sheets, a bump 0.4 mm."""
    print("### Figure 14: gap and bumps of a sheet that lies on another\n")
    head("sheets", "gap: least, mean, most, mm", "standard deviation, mm", "bump, mm")
    for label, more in (("at rest", {}), ("ten times as heavy", {"fabric.areal_density": 2.76})):
        with tempfile.TemporaryDirectory() as folder:
            command = [options.weft, str(HERE / "wu2020/bumps.toml"), "--headless", "--quiet"]
            command += ["--device", "cpu", "--threads", str(options.threads), "--states", folder]
            command += [w for k, v in more.items() for w in ("--set", f"{k}={v}")]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            last = max(n for n in os.listdir(folder) if n.endswith(".npy"))
            flat = read_positions(os.path.join(folder, last))
            x = [flat[i : i + 3] for i in range(0, len(flat), 3)]
            lines = pathlib.Path(folder, "mesh.obj").read_text().splitlines()
        groups = {}  # name: triangles
        for line in lines:
            if line[:2] in ("g ", "o "):
                groups[line.split()[1]] = group = []
            elif line[:2] == "f ":
                group.append([int(w.split("/")[0]) - 1 for w in line.split()[1:]])
        lower, upper = groups["lower"], sorted({v for t in groups["upper"] for v in t})
        inside = lambda p: max(abs(p[0]), abs(p[2])) < 0.035
        gaps = []
        for p in (x[v] for v in upper if inside(x[v])):
            near = [t for t in lower if abs(x[t[0]][0] - p[0]) < 0.015 and abs(x[t[0]][2] - p[2]) < 0.015]
            found = [d for t in near if (d := point_to_triangle(p, *(x[k] for k in t))) is not None]
            if found:  # it lies above the lower sheet
                gaps.append(1e3 * min(found))
        mean = sum(gaps) / len(gaps)
        row(
            label,
            f"{min(gaps):.2f}, {mean:.2f}, {max(gaps):.2f}",
            f"{math.sqrt(sum((g - mean) ** 2 for g in gaps) / len(gaps)):.3f}",
            f"{max(gaps) - min(gaps):.2f}",
        )
    print()


HANGING = """title = "A sheet that hangs by two corners"
[step]
dt = 0.01
collision = "none"
[forces]
lift = 0
drag = 0
air_damping = 4
[contact]
ground = false
[[cloth]]
name = "sheet"
file = "FILE"
[cloth.fabric]
areal_density = 0.276
stretch_stiffness = 4000
shear_stiffness = 400
bending_rigidity = 4e-5
[[pin]]
box = { min = [-0.301, 0.59, -0.01], max = [-0.26, 0.61, 0.01] }
[[pin]]
box = { min = [0.26, 0.59, -0.01], max = [0.301, 0.61, 0.01] }
"""


def grid_mesh(cells):
    """Points of a square of 0.6 m and its triangles, with a slight wave so that it may fold."""
    wave = lambda i, j: 1e-3 * math.sin(40 * i / cells) * (1 - j / cells)
    points = [
        (0.6 * (i / cells - 0.5), 0.6 * j / cells, wave(i, j))
        for j in range(cells + 1)
        for i in range(cells + 1)
    ]
    corner = lambda i, j: j * (cells + 1) + i
    faces = []
    for j in range(cells):
        for i in range(cells):
            a, b, c, d = corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)
            faces += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return points, faces


def refined(points, faces, marked):
    """Marked triangles in four; their neighbours are divided to fit, so that no vertex lies on an edge."""
    points, middle = list(points), {}
    edges = lambda f: [tuple(sorted((f[k], f[(k + 1) % 3]))) for k in range(3)]

    def split(edge):
        if edge not in middle:
            a, b = (points[v] for v in edge)
            middle[edge] = len(points)
            points.append(tuple(0.5 * (u + v) for u, v in zip(a, b)))
        return middle[edge]

    for k in marked:
        for e in edges(faces[k]):
            split(e)
    while any(sum(e in middle for e in edges(f)) == 2 for f in faces):
        for f in faces:
            cut = [e in middle for e in edges(f)]
            if sum(cut) == 2:
                split(edges(f)[cut.index(False)])
    result = []
    for f in faces:
        cut = [e in middle for e in edges(f)]
        if sum(cut) == 3:
            a, b, c = f
            ab, bc, ca = (middle[e] for e in edges(f))
            result += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        elif sum(cut) == 1:
            k = cut.index(True)
            a, b, c = f[k], f[(k + 1) % 3], f[(k + 2) % 3]
            m = middle[edges(f)[k]]
            result += [(a, m, c), (m, b, c)]
        else:
            result.append(f)
    return points, result


def hung(options, points, faces):
    """Positions of a sheet after two seconds, and the processor time that took."""
    with tempfile.TemporaryDirectory() as folder:
        mesh = pathlib.Path(folder, "sheet.obj")
        lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points]
        mesh.write_text("\n".join(lines + ["f " + " ".join(str(v + 1) for v in f) for f in faces]) + "\n")
        scene = pathlib.Path(folder, "sheet.toml")
        scene.write_text(HANGING.replace("FILE", str(mesh)))
        t = run_states(options, scene, {}, 2, states=True)
        flat = t.states[-1]
        return [flat[i : i + 3] for i in range(0, len(flat), 3)], t.seconds


def folds(points, faces):
    """Triangles in the order of how far they are turned against their neighbours, most first."""
    def normal(f):
        a, b, c = (points[v] for v in f)
        u, v = [b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        length = math.sqrt(sum(x * x for x in n))
        return [x / length for x in n]

    normals, sides, turned = [normal(f) for f in faces], {}, [0.0] * len(faces)
    for k, f in enumerate(faces):
        for i in range(3):
            sides.setdefault(tuple(sorted((f[i], f[(i + 1) % 3]))), []).append(k)
    for pair in sides.values():
        if len(pair) == 2:
            angle = 1 - sum(a * b for a, b in zip(normals[pair[0]], normals[pair[1]]))
            for k in pair:
                turned[k] = max(turned[k], angle)
    return sorted(range(len(faces)), key=lambda k: -turned[k])


def adaptive(options):
    """Figure 16: a mesh merged of two levels is simulated as any other."""
    print("### Figure 16: a hanging sheet on a mesh of two levels, refined where the coarse one folds\n")
    head("mesh", "vertices", "processor time of 2 s, s", "from the fine one, mean, most, mm", "lowest, m")
    points, faces = grid_mesh(24)
    fine_points, fine_faces = refined(points, faces, range(len(faces)))
    fine, fine_seconds = hung(options, fine_points, fine_faces)
    coarse, coarse_seconds = hung(options, points, faces)
    order = folds(coarse, faces)
    results = [("coarse", len(points), coarse, coarse_seconds)]
    for share in (0.15, 0.3, 0.5):
        mixed = refined(points, faces, order[: int(share * len(faces))])
        end, seconds = hung(options, *mixed)
        results.append((f"{100 * share:.0f} % refined", len(mixed[0]), end, seconds))
    results.append(("fine", len(fine_points), fine, fine_seconds))
    for label, count, end, seconds in results:
        apart = [math.dist(a, b) for a, b in zip(end[: len(points)], fine)]
        row(
            label,
            count,
            f"{seconds:.2f}",
            f"{1e3 * sum(apart) / len(apart):.2f}, {1e3 * max(apart):.1f}",
            f"{min(p[1] for p in end):.4f}",
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
    tables = {f.__name__: f for f in (
        coupling, integration, convergence, bumps, adaptive, damping, density, friction, bench)}
    parser = argparse.ArgumentParser(description="Tables of tests/benchmarks/results/wu2020.md")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(tables))
    parser.add_argument("--weft", default=str(HERE.parent.parent / "build/cpu/bin/weft"))
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.set_defaults(seconds=None)  # asked for by paper_tables.run
    options = parser.parse_args()
    unknown = [name for name in options.tables if name not in tables]
    if unknown:
        parser.error(f"there is no table {unknown[0]}: {', '.join(tables)}")
    for name in options.tables or tables:
        tables[name](options)


if __name__ == "__main__":
    main()
