"""check_pc2.py STEM STATES_FOLDER: reads STEM_GROUP.pc2 and .obj with struct and NumPy and compares them with the states of the same run."""

import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy

from states import read_obj, read_states, same_bits

stem, folder = sys.argv[1:3]
groups, states = read_states(folder)
steps = sorted(states)
compared = 0
for group in groups:
    path = stem + (f"_{group.name}" if len(groups) > 1 else "")
    data = open(path + ".pc2", "rb").read()
    magic, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    assert magic == b"POINTCACHE2\0" and version == 1, (magic, version)
    assert (points, start, rate, samples) == (group.count, steps[0], 1.0, len(steps)), (
        points,
        start,
        rate,
        samples,
    )
    values = numpy.frombuffer(data[32:], "<f4")
    assert values.size == samples * points * 3
    values = values.reshape(samples, points, 3)
    for i, step in enumerate(steps):
        assert same_bits(values[i], states[step][group.first:group.first + group.count]), (group.name, step)
    compared += values.size
    rest_groups, rest = read_obj(path + ".obj")
    assert len(rest_groups) == 1 and rest_groups[0].triangles == group.triangles
    assert same_bits(rest, values[0])
print(f"{compared} numbers of {len(steps)} frames in {len(groups)} caches are equal, bit for bit")
