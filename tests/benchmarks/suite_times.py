#!/usr/bin/env python3
"""Times of the tests that ./test.sh ran, slowest first, as CSV.

Columns: seconds of wall time, suite ("default" or "full"), result, name.

    tests/benchmarks/suite_times.py build/test/times/*.xml > tests/benchmarks/results/suite.csv
"""
import csv
import sys
import xml.etree.ElementTree as xml


def label(case):
    """The test's suite, from the property that ctest writes."""
    labels = [p.get("value", "") for p in case.iter("property") if p.get("name") == "cmake_labels"]
    return "full" if "full" in ";".join(labels).split(";") else "default"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rows = {}
    for path in sys.argv[1:]:
        for case in xml.parse(path).getroot().iter("testcase"):
            rows[case.get("name")] = (float(case.get("time", 0)), label(case), case.get("status"))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["seconds", "suite", "result", "test"])
    for name, (seconds, suite, result) in sorted(rows.items(), key=lambda row: (-row[1][0], row[0])):
        out.writerow([f"{seconds:.2f}", suite, result, name])


if __name__ == "__main__":
    main()
