"""Table, and where matplotlib is there a plot, of `weft bench --json` files: plot_scaling.py OUT.png BENCH.json..."""

import json
import os
import sys


def rows(files):
    found = []
    for name in files:
        if not os.path.exists(name):
            continue
        with open(name) as file:
            bench = json.load(file)
        found += [dict(row, device=bench["device"]) for row in bench["rows"] if row["scene"] == "hanging"]
    return sorted(found, key=lambda r: (r["stretch_model"], r["vertices"]))


def plot(picture, found):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 4.5), dpi=120)
    for model in sorted({r["stretch_model"] for r in found}):
        own = [r for r in found if r["stretch_model"] == model]
        axes.loglog(
            [r["vertices"] for r in own],
            [r["steps_per_second"]["median"] for r in own],
            marker="o",
            label=model.replace("_", " "),
        )
    axes.set_xlabel("vertices")
    axes.set_ylabel("steps per second")
    axes.set_title(found[0]["device"])
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(picture)


def main():
    picture, found = sys.argv[1], rows(sys.argv[2:])
    if not found:
        sys.exit("no measurement was finished")
    print(
        "| vertices | stretch model | steps/s | slowest to fastest run | ms per step | launches per step | device memory, MB | worst stretch |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for r in found:
        rate = r["steps_per_second"]
        print(
            f"| {r['vertices']} | {r['stretch_model']} | {rate['median']:.1f} | {rate['slowest_run']:.1f} to {rate['fastest_run']:.1f} "
            f"| {r['ms_per_step']:.3f} | {r['launches_per_step']} | {r['device_megabytes']:.0f} | {r['max_stretch']:.3f} |"
        )
    try:
        plot(picture, found)
    except ImportError:
        print("\nThere is no matplotlib here, hence no plot.")


main()
