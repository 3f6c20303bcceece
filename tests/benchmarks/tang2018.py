#!/usr/bin/env python3
"""Tables of tests/benchmarks/results/tang2018.md, as Markdown on standard output and as CSV:
   tests/benchmarks/tang2018.py [--weft build/cpu/bin/weft] [--threads 1] [--csv FILE] [TABLE ...]
Without names: all tables. Times are process times, and of runs that take turns where they are compared."""
import pathlib

from paper_tables import in_turns, main, mean_distance, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
ZONES, TWO_WAY = {"step.collision": "impact_zones"}, {"step.collision": "two_way"}
SCENES = (
    "funnel_small",
    "twisting_small",
    "sphere_small",
    "scarf_small",
    "skirt_small",
    "cone_small",
    "dress_small",
)


def scene(name):
    return "tang2018/" + name


def zones(options, name, seconds=None, **more):
    """A run with impact zones; terms=False is impact_zones.terms = false."""
    text = {f"impact_zones.{k}": str(v).lower() for k, v in more.items() if k != "dt"}
    return run(
        options, scene(name), ZONES | ({"step.dt": more["dt"]} if "dt" in more else {}) | text, seconds
    )


def share(run, name):
    solves = run.total("zone_solves")
    return f"{100 * run.total(name) / solves:.1f} %" if solves else ""


def per(of, count):
    return f"{of / count:.2f}" if count else ""


def ablation(options, out):
    """Figure 13: 1065, 62 and 0 impacts."""
    out.begin(
        "Figure 13: the small sphere without terms and zones, with terms, with both",
        "with",
        "impacts left, all steps",
        "most in a step",
        "steps with impacts left",
        "rounds, mean (most)",
        "points held back",
        "longest edge / rest",
    )
    ways = (
        ("neither", {"terms": False, "rounds": 0, "fallback": "none"}),
        ("terms", {"rounds": 0, "fallback": "none"}),
        ("zones", {"terms": False, "fallback": "none"}),
        ("both", {"fallback": "none"}),
        ("both, and the fallback", {}),
    )
    for label, settings in ways:
        t = zones(options, "sphere_small", **settings)
        left = t.column("impacts_left")
        out.row(
            label,
            int(sum(left)),
            int(max(left)),
            sum(n > 0 for n in left),
            t.mean_most("rounds"),
            t.total("held_back"),
            f"{max(t.column('max_stretch')):.2f}",
        )


def rounds(options, out):
    """Section 4.4: most frames in a few iterations, nearly all within 10 with small steps."""
    out.begin(
        "Rounds and zones, per step",
        "scene",
        "rounds, mean (most)",
        "impacts, mean (most)",
        "parts, mean (most)",
        "points held back, all steps",
        "zones solved for",
        "solved in 10 iterations",
        "in 34",
        "in 100",
        "longest edge / rest",
        note="With two_way in their files: scarf and dress; here all have impact zones.",
    )
    for name in SCENES:
        if not out.wants(name):
            continue
        t = zones(options, name)
        out.row(
            name,
            t.mean_most("rounds"),
            t.mean_most("impacts"),
            t.mean_most("parts"),
            t.total("held_back"),
            t.total("zone_solves"),
            share(t, "zone_solves_in_10"),
            share(t, "zone_solves_in_34"),
            share(t, "zone_solves_in_100"),
            f"{max(t.column('max_stretch')):.2f}",
        )


def harmon(options, out):
    """Figure 10: 34 iterations against 174 in one frame."""
    out.begin(
        "Zone solvers on the small funnel, at most 1,000 iterations",
        "response",
        "iterations of a round's longest zone, mean",
        "most",
        "solved in 34 iterations",
        "in 100",
        "rounds, mean (most)",
        "impacts left, all steps",
        "parts, mean (most)",
        "points held back",
        "longest edge / rest",
    )
    ways = (("distance, multipliers", {}), ("distance, gradient (the paper's)", {"solver": "gradient"}),
            ("inelastic (Harmon 2008)", {"response": "inelastic"}))
    for label, settings in ways:
        t = zones(options, "funnel_small", iterations=1000, **settings)
        out.row(
            label,
            per(t.total("zone_iterations"), t.total("rounds")),
            int(max(t.column("most_zone_iterations"))),
            share(t, "zone_solves_in_34"),
            share(t, "zone_solves_in_100"),
            t.mean_most("rounds"),
            t.total("impacts_left"),
            t.mean_most("parts"),
            t.total("held_back"),
            f"{max(t.column('max_stretch')):.2f}",
        )


