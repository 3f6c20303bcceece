"""What is simulated of a Blender scene, as arrays, and the weft.Scene that they make.

Blender's z axis is weft's y axis: (x, y, z) becomes (x, z, -y). Lengths are multiplied with the scene's
unit scale, so that weft has metres.
"""

import dataclasses
import re

import numpy as np

MODIFIER = "Weft"  # name of the modifier that plays the cache; those before it make the cloth
PINNED_ABOVE = 0.5  # weight


class Refusal(Exception):
    """A choice that cannot be simulated, in words for the user. Nothing was changed."""


@dataclasses.dataclass(eq=False)
class Pins:
    """Pinned vertices of one group."""

    vertices: np.ndarray  # (k,), numbers within the cloth
    follows: str | None = None  # name of the object whose motion they take; None: their own mesh's


@dataclasses.dataclass(eq=False)
class Piece:
    """A mesh over all frames."""

    object_name: str  # Blender's
    name: str  # weft's
    triangles: np.ndarray  # (m, 3)
    frames: np.ndarray  # (f, n, 3) float32, m, y up, world
    matrices: np.ndarray  # (f, 4, 4), Blender's, of the object
    fabric: str = "cotton"
    friction: float | None = None
    pins: list = dataclasses.field(default_factory=list)
    maps: dict = dataclasses.field(default_factory=dict)  # parameter: ((n,) float32, from, to)
    textures: np.ndarray | None = None  # (m, 3, 2) float32, of the corners of triangles

    def still(self):
        """True for a mesh that is the same in all frames."""
        return bool((self.frames == self.frames[0]).all())


@dataclasses.dataclass
class Setup:
    """All that a run needs from Blender."""

    cloths: list
    bodies: list
    first: int  # Blender's frame of frames[0]
    last: int
    fps: float
    steps: int  # time steps in a frame
    unit: float  # m of Blender's unit
    gravity: tuple  # m/s^2, y up
    device: str = "auto"
    followed: dict = dataclasses.field(default_factory=dict)  # object name: (f, 4, 4), Blender's


def to_weft(points, unit):
    """(n, 3) in Blender's units and axes: float32, m, y up."""
    points = np.asarray(points, dtype=np.float64) * unit
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1).astype(np.float32)


def to_object(points, matrix, unit):
    """(n, 3) m, y up, world: float32 in the axes of a Blender object with this matrix."""
    points = np.asarray(points, dtype=np.float64) / unit
    world = np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)
    inverse = np.linalg.inv(matrix)
    return (world @ inverse[:3, :3].T + inverse[:3, 3]).astype(np.float32)


def rotation_to_weft(rotation):
    """A (3, 3) rotation in Blender's axes as one of weft's."""
    turn = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], dtype=np.float64)
    return turn @ rotation @ turn.T


def chosen(view_layer):
    """Cloth and collider objects. Raises Refusal for choices that cannot be."""
    cloths = [o for o in view_layer.objects if o.weft.cloth]
    bodies = [o for o in view_layer.objects if o.weft.collider]
    if not cloths:
        raise Refusal("no object is a cloth: select a mesh and tick Cloth")
    for one in cloths + bodies:
        if one in cloths and one in bodies:
            raise Refusal(f"'{one.name}' is cloth and collider at once: cloth keeps out of itself as cloth "
                          "alone, so clear one of the two")
        if one.type != "MESH":
            raise Refusal(f"'{one.name}' is no mesh: convert it (Object > Convert > Mesh)")
        if not one.visible_get(view_layer=view_layer):  # Blender does not evaluate its modifiers
            raise Refusal(f"'{one.name}' is hidden: show it, or clear Cloth and Collider")
        if one.mode == "EDIT":
            raise Refusal(f"'{one.name}' is being edited: leave edit mode (Tab)")
    for cloth in cloths:
        check_cloth(cloth)
    return cloths, bodies


