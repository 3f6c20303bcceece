#!/usr/bin/env python3
"""Pictures for the window's list: one PNG of 144 x 96 pixels for each scene and garment of `weft list`,
drawn by Weft itself some time into the scene. A large scene takes the picture of its small one.

make.py WEFT [NAME...]   WEFT: the program; NAME: only these. Those that are there already are left out."""

import json
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
# into the scene; else 0.4
SECONDS = {
    "default": 0.7,
    "flag_wind": 2.5,
    "strip_cantilever": 1.0,
    "lan2024/ship_small": 0.8,
    "lan2024/funnel_ball_small": 0.3,
}


def picture(item):
    """Where the picture of an item is stored."""
    scene = item["path"].endswith(".toml")
    name = item["name"] if scene else "garments/" + item["name"].removesuffix(".json")
    return FOLDER / (name.removesuffix("_small") + ".png")


def simulated(item, items):
    """The scene that is run for it: the small one, where there are two."""
    small = item["name"] + "_small"
    return small if any(other["name"] == small for other in items) else item["name"]


def make(weft, name, path):
    with tempfile.TemporaryDirectory() as folder:
        run = [weft, name, "--headless", "--seconds", str(SECONDS.get(name, 0.4)), "--record", folder + "/",
               "--size", "576x384", "--fps", "5", "--set", "view.quality=high", "--set", "view.legend=false",
               "--quiet"]
        try:
            subprocess.run(run, timeout=900, check=True, stdout=subprocess.DEVNULL)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as fault:
            print(f"{name}: not to its end: {fault}", file=sys.stderr)
        frames = sorted(pathlib.Path(folder).glob("*.png"))
        if not frames:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", str(frames[-1]), "-vf",
                        "scale=144:96:flags=area", str(path)], check=True)


def main():
    weft, wanted = sys.argv[1], sys.argv[2:]
    items = json.loads(subprocess.run([weft, "list", "--json"], check=True, capture_output=True).stdout)
    for item in items:
        path = picture(item)
        if (wanted and item["name"] not in wanted) or (not wanted and path.exists()):
            continue
        make(weft, simulated(item, items), path)


main()
