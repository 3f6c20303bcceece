#!/usr/bin/env python3
"""Makes the outline of the cape, which weft fills: python3 make_meshes.py && weft remesh meshes/cape_outline.obj --edge 19mm -o meshes/cape.obj"""

import math
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "meshes")


def rings(name, radii, spacing=0.01):
    """Circles in z = 0 as closed lines, the outer one first."""
    with open(os.path.join(FOLDER, name), "w") as out:
        out.write("# made by make_meshes.py\n")
        first = 1
        for radius in radii:
            count = round(2 * math.pi * radius / spacing)
            for k in range(count):
                angle = 2 * math.pi * k / count
                out.write("v %.5f %.5f 0\n" % (radius * math.cos(angle), radius * math.sin(angle)))
            out.write("l " + " ".join(str(first + k % count) for k in range(count + 1)) + "\n")
            first += count


if __name__ == "__main__":
    rings("cape_outline.obj", [0.47, 0.10])
