"""The program of an installed package."""

import os
import sys


def main():
    """Becomes the program, with this process's arguments."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weft-program")
    os.execv(program, ["weft", *sys.argv[1:]])
