"""The scenes of scenes.toml, and the files that Weft and the adapters read."""

import dataclasses
import json
import pathlib
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FRAME = 1 / 60  # s; every run has states at its multiples
INSTANT = 15  # frames between two instants at which states are compared


@dataclasses.dataclass
class Scene:
    """One scene in one size. `tables` is its file as Weft reads it."""

    name: str
    title: str
    group: str
    seconds: float
    reference: str  # contact of the reference
    contact: str  # contact of the scene's file
    solver: str  # and its solver
    tables: dict

    @property
    def frames(self):
        return round(self.seconds / FRAME)

    @property
    def instants(self):
        """Frames at which states are compared."""
        return list(range(INSTANT, self.frames + 1, INSTANT))

    @property
    def text(self):
        return to_toml(self.tables)


def value_text(value):
    """A TOML value on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_text(k)} = {value_text(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def key_text(key):
    return key if key.replace("_", "").replace("-", "").isalnum() else json.dumps(key)


def to_toml(tables):
    """A scene as TOML; tables stand on one line each."""
    return "".join(f"{key_text(k)} = {value_text(v)}\n" for k, v in tables.items())


def absolute(value, folder):
    """The same tables with paths of files that are there made absolute."""
    if isinstance(value, dict):
        return {k: absolute(v, folder) for k, v in value.items()}
    if isinstance(value, list):
        return [absolute(v, folder) for v in value]
    if isinstance(value, str) and "." in value and (folder / value).is_file():
        return str((folder / value).resolve())
    return value


def sized(tables, size, square):
    """Cloths with the vertices of a size, garments with its edge."""
    for cloth in tables.get("cloth", []):
        if "file" not in cloth and "vertices" in size:
            cloth.pop("edge", None)
            cloth["vertices"] = size["vertices"]
            if square:
                cloth["pattern"] = "square"
    for garment in tables.get("garment", []):
        if "edge" in size:
            garment["edge"] = size["edge"]
    return tables


def scene_of(entry, size):
    """The scene of one table of scenes.toml; `size` is "small" or "full"."""
    path = (
        pathlib.Path(entry["path"]) if "path" in entry else ROOT / "assets/scenes" / (entry["file"] + ".toml")
    )
    tables = absolute(tomllib.loads(path.read_text()), path.parent)
    tables = sized(tables, entry[size], entry.get("square", False))
    step = tables.setdefault("step", {})
    contact, solver = step.get("collision", "bodies"), step.get("solver", "newton")
    step["dt"] = FRAME
    forces = tables.setdefault("forces", {})
    if not entry.get("wind", False):
        forces["lift"] = 0
        forces["drag"] = 0
    for key, value in entry.get("set", {}).items():
        table, name = key.split(".")
        tables.setdefault(table, {})[name] = value
    tables.pop("end", None)
    tables["duration"] = entry[size]["seconds"]
    return Scene(
        name=entry["name"],
        title=tables["title"],
        group=entry["group"],
        seconds=entry[size]["seconds"],
        reference=entry["reference"],
        contact=contact,
        solver=solver,
        tables=tables,
    )


def read_scenes(size, path=HERE / "scenes.toml", names=None):
    """Scenes of a size, in the order of the file; `names` chooses some."""
    entries = tomllib.loads(pathlib.Path(path).read_text())["scene"]
    unknown = set(names or []) - {e["name"] for e in entries}
    if unknown:
        raise SystemExit(
            f"unknown scene {', '.join(sorted(unknown))}: use {', '.join(e['name'] for e in entries)}"
        )
    return [scene_of(e, size) for e in entries if not names or e["name"] in names]
