#!/usr/bin/env python3
"""Tables of tests/benchmarks/results/ndb.md (Lan 2024), as Markdown on standard output and as CSV:
   tests/benchmarks/ndb.py [--weft build/cpu/bin/weft] [--threads 1] [--csv FILE] [TABLE ...]
Without names: all tables. Times are process times of runs that take turns, or stage times of one run."""
import json, os, pathlib, subprocess, tempfile

from paper_tables import main, mean_distance, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDB = {"step.solver": "projective", "step.collision": "ndb"}


def scene(name):
    return "lan2024/" + name


def ndb(options, name, settings=None, seconds=None, **more):
    return run(options, scene(name), NDB | (settings or {}), seconds, **more)


def largest_error(states, reference, start):
    """Largest distance to the reference's displacement over the largest displacement."""
    def largest(a, b):
        return max(
            ((a[i] - b[i]) ** 2 + (a[i + 1] - b[i + 1]) ** 2 + (a[i + 2] - b[i + 2]) ** 2) ** 0.5
            for i in range(0, len(a), 3)
        )
    return largest(states, reference) / largest(reference, start)


def one_solve(options, name, settings, snapshot, sweeps, modes, reused):
    """Positions before and after a step of one global solve: modes, then sweeps."""
    one = {
        "projective.iterations": 1,
        "projective.jacobi": sweeps,
        "projective.modes": modes,
        "projective.reused_modes": reused,
        "projective.acceleration": "off",
    }
    more = ["--frames", 1] + (["--load-snapshot", snapshot] if snapshot else [])
    return ndb(options, name, settings | one, states=True, more=more).states


def subspace(options, out):
    """Figures 2 and 3 (strip), 4 and 6 (tablecloth on an animal)."""
    out.begin(
        "Figures 2, 3, 4, 6: error of one global solve after so many sweeps",
        "scene and subspace",
        "0",
        "20",
        "100",
        "600",
        note="Largest error of a displacement over the largest displacement; reference: 100 modes and 5,000 sweeps.",
    )

    def lines(name, label, settings, snapshot, ways):
        states = one_solve(options, name, settings, snapshot, 5000, 100, 60)
        start, reference = states[0], states[-1]
        for words, modes, reused in ways:
            cells = []
            for sweeps in (0, 20, 100, 600):
                if modes == 0 and sweeps == 0:
                    cells.append("1")  # nothing has moved
                    continue
                cells.append(
                    f"{largest_error(one_solve(options, name, settings, snapshot, sweeps, modes, reused)[-1], reference, start):.2g}"
                )
            out.row(f"{label}, {words}", *cells)

    # A solve is linear in the forces. Under 9.81 m/s² the strip's first one moves it by 2 micrometres, 40 units in
    # the last place of its positions.
    for name, gravity in (("strip_small", 98.1), ("animal_small", 9.81)):
        free = {"step.collision": "none", "forces.gravity": f"0,{-gravity},0"}
        lines(name, name + ", free", free, None, (("plain", 0, 0), ("100 modes", 100, 0)))
    # Under contact: the terms of two-way handling, whose weights do not depend on iterations.
    touching = {"step.collision": "two_way"}
    with tempfile.TemporaryDirectory() as folder:
        snapshot = os.path.join(folder, "touching")
        ndb(options, "animal_small", touching, 0.8, more=["--save-snapshot", snapshot])
        lines("animal_small", "animal_small after 0.8 s, in contact", touching, snapshot,
              (("plain", 0, 0), ("30 modes reused", 100, 30)))


# The paper's loops: they end where changes are small, within a budget of 50 iterations.
LOOPS = {"projective.iterations": 50, "ndb.ends": "iterations"}


def barriers(options, out):
    """Figures 8 (twist), 9 (samples), 11 (tank). Without subspace and with the distance barrier it is PD-IPC."""
    out.begin(
        "Figures 8, 9, 11: barriers and partial tests",
        "scene",
        "barrier",
        "partial test",
        "modes",
        "iterations with contact, per step",
        "full detections, per step",
        "pairs with too few samples",
        "collision, ms per step",
        "of it partial tests",
        "longest edge / rest",
        "exit share, mean, %",
    )
    ways = [("non_distance", s, 100) for s in ("plane", "bernstein", "one", "three", "six")]
    ways += [("distance", "plane", 100), ("distance", "plane", 0), ("non_distance", "plane", 0)]
    for name, seconds in (("twist_small", 1.4), ("ribbons_small", 0.45)):  # contact begins at 0.84 and 0.24 s
        if not out.wants(name):
            continue
        for barrier, samples, modes in ways:
            t = ndb(
                options,
                name,
                LOOPS | {"ndb.barrier": barrier, "ndb.samples": samples, "projective.modes": modes},
                seconds,
            )
            collision = t.stages_named(
                "exit", "find contacts", "partial tests", "contacts", "contacts of vertices", "contact begin"
            )
            out.row(
                name,
                barrier,
                samples,
                modes,
                f"{t.mean('contact_iterations'):.1f}",
                f"{t.mean('rounds'):.2f}",
                f"{t.mean('coarse_pairs'):.2f}",
                f"{collision:.1f}",
                f"{t.stages_named('partial tests'):.2f}",
                f"{max(t.column('max_stretch')):.2f}",
                f"{t.mean('exit_share'):.0f}",
            )