def check_cloth(cloth):
    """Raises Refusal for maps, pin groups and modifiers of a cloth that cannot be."""
    painted = [m.parameter for m in cloth.weft.maps]
    for parameter in painted:
        if painted.count(parameter) > 1:
            raise Refusal(f"'{cloth.name}' has two maps of {parameter.replace('_', ' ')}: remove one")
    for pin in cloth.weft.pins:
        if pin.group not in cloth.vertex_groups:
            raise Refusal(f"'{cloth.name}' has no vertex group '{pin.group}': choose one of "
                          "its groups, or remove the pin")
        if pin.follows == cloth:
            raise Refusal(f"pins of '{cloth.name}' follow the cloth itself: choose another object, or none")
    for modifier in input_modifiers(cloth):
        if modifier.type in ("SUBSURF", "MULTIRES") and (modifier.show_viewport or modifier.show_render):
            if modifier.levels != modifier.render_levels or modifier.show_viewport != modifier.show_render:
                raise Refusal(f"modifier '{modifier.name}' of '{cloth.name}' makes other vertices for "
                              "renders than for the viewport: make its levels equal, or apply it")


def input_modifiers(cloth):
    """Modifiers that make the cloth: those before the modifier that plays the cache."""
    names = [m.name for m in cloth.modifiers]
    end = names.index(MODIFIER) if MODIFIER in names else len(names)
    return list(cloth.modifiers)[:end]


class WithoutCache:
    """While it is entered, cloths are shown as their input modifiers make them."""

    def __init__(self, cloths):
        self.hidden = []
        for cloth in cloths:
            later = list(cloth.modifiers)[len(input_modifiers(cloth)):]
            self.hidden += [(m, m.show_viewport) for m in later if m.show_viewport]

    def __enter__(self):
        for modifier, _ in self.hidden:
            modifier.show_viewport = False

    def __exit__(self, *args):
        for modifier, shown in self.hidden:
            modifier.show_viewport = shown


