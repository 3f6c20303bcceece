"""The cloth modifier of Blender, from its Python module."""

LABEL = "Blender cloth"
PACKAGES = ("bpy==5.0.1",)
MODULES = ("bpy",)
LICENCE = "GPL 3, run as a program of its own"
EFFORTS = (1, 2, 4)
LACKS = ("solid", "strands", "grains", "garment", "stitch", "wind", "releases", "fabrics")
SETTINGS = (
    "the modifier's defaults for quality (5 steps a frame) and collision (2), self-collision on, "
    "distances 1 mm (ours). Its unit of time is such that a body falls 9.81 m/s2 at time scale 1 and 31.6 "
    "frames a second (seen by a free fall), so the time scale is 31.6 over the frame rate, and stiffness "
    "counts thousandths. Tension and compression: stretch stiffness times mean edge; shear: the fabric's, "
    "or half; bending (angular): 3 B / edge length, B the bending rigidity, which of the factors 0.03 to "
    "100 came nearest to the reference in two clamped strips, for its manual has no unit. Damping 0. "
    "Effort: times as many quality steps"
)


def sheet(bpy, np, name, vertices, triangles, paths, folder):
    """A mesh with a Mesh Cache modifier that moves it along `paths`, (frames, n, 3), from frame 1 on.
    Blender's z is up."""
    turned = lambda x: np.stack([x[..., 0], -x[..., 2], x[..., 1]], axis=-1)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(turned(vertices).tolist(), [], triangles.tolist())
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    if paths is not None:
        file = folder / (name + ".pc2")
        head = (
            b"POINTCACHE2\0"
            + np.array([1, len(vertices)], "<i4").tobytes()
            + np.array([1, 1], "<f4").tobytes()
        )
        file.write_bytes(
            head + np.array([len(paths)], "<i4").tobytes() + turned(paths).astype("<f4").tobytes()
        )
        cache = thing.modifiers.new("path", "MESH_CACHE")
        cache.cache_format, cache.filepath = "PC2", str(file)
        cache.frame_start = 1
    return thing


def clothe(thing, problem, effort):
    """The modifier with the fabric's values."""
    fabric, edge = problem.fabric, problem.edge_length()
    cloth = thing.modifiers.new("cloth", "CLOTH")
    chosen, contact = cloth.settings, cloth.collision_settings
    chosen.quality = 5 * effort
    chosen.time_scale = 1000**0.5 * problem.frame
    chosen.mass = float(problem.masses().mean())
    chosen.air_damping = 0
    stretch = fabric["stretch_stiffness"] * edge / 1000
    chosen.tension_stiffness = chosen.compression_stiffness = stretch
    chosen.shear_stiffness = (fabric["shear_stiffness"] or fabric["stretch_stiffness"] / 2) * edge / 1000
    chosen.bending_stiffness = 3 * fabric["bending_rigidity"] / edge
    chosen.tension_damping = chosen.compression_damping = chosen.shear_damping = chosen.bending_damping = 0
    if len(problem.pinned):
        group = thing.vertex_groups.new(name="pinned")
        group.add(problem.pinned.tolist(), 1.0, "REPLACE")
        chosen.vertex_group_mass = "pinned"
    contact.use_self_collision = True
    contact.distance_min = contact.self_distance_min = 0.001
    contact.friction = contact.self_friction = problem.friction
    cloth.point_cache.frame_start, cloth.point_cache.frame_end = 1, problem.frames + 1


def states(problem, effort):
    """Positions at every frame from 0 on."""
    import bpy
    import numpy as np

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(1 / problem.frame)
    scene.frame_start, scene.frame_end = 1, problem.frames + 1
    scene.gravity = (problem.gravity[0], -problem.gravity[2], problem.gravity[1])
    times = [k * problem.frame for k in range(problem.frames + 1)]
    paths = np.repeat(problem.start[None], len(times), axis=0)
    if len(problem.pinned):
        paths[:, problem.pinned] = [problem.pins_at(t) for t in times]
    thing = sheet(bpy, np, "cloth", problem.start, problem.triangles, paths, problem.folder)
    clothe(thing, problem, effort)
    if len(problem.body_triangles):
        moves = np.array([problem.bodies_at(t) for t in times]) if problem.bodies_move else None
        body = sheet(bpy, np, "bodies", problem.bodies_at(0.0), problem.body_triangles, moves, problem.folder)
        body.modifiers.new("collision", "COLLISION")
        body.collision.thickness_outer, body.collision.cloth_friction = 0.001, 80 * problem.friction
    if problem.ground:
        corners = np.array([[-9, 0, 9], [9, 0, 9], [9, 0, -9], [-9, 0, -9]]) + [0, problem.ground_height, 0]
        floor = sheet(bpy, np, "floor", corners, np.array([[0, 1, 2], [0, 2, 3]]), None, problem.folder)
        floor.modifiers.new("collision", "COLLISION")
    for frame in range(1, problem.frames + 2):
        scene.frame_set(frame)
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        found = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", found)
        x = found.reshape(-1, 3)
        yield np.stack([x[:, 0], x[:, 2], -x[:, 1]], axis=1)