def forwarding(options, out):
    """Figure 10: the cloth on the teapot with few iterations."""
    out.begin(
        "Figure 10: few iterations, with and without residual forwarding",
        "iterations",
        "advance",
        "forwarding",
        "mean distance to the converged run, mm",
        "exit share, mean, %",
        "longest edge / rest",
        "fastest vertex at the end, m/s",
        "mean height at the end, m",
        note="`teapot_small`, exit by the single time of impact; converged: 100 iterations, 40 sweeps, exit by planes; the first 0.35 s.",
    )
    seconds = 0.35
    best = ndb(
        options,
        "teapot_small",
        {"projective.iterations": 100, "ndb.budget": 100, "ndb.rounds": 10, "projective.jacobi": 40},
        seconds,
        states=True,
    )
    out.row(
        "100 (converged)",
        "each_round",
        "none",
        "0",
        f"{best.mean('exit_share'):.0f}",
        f"{max(best.column('max_stretch')):.2f}",
        f"{best.last('max_speed'):.3f}",
        f"{best.last('mean_height'):.4f}",
    )
    for advance in ("exit", "each_round"):
        for iterations in (50, 25, 5):
            for share in (0, 0.5):
                t = ndb(
                    options,
                    "teapot_small",
                    {
                        "projective.iterations": iterations,
                        "ndb.exit": "toi",
                        "ndb.advance": advance,
                        "ndb.residual_forwarding": share,
                    },
                    seconds,
                    states=True,
                )
                out.row(
                    iterations,
                    advance,
                    share or "none",
                    f"{1e3 * mean_distance(t, best):.2f}",
                    f"{t.mean('exit_share'):.0f}",
                    f"{max(t.column('max_stretch')):.2f}",
                    f"{t.last('max_speed'):.3f}",
                    f"{t.last('mean_height'):.4f}",
                )


def changes(options, out):
    """Table 2: the thresholds of both loops over dt."""
    out.begin(
        "Table 2: thresholds of inner and outer loop",
        "scene",
        "dt, s",
        "inner change",
        "outer change",
        "iterations with contact, per step",
        "full detections",
        "fastest vertex at the end, m/s",
        "longest edge / rest",
        "exit share, mean, %",
    )
    for steps in (50, 100, 200):
        if not out.wants(f"1/{steps}"):
            continue
        for inner in (1e-2, 1e-3, 1e-4):
            for outer in (1e-2, 1e-4):
                t = ndb(
                    options,
                    "sphere_small",
                    LOOPS | {"step.dt": 1 / steps, "ndb.inner_change": inner, "ndb.round_change": outer},
                    0.5,
                )
                out.row(
                    "sphere_small",
                    f"1/{steps}",
                    f"{inner:g}",
                    f"{outer:g}",
                    f"{t.mean('contact_iterations'):.1f}",
                    f"{t.mean('rounds'):.2f}",
                    f"{t.last('max_speed'):.3f}",
                    f"{max(t.column('max_stretch')):.2f}",
                    f"{t.mean('exit_share'):.0f}",
                )