class Sampler:
    """Collects one object's mesh at frame after frame."""

    def __init__(self, one, kind, unit):
        self.one, self.kind, self.unit = one, kind, unit
        self.frames, self.matrices, self.triangles, self.weights = [], [], None, {}
        self.maps, self.textures = {}, None

    def sample(self, depsgraph, frame):
        """Adds the present frame. Raises Refusal."""
        one = self.one
        evaluated = one.evaluated_get(depsgraph)
        matrix = np.array(evaluated.matrix_world, dtype=np.float64)
        if np.linalg.det(matrix[:3, :3]) <= 0:
            raise Refusal(f"'{one.name}' has a negative or zero scale in frame {frame}: "
                          "apply it (Object > Apply > Scale) and recalculate its normals")
        mesh = evaluated.to_mesh()
        try:
            points = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
            mesh.vertices.foreach_get("co", points)
            points = points.reshape(-1, 3).astype(np.float64)
            if self.triangles is None:
                self.begin(mesh)
            elif len(points) != self.frames[0].shape[0]:
                raise Refusal(f"'{one.name}' has {self.frames[0].shape[0]} vertices in its first frame and "
                              f"{len(points)} in frame {frame}: remove or apply the modifier that changes "
                              "their number")
        finally:
            evaluated.to_mesh_clear()
        self.frames.append(to_weft(points @ matrix[:3, :3].T + matrix[:3, 3], self.unit))
        self.matrices.append(matrix)

    def begin(self, mesh):
        """Reads what stays the same in all frames."""
        one = self.one
        mesh.calc_loop_triangles()
        triangles = np.empty(len(mesh.loop_triangles) * 3, dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        self.triangles = triangles.reshape(-1, 3)
        if not len(self.triangles):
            raise Refusal(f"'{one.name}' has no faces: a {self.kind} is made of faces")
        loose = len(mesh.vertices) - len(np.unique(self.triangles))
        if loose and self.kind == "cloth":
            raise Refusal(f"'{one.name}' has {loose} vertices that belong to no face: remove them "
                          "(Mesh > Clean Up > Delete Loose)")
        groups = {one.vertex_groups[pin.group].index for pin in one.weft.pins} if self.kind == "cloth" else ()
        self.weights = {g: [] for g in groups}
        for vertex in mesh.vertices if groups else ():
            for element in vertex.groups:
                if element.group in groups and element.weight > PINNED_ABOVE:
                    self.weights[element.group].append(vertex.index)
        if self.kind == "cloth":
            self.maps = {m.parameter: (painted(one, mesh, m.source), m.start, m.end) for m in one.weft.maps}
            self.textures = textures(mesh)

    def piece(self, name):
        """What was sampled. Raises Refusal for a pin group without vertices."""
        settings = self.one.weft
        friction = settings.friction if settings.use_friction else None
        piece = Piece(self.one.name, name, self.triangles, np.stack(self.frames), np.stack(self.matrices),
                      settings.fabric, friction, maps=self.maps, textures=self.textures)
        if self.kind == "collider":
            used = np.unique(self.triangles)
            piece.triangles = np.searchsorted(used, self.triangles).astype(np.int32)
            piece.frames = np.ascontiguousarray(piece.frames[:, used])
            return piece
        taken = set()
        for pin in settings.pins:
            group = self.weights[self.one.vertex_groups[pin.group].index]
            if not group:
                raise Refusal(f"no vertex of '{self.one.name}' has a weight above {PINNED_ABOVE} in the "
                              f"group '{pin.group}': assign some, or remove the pin")
            free = np.array([v for v in group if v not in taken], dtype=np.int32)
            piece.pins.append(Pins(free, pin.follows.name if pin.follows else None))
            taken.update(group)
        return piece


def painted(one, mesh, source):
    """(n,) float32: the weights of a vertex group, or what is painted in a colour attribute (its luminance).

    Vertices outside of the group have 0. Values at corners of faces are averaged. Raises Refusal.
    """
    count = len(mesh.vertices)
    values = np.zeros(count, dtype=np.float32)
    if source in one.vertex_groups:
        group = one.vertex_groups[source].index
        for vertex in mesh.vertices:
            for element in vertex.groups:
                if element.group == group:
                    values[vertex.index] = element.weight
        return values
    attribute = mesh.attributes.get(source) if source else None
    colors = attribute is not None and attribute.data_type in ("FLOAT_COLOR", "BYTE_COLOR")
    known = attribute is not None and (colors or attribute.data_type == "FLOAT")
    if not known or attribute.domain not in ("POINT", "CORNER"):
        names = [g.name for g in one.vertex_groups] + [a.name for a in mesh.color_attributes]
        raise Refusal(f"'{one.name}' has no vertex group or colour attribute '{source}' for its map: "
                      + (f"choose one of {', '.join(names)}" if names else "paint one, or remove the map"))
    read = np.empty(len(attribute.data) * (4 if colors else 1), dtype=np.float32)
    attribute.data.foreach_get("color" if colors else "value", read)
    if colors:
        read = read.reshape(-1, 4)[:, :3] @ np.float32([0.2126, 0.7152, 0.0722])
    if attribute.domain == "POINT":
        return read
    corners = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    number = np.bincount(corners, minlength=count)
    return (np.bincount(corners, weights=read, minlength=count) / np.maximum(number, 1)).astype(np.float32)


def uv_of_corners(mesh):
    """(c, 2) float32 of the active UV map at the corners of faces, or None."""
    if mesh.uv_layers.active is None:
        return None
    uv = np.empty(len(mesh.loops) * 2, dtype=np.float32)
    mesh.uv_layers.active.uv.foreach_get("vector", uv)
    return uv.reshape(-1, 2)


def textures(mesh):
    """(m, 3, 2) float32 of the active UV map at the corners of triangles, or None."""
    uv = uv_of_corners(mesh)
    if uv is None:
        return None
    loops = np.empty(len(mesh.loop_triangles) * 3, dtype=np.int32)
    mesh.loop_triangles.foreach_get("loops", loops)
    return np.ascontiguousarray(uv[loops].reshape(-1, 3, 2))


def new_name(kind, wanted, taken):
    """A name for weft that is not in `taken`, to which it is added."""
    stem = kind + "_" + (re.sub(r"[^A-Za-z0-9_-]+", "_", wanted).strip("_") or "mesh")
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    taken.add(name)
    return name


def read_setup(context, first=None):
    """Goes through the frames from `first` (the scene's if None) to the scene's last.

    Returns a Setup. Raises Refusal; the present frame and all modifiers are as before in any case.
    """
    scene = context.scene
    first = scene.frame_start if first is None else first
    if first >= scene.frame_end:
        raise Refusal(f"there is nothing to simulate from frame {first} to {scene.frame_end}: "
                      "set a later end of the scene")
    context.view_layer.update()
    cloths, bodies = chosen(context.view_layer)
    unit = scene.unit_settings.scale_length
    samplers = [Sampler(o, "cloth", unit) for o in cloths] + [Sampler(o, "collider", unit) for o in bodies]
    followed = {p.follows.name: p.follows for o in cloths for p in o.weft.pins if p.follows}
    poses = {name: [] for name in followed}
    present = scene.frame_current
    with WithoutCache(cloths):
        try:
            for frame in range(first, scene.frame_end + 1):
                scene.frame_set(frame)
                depsgraph = context.evaluated_depsgraph_get()
                for sampler in samplers:
                    sampler.sample(depsgraph, frame)
                for name, one in followed.items():
                    poses[name].append(np.array(one.evaluated_get(depsgraph).matrix_world, dtype=np.float64))
        finally:
            scene.frame_set(present)
    taken = set()
    pieces = [s.piece(new_name(s.kind, s.one.name, taken)) for s in samplers]
    gravity = tuple(to_weft(scene.gravity, 1.0).tolist()) if scene.use_gravity else (0.0, 0.0, 0.0)
    return Setup(pieces[:len(cloths)], pieces[len(cloths):], first, scene.frame_end,
                 scene.render.fps / scene.render.fps_base, scene.weft.steps, unit, gravity,
                 scene.weft.device, {name: np.stack(m) for name, m in poses.items()})


def pin_paths(setup, cloth, pins):
    """(f, k, 3) float32, m: where pinned vertices are at the frames."""
    places = cloth.frames[:, pins.vertices]
    if pins.follows is None:
        return places
    start = to_object(places[0], np.eye(4), setup.unit).astype(np.float64)
    moves = setup.followed[pins.follows]
    moves = moves @ np.linalg.inv(moves[0])
    return np.stack([to_weft(start @ m[:3, :3].T + m[:3, 3], setup.unit) for m in moves])


def make_scene(weft, setup):
    """The weft.Scene of a Setup."""
    scene = weft.Scene()
    scene.set("step.dt", 1.0 / (setup.fps * setup.steps))
    scene.set("forces.gravity", setup.gravity)
    scene.set("contact.ground", False)
    for cloth in setup.cloths:
        scene.add_cloth(cloth.name, cloth.frames[0], cloth.triangles, fabric=cloth.fabric, maps=cloth.maps,
                        textures=cloth.textures)
        if cloth.friction is not None:
            scene.set(cloth.name + ".friction", cloth.friction)
    for body in setup.bodies:
        frames = None if body.still() else body.frames
        scene.add_body(body.name, body.frames[0], body.triangles, frames=frames, fps=setup.fps,
                       friction=body.friction)
    for cloth in setup.cloths:
        for pins in cloth.pins:
            add_pins(scene, setup, cloth, pins)
    return scene


def add_pins(scene, setup, cloth, pins):
    """Pins a group: at once where it stays, each vertex by keys of its own where it moves."""
    paths = pin_paths(setup, cloth, pins)
    offsets = (paths - paths[0]).astype(np.float64)
    if not offsets.any():
        if len(pins.vertices):
            scene.add_pin(cloth.name, pins.vertices)
        return
    for k, vertex in enumerate(pins.vertices):
        keys = [(f / setup.fps, tuple(offset), (0.0, 0.0, 0.0)) for f, offset in enumerate(offsets[:, k])]
        scene.add_pin(cloth.name, np.array([vertex], dtype=np.int32), keys=keys)