def skirt(options, out):
    """Figure 7: 1/50 s in 57 rounds, 1002 impacts left at 1/20 s."""
    out.begin(
        "Figure 7: the small skirt in longer steps",
        "dt, s",
        "rounds, mean (most)",
        "impacts, mean (most)",
        "parts, mean (most)",
        "impacts left",
        "points held back",
        "longest edge / rest",
        "without fallback: rounds",
        "impacts left, all steps (most)",
    )
    for steps in (20, 30, 40, 50, 100, 200):
        if not out.wants(f"1/{steps}"):
            continue
        t = zones(options, "skirt_small", dt=1 / steps)
        # A run that never needs the fallback is the same without it.
        needed = t.total("held_back") or max(t.column("parts")) > 1
        paper = zones(options, "skirt_small", dt=1 / steps, fallback="none") if needed else t
        left = paper.column("impacts_left")
        out.row(
            f"1/{steps}",
            t.mean_most("rounds"),
            t.mean_most("impacts"),
            t.mean_most("parts"),
            t.total("impacts_left"),
            t.total("held_back"),
            f"{max(t.column('max_stretch')):.2f}",
            paper.mean_most("rounds"),
            f"{int(sum(left))} ({int(max(left))})",
        )


def cone(options, out):
    """Figure 19 of Wang 2023: impact zones overstretch above 1/125 s."""
    out.begin(
        "Wang 2023, figure 19: the small cone",
        "dt, s",
        "longest edge / rest, impact zones: any step",
        "at the end",
        "two_way: any step",
        "at the end",
        "mean distance of vertices to two_way, mm",
        "rounds, mean (most)",
        "points held back",
    )
    for steps in (10, 20, 40, 60, 100, 125, 200, 500, 1000):
        if not out.wants(f"1/{steps}"):
            continue
        dt = {"step.dt": 1 / steps}
        ours = run(options, scene("cone_small"), ZONES | dt, states=True)
        other = run(options, scene("cone_small"), TWO_WAY | dt, states=True)
        out.row(
            f"1/{steps}",
            f"{max(ours.column('max_stretch')):.2f}",
            f"{ours.last('max_stretch'):.2f}",
            f"{max(other.column('max_stretch')):.2f}",
            f"{other.last('max_stretch'):.2f}",
            f"{1e3 * mean_distance(ours, other):.2f}",
            ours.mean_most("rounds"),
            ours.total("held_back"),
        )


def steps(options, out):
    """Figure 11: 1.76 and 2.73 times as fast with steps of twice and four times the length."""
    out.begin(
        "Figure 11: longer steps, process time per simulated second",
        "scene",
        "dt, s",
        "doubled: times as fast",
        "quadrupled",
    )
    for name, base in (("skirt_small", 200), ("sphere_small", 200), ("funnel_small", 200)):
        if not out.wants(name):
            continue
        sides = [lambda f=f: zones(options, name, dt=f / base) for f in (1, 2, 4)]
        one, two, four = in_turns(options, sides)
        out.row(name, f"1/{base}", f"{one / two:.2f}", f"{one / four:.2f}")


def speed(options, out):
    """At most 2 is asked of the default scene and the small sphere."""
    out.begin("Process time beside two_way, in turns", "scene", "solver", "impact zones over two_way")
    for name, solver in (
        ("default", "descent"),
        ("tang2018/sphere_small", "newton"),
        ("tang2018/funnel_small", "newton"),
        ("tang2018/skirt_small", "newton"),
        ("tang2018/twisting_small", "newton"),
        ("tang2018/cone_small", "newton"),
    ):
        if not out.wants(name):
            continue
        sides = [
            lambda m=m: run(options, name, m | {"step.solver": solver}, table=False) for m in (ZONES, TWO_WAY)
        ]
        ours, other = in_turns(options, sides)
        out.row(name, solver, f"{ours / other:.2f}")


PRESET = ["--preset", "tang2018"]


