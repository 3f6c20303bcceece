#!/usr/bin/env python3
"""Dresses the mannequin for the garment scenes of the papers: python3 dress_garments.py [PROGRAM]

Writes PAPER/meshes/NAME.obj from ../garments with `weft dress`. PROGRAM: the program, by default weft.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# scene's folder, mesh, pattern, edge length (mm)
GARMENTS = [
    ("wu2020", "shirt_small", "tshirt", 18),
    ("wu2020", "dress_small", "dress", 21),
    ("wu2020", "layered_dress_small", "layered_dress", 28),
    ("lan2024", "skirt_worn", "gathered_skirt", 21),
]


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "weft"
    for folder, name, pattern, edge in GARMENTS:
        out = os.path.join(HERE, folder, "meshes", name + ".obj")
        subprocess.run([program, "dress", os.path.join(HERE, "..", "garments", pattern + ".json"), "--edge", "%dmm" % edge, "--body-edge", "0.02", "-o", out], check=True)


if __name__ == "__main__":
    main()