def base(options, out):
    """The base of the weights (section 4)."""
    out.begin(
        "Base of the weights",
        "base K",
        "iterations with contact, per step",
        "full detections",
        "oldest contact, mean",
        "fastest vertex at the end, m/s",
        "kinetic energy at the end, mJ",
        "longest edge / rest",
        "exit share, mean, %",
        note="`sphere_small`, the first 0.8 s.",
    )
    for k in (1.5, 2, 3, 4, 8):
        if not out.wants(str(k)):
            continue
        t = ndb(options, "sphere_small", {"ndb.base": k}, 0.8)
        out.row(
            k,
            f"{t.mean('contact_iterations'):.1f}",
            f"{t.mean('rounds'):.2f}",
            f"{t.mean('oldest_contact'):.1f}",
            f"{t.last('max_speed'):.3f}",
            f"{1e3 * t.last('kinetic_energy'):.3f}",
            f"{max(t.column('max_stretch')):.2f}",
            f"{t.mean('exit_share'):.0f}",
        )


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def frictions(options, out):
    """Figures 13 (a ball, its top at 0.6 m, its middle at 0.4 m) and 18 (three cloths on a funnel whose rim is at 0.65 m)."""
    out.begin(
        "Figures 13 and 18: two frictions",
        "scene",
        "collision",
        "friction",
        "cloth",
        "way of what lay on the body, mean, mm",
        "centre of mass beside the axis, mm",
        "mean distance from the axis, mm",
        "mean height, m",
        "highest, m",
        "lowest, m",
        "above 0.6 m, %",
        "fastest vertex, m/s",
        "longest edge / rest",
        "process time, s",
        note="At the end of 1.6 s (ball) and 2.4 s (funnel). Way: from 0.6 s (ball) or 0.8 s (funnel, before its ball comes) on, of vertices within 5 mm of "
        "the ball or of the funnel's rim (0.33 to 0.35 m from the axis, 0.63 to 0.67 m high).",
    )
    on_ball = lambda x, y, z: abs((x * x + (y - 0.4) ** 2 + z * z) ** 0.5 - 0.2) < 5e-3 and y > 0.4
    on_rim = lambda x, y, z: 0.33 < (x * x + z * z) ** 0.5 < 0.35 and 0.63 < y < 0.67
    for name, cloths, seconds, since, touches, values in (("sphere_small", 1, 1.6, 0.6, on_ball, (0.4, 0.05)),
                                                          ("funnel_small", 3, 2.4, 0.8, on_rim, (0.4, 0.1))):
        for collision in ("ndb", "two_way"):
            for friction in values:
                if not out.wants(f"{name} {collision} {friction}"):
                    continue
                t = run(
                    options,
                    scene(name),
                    {"step.solver": "projective", "step.collision": collision, "contact.friction": friction},
                    seconds,
                    states=True,
                )
                before, end = [
                    [p[3 * i : 3 * i + 3] for i in range(len(p) // 3)]
                    for p in (t.states[round(since * 100)], t.states[-1])
                ]
                for k in range(cloths):
                    part = range(k * len(end) // cloths, (k + 1) * len(end) // cloths)
                    x, z, height = [mean(end[i][c] for i in part) for c in (0, 2, 1)]
                    way = mean(
                        sum((a - b) ** 2 for a, b in zip(before[i], end[i])) ** 0.5
                        for i in part
                        if touches(*before[i])
                    )
                    out.row(
                        name,
                        collision,
                        friction,
                        k + 1,
                        f"{1e3 * way:.0f}",
                        f"{1e3 * (x * x + z * z) ** 0.5:.0f}",
                        f"{1e3 * mean((end[i][0] ** 2 + end[i][2] ** 2) ** 0.5 for i in part):.0f}",
                        f"{height:.3f}",
                        f"{max(end[i][1] for i in part):.3f}",
                        f"{min(end[i][1] for i in part):.3f}",
                        f"{100 * mean(end[i][1] > 0.6 for i in part):.0f}",
                        f"{t.last('max_speed'):.2f}",
                        f"{max(t.column('max_stretch')):.2f}",
                        f"{t.seconds:.0f}",
                    )


def table(options, out):
    """Table 1's columns, and memory and launches."""
    out.begin(
        "Table 1's columns: small scenes",
        "scene",
        "methods",
        "vertices",
        "steps per second",
        "of two_way with descent",
        "full detections",
        "iterations with contact",
        "pieces of the exit",
        "exit and search, share of time",
        "bytes per vertex",
        "launches per step",
        "per iteration",
        "longest edge / rest",
        note="`weft bench lan2024 --small`: each scene's methods in turns, the first 0.4 s.",
    )
    for name in (
        "strip",
        "animal",
        "twist",
        "teapot",
        "ribbons",
        "tight_knot",
        "sphere",
        "ten_cloths",
        "folding",
        "washer",
        "funnel",
        "kick",
    ):
        if not out.wants(name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "bench.json")
            subprocess.run(
                [
                    options.weft,
                    "bench",
                    "lan2024",
                    "--small",
                    "--scene",
                    name,
                    "--seconds",
                    "0.4",
                    "--device",
                    "cpu",
                    "--threads",
                    str(options.threads),
                    "--quiet",
                    "--json",
                    file,
                ],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            rows = json.loads(pathlib.Path(file).read_text())["scenes"]
        descent = next((r["steps_per_second"]["mean"] for r in rows if "descent" in r.get("with", "")), None)
        for r in rows:
            if "missing" in r and "vertices" not in r:
                out.row(r["scene"], r.get("with", "ndb"), r["missing"], *[""] * 10)
                continue
            counts, ms = r.get("counts", {}), r["ms_per_step"]
            contact = counts.get("contact_iterations", {}).get("mean")
            rate = r["steps_per_second"]["mean"]
            whole = sum(ms.values())
            launches = r["launches"]["mean"]
            out.row(
                r["scene"],
                r.get("with", "ndb"),
                r["vertices"],
                f"{rate:.3g}",
                f"{rate / descent:.2f}" if descent else "",
                f"{counts['rounds']['mean']:.2f}" if contact is not None else "",
                f"{contact:.1f}" if contact is not None else "",
                f"{r['collision_steps']['mean']:.1f}",
                f"{100 * (ms.get('proximity search', 0) + ms.get('exit', 0)) / whole:.0f} %",
                f"{1e6 * r['device_megabytes'] / r['vertices']:.0f}",
                f"{launches:.0f}",
                f"{launches / 20:.1f}" if "with" not in r else "",
                f"{r['max_stretch']:.2f}",
            )


if __name__ == "__main__":
    main(
        "Tables of tests/benchmarks/results/ndb.md",
        {f.__name__: f for f in (subspace, barriers, forwarding, changes, base, frictions, table)},
        ROOT / "build/cpu/bin/weft",
    )
