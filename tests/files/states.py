"""What `weft --states` wrote, read with NumPy alone: the truth that exported files are held against."""
import glob
import os
import re

import numpy


class Group:
    def __init__(self, name):
        self.name, self.first, self.count, self.triangles = name, None, 0, []


def read_obj(path):
    """Groups of an OBJ with their vertices' range and triangles (indices within the group), and all positions."""
    groups, positions = [], []
    for line in open(path):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "g":
            groups.append(Group(words[1]))
            groups[-1].first = len(positions)
        elif words[0] == "v":
            positions.append([float(w) for w in words[1:4]])
            groups[-1].count += 1
        elif words[0] == "f":
            groups[-1].triangles.append([int(w.split("/")[0]) - 1 - groups[-1].first for w in words[1:]])
    return groups, numpy.array(positions, numpy.float64).astype(numpy.float32)


def read_lines(path):
    """{group: its lines (indices within the group)} of an OBJ, for groups that have some."""
    lines, name, points, first = {}, None, 0, 0
    for line in open(path):
        words = line.split()
        if words and words[0] == "g":
            name, first = words[1], points
        elif words and words[0] == "v":
            points += 1
        elif words and words[0] == "l":
            lines.setdefault(name, []).append([int(w) - 1 - first for w in words[1:]])
    return lines


def read_states(folder):
    """(groups, {step: float32 positions})."""
    groups, _ = read_obj(os.path.join(folder, "mesh.obj"))
    states = {
        int(re.search(r"step_(\d+)\.npy$", f).group(1)): numpy.load(f)
        for f in glob.glob(os.path.join(folder, "step_*.npy"))
    }
    assert states, "no states in " + folder
    return groups, dict(sorted(states.items()))


def same_bits(a, b):
    """Equal as float32, bit for bit: minus zero is not zero."""
    a, b = numpy.ascontiguousarray(a), numpy.ascontiguousarray(b)
    assert a.dtype == b.dtype == numpy.float32, (a.dtype, b.dtype)
    return a.shape == b.shape and numpy.array_equal(a.view(numpy.uint32), b.view(numpy.uint32))
