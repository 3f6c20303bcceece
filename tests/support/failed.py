"""Prints the last lines of each test that failed, from ctest's JUnit file: failed.py FILE"""
import sys
import xml.etree.ElementTree as xml

LINES = 40

for test in xml.parse(sys.argv[1]).getroot().iter("testcase"):
    if test.get("status") != "fail":
        continue
    text = test.findtext("system-out") or ""
    print(f"== failed: {test.get('name')}")
    for line in text.splitlines()[-LINES:]:
        print("   " + line[:400])
