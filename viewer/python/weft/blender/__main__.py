"""python -m weft.blender FILE.zip: the add-on as a file for Blender's Install from Disk."""

import os
import sys
import zipfile

FOLDER = os.path.dirname(os.path.abspath(__file__))


def write_zip(path):
    """Writes the add-on as the folder weft_blender of a zip, the same bytes for the same files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(os.listdir(FOLDER)):
            if name.endswith(".py") and name != "__main__.py":
                entry = zipfile.ZipInfo("weft_blender/" + name, (2020, 1, 1, 0, 0, 0))
                entry.external_attr = 0o644 << 16
                with open(os.path.join(FOLDER, name), "rb") as file:
                    archive.writestr(entry, file.read(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: python -m weft.blender FILE.zip")
    write_zip(sys.argv[1])
