#!/usr/bin/env python3
"""Height of the layered dress over its density: python3 dress_density.py PROGRAM [-o FILE.csv] [--seconds S] [--density D ...]

Runs wu2020/layered_dress_small with areal densities from 0.001 to 10 kg/m² (Wu et al. 2020 vary the same) on a mannequin that stands
still, and writes heights of the cloth at the end: of its lowest and highest vertex and on average, m.
"""

import argparse
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCENE = os.path.join(HERE, "..", "..", "assets", "scenes", "wu2020", "layered_dress_small.toml")
DENSITIES = [0.001, 0.01, 0.1, 0.276, 1, 10]


def standing(folder):
    """The scene without motion of the body, as a file."""
    with open(SCENE) as file:
        text = file.read()
    here = os.path.dirname(os.path.abspath(SCENE))
    text = "".join(line for line in text.splitlines(True) if not line.startswith(("clips =", "lead_in =")))
    path = os.path.join(folder, "standing.toml")
    with open(path, "w") as file:
        file.write(text.replace('file = "', 'file = "%s/' % here))
    return path


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("program")
    options.add_argument("-o", "--out", default="dress_density.csv")
    options.add_argument("--seconds", type=float, default=3)
    options.add_argument("--density", type=float, nargs="+", default=DENSITIES, help="kg/m²")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, open(chosen.out, "w") as out:
        scene, stats = standing(folder), os.path.join(folder, "stats.json")
        out.write("areal_density_kg_m2,min_height_m,mean_height_m,max_height_m,max_stretch,max_speed_m_s\n")
        for density in chosen.density:
            subprocess.run(
                [
                    chosen.program,
                    scene,
                    "--headless",
                    "--quiet",
                    "--threads",
                    "1",
                    "--seconds",
                    "%g" % chosen.seconds,
                    "--set",
                    "garment.areal_density=%g" % density,
                    "--stats",
                    stats,
                ],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            with open(stats) as file:
                last = json.load(file)["final"]
            out.write(
                "%g,%.4f,%.4f,%.4f,%.3f,%.3f\n"
                % (
                    density,
                    last["min_height"],
                    last["mean_height"],
                    last["max_height"],
                    last["max_stretch"],
                    last["max_speed"],
                )
            )
            out.flush()


if __name__ == "__main__":
    main()