def iterations(options, out):
    """Figures 5 and 6: time is in proportion to rounds; nearly all zones end within a few iterations."""
    out.begin(
        "Figures 5 and 6: rounds and their time, iterations of zones, with the paper's settings",
        "scene, 1/dt",
        "steps without a round, with 1, 2 to 4, 5 to 10, more",
        "ms of detection and zones in such steps",
        "correlation of rounds and ms",
        "zones solved for",
        "in 10 iterations",
        "in 34",
        "in 100",
        "impacts left",
    )
    for name, rate in (("kung_fu_small", 200), ("funnel_small", 100), ("swing_small", 100)):
        if not out.wants(name):
            continue
        t = run(options, scene(name), {"step.dt": 1 / rate}, more=PRESET)
        stage = next(c for c in t.rows[0] if c.endswith("/impact zones_ms"))
        counts, ms = t.column("rounds"), t.column(stage)
        groups = [[m for n, m in zip(counts, ms) if low <= n <= high]
                  for low, high in ((0, 0), (1, 1), (2, 4), (5, 10), (11, 1e9))]
        out.row(
            f"{name}, {rate}",
            ", ".join(str(len(g)) for g in groups),
            ", ".join(f"{sum(g) / len(g):.1f}" if g else "-" for g in groups),
            f"{correlation(counts, ms):.2f}",
            t.total("zone_solves"),
            share(t, "zone_solves_in_10"),
            share(t, "zone_solves_in_34"),
            share(t, "zone_solves_in_100"),
            t.total("impacts_left"),
        )


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    of_a, of_b = sum((x - mean_a) ** 2 for x in a), sum((y - mean_b) ** 2 for y in b)
    return both / (of_a * of_b) ** 0.5 if of_a * of_b > 0 else 0.0


def incremental(options, out):
    """Figure 9: 3.68 times fewer box tests in a frame of four rounds. Here: time of steps with rounds."""
    out.begin(
        "Figure 9: detection of what has moved, and of all, ms a step with rounds",
        "scene and search",
        "steps with rounds",
        "rounds in them, mean (most)",
        "incremental: broad phase, narrow phase",
        "full",
        "times less",
        note="Both give the same states.",
    )
    for name, seconds in (("kung_fu_small", 3.0), ("funnel_small", None)):
        for search in ("hash", "forest"):
            if not out.wants(f"{name} {search}"):
                continue
            ways = [
                run(
                    options,
                    scene(name),
                    {"impact_zones.incremental": way, "impact_zones.search": search},
                    seconds,
                    more=PRESET,
                )
                for way in ("true", "false")
            ]
            some, full = (in_rounds(t) for t in ways)
            counts = [n for n in ways[0].column("rounds") if n > 0]
            out.row(
                f"{name}, {search}",
                len(counts),
                f"{sum(counts) / max(1, len(counts)):.2f} ({max(counts, default=0):g})",
                f"{some[0]:.2f}, {some[1]:.2f}",
                f"{full[0]:.2f}, {full[1]:.2f}",
                f"{sum(full) / sum(some):.2f}",
            )


def in_rounds(t):
    """ms of broad and of narrow phase in a step with rounds."""
    means = []
    for phase in ("broad phase_ms", "narrow phase_ms"):
        stage = next(c for c in t.rows[0] if c.endswith("/impact zones/" + phase))
        ms = [m for n, m in zip(t.column("rounds"), t.column(stage)) if n > 0]
        means.append(sum(ms) / max(1, len(ms)))
    return means


def stages(options, out):
    """Figure 12 (Andy): time integration, broad phase, narrow phase, penetration handling."""
    out.begin(
        "Figure 12: shares of a step's time",
        "scene",
        "time integration",
        "of it terms",
        "broad phase",
        "narrow phase",
        "zones",
        "not in rounds or the solver",
    )
    for name in ("sphere_small", "funnel_small", "twisting_small", "skirt_small", "cone_small"):
        if not out.wants(name):
            continue
        t = zones(options, name)
        all_ms, inside = t.mean("wall_ms"), "contact/impact zones"
        whole, broad, narrow = (
            t.stage(inside),
            t.stage(inside + "/broad phase"),
            t.stage(inside + "/narrow phase"),
        )
        before, solve = t.stage("contact") - whole, t.stage("solve")
        cells = (
            before + solve,
            before + t.stage("solve/contact"),
            broad,
            narrow,
            whole - broad - narrow,
            all_ms - before - solve - whole,
        )
        out.row(name, *(f"{100 * ms / all_ms:.1f} %" for ms in cells))


if __name__ == "__main__":
    main(
        "Tables of tests/benchmarks/results/tang2018.md",
        {
            f.__name__: f
            for f in (
                ablation,
                rounds,
                harmon,
                iterations,
                incremental,
                skirt,
                cone,
                steps,
                speed,
                stages,
            )
        },
        ROOT / "build/cpu/bin/weft",
    )
