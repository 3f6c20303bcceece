#!/usr/bin/env python3
"""Figures of Wang 2023 that no table of scenes shows, as Markdown on standard output and as CSV:
   tests/benchmarks/wang2023.py [--weft build/cpu/bin/weft] [--threads 1] [--csv FILE] [TABLE ...]
Without names: all tables. Scenes are the small ones of assets/scenes/wang2023. Times are processor times of
whole runs, which take turns where they are compared, or of stages of one run."""
import pathlib, tempfile

from paper_tables import in_turns, main, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = ROOT / "assets/scenes/wang2023"
KNOTS = ("bow_knot_small", "reef_knot_small")


def scene(name):
    return "wang2023/" + name


def compared(options, out, title, ways, names=KNOTS, note=""):
    """Whole runs of scenes with settings, in turns: forward steps and processor time."""
    out.begin(
        title,
        "scene and way",
        "forward steps, mean (most)",
        "longest edge / rest",
        "processor time, s",
        note=note,
    )
    for name in names:
        runs = {}

        def side(label, settings):
            runs[label] = run(options, scene(name), settings)
            return runs[label]

        sides = [lambda l=l, s=s: side(l, s) for l, s in ways]
        for (label, _), seconds in zip(ways, in_turns(options, sides)):
            t = runs[label]
            out.row(
                f"{name}, {label}",
                t.mean_most("collision_steps"),
                f"{max(t.column('max_stretch')):.2f}",
                f"{seconds:.1f}",
            )


def forms(options, out):
    """Figure 5: both alike."""
    ways = [
        (form, {"two_way.form": form, "two_way.normals": "segments"}) for form in ("volume", "gap")
    ]
    compared(options, out, "Figure 5: volumes and gaps, along segments as in the paper", ways)


def visits(options, out):
    """Figure 6: more iterations do not save steps."""
    ways = [("one iteration", {}), ("five", {"two_way.lcp": "gauss_seidel_5"})]
    compared(options, out, "Figure 6: Gauss-Seidel iterations of a backward step", ways)


def jacobi(options, out):
    """Figure 7: Jacobi takes more steps and more time."""
    ways = [(way, {"two_way.lcp": way}) for way in ("gauss_seidel", "jacobi")]
    compared(options, out, "Figure 7: Jacobi", ways)


def ends(options, out):
    """Figure 9: with a smaller threshold less of the way is left, and cloth does not stop early."""
    out.begin(
        "Figure 9: the threshold of a handling, the small needles",
        "threshold",
        "forward steps, mean (most)",
        "part of the way left, most",
        "mean height at the end, m",
        "longest edge / rest",
    )
    for threshold in (0.5, 0.1, 0.01, 0.001, 0.0001, 0.00001):
        t = run(options, scene("needle_small"), {"two_way.threshold": threshold})
        out.row(
            f"{threshold:g}",
            t.mean_most("collision_steps"),
            f"{max(t.column('residual')):.2g}",
            f"{t.last('mean_height'):.4f}",
            f"{max(t.column('max_stretch')):.2f}",
        )


def stepping(options, out):
    """Figure 10: a search for near pairs takes 60 % of one for paths, distances 15 % of their tests."""
    out.begin(
        "Figure 10: bounds of a step without continuous tests, ms a search or test of all pairs",
        "scene",
        "search for near pairs",
        "for paths",
        "bounds by planes",
        "by half of distances",
        "continuous tests",
        note="Wall times of one thread: of two-way contact a forward step, of impact zones a detection.",
    )
    for name in ("sphere_small", "bow_knot_small"):
        near = {
            bound: run(options, scene(name), {"two_way.bound": bound, "step.collision": "two_way"}, 0.6)
            for bound in ("planes", "half_distance")
        }
        paths = run(options, scene(name), {"step.collision": "impact_zones"}, 0.6)
        whole = "contact/two-way/"
        a_step = lambda t, stage: t.stage(whole + stage) * len(t.rows) / max(1, t.total("collision_steps"))
        detections = paths.total("rounds") + len(paths.rows)
        a_detection = lambda stage: paths.stages_named(stage) * len(paths.rows) / detections
        out.row(
            name,
            f"{a_step(near['planes'], 'proximity'):.3f}",
            f"{a_detection('broad phase'):.3f}",
            f"{a_step(near['planes'], 'forward'):.3f}",
            f"{a_step(near['half_distance'], 'forward'):.3f}",
            f"{a_detection('narrow phase'):.3f}",
        )


def turned(folder, angle):
    """The small patch that spins by so many degrees in a step."""
    text = (SCENES / "spin_small.toml").read_text()
    changed = text.replace("spin_rate = 900", f"spin_rate = {20 * angle:g}")
    changed = changed.replace("meshes/", f"{SCENES}/meshes/")
    file = pathlib.Path(folder) / f"spin_{angle}.toml"
    file.write_text(changed)
    assert changed != text
    return file


def spin(options, out):
    """Figures 17 e and 18: cost against the angle; zones do not converge at 125 degrees."""
    out.begin(
        "Figures 17 e and 18: a patch that turns by an angle in a step of 1/20 s above a pyramid",
        "degrees, method",
        "processor time of 0.3 s, s",
        "forward steps or rounds, mean (most)",
        "impacts left",
        "parts of a step, most",
        "longest edge / rest",
    )
    zones = {"step.collision": "impact_zones"}
    ways = (
        ("two-way contact", {}),
        ("impact zones", zones),
        ("inelastic zones in one part", zones
         | {"impact_zones.response": "inelastic", "impact_zones.fallback": "none"}),
    )
    with tempfile.TemporaryDirectory() as folder:
        for angle in (25, 45, 65, 85, 105, 125):
            file = turned(folder, angle)
            for label, settings in ways:
                if not out.wants(f"{angle} {label}"):
                    continue
                t = run(options, file, settings, 0.3)
                by_zones = "rounds" in t.rows[0] and label != "two-way contact"
                out.row(
                    f"{angle}, {label}",
                    f"{t.seconds:.2f}",
                    t.mean_most("rounds" if by_zones else "collision_steps"),
                    t.total("impacts_left") if by_zones else "",
                    f"{max(t.column('parts')):g}" if by_zones else "",
                    f"{max(t.column('max_stretch')):.2f}",
                )


if __name__ == "__main__":
    main(
        "Figures of Wang 2023: tests/benchmarks/results/wang2023.md",
        {f.__name__: f for f in (forms, visits, jacobi, ends, stepping, spin)},
        ROOT / "build/cpu/bin/weft",
    )
