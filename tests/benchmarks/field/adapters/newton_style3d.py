"""The cloth solver SolverStyle3D of Newton, on the CPU."""

LABEL = "Newton Style3D"
PACKAGES = ("newton==1.8.0", "warp-lang==1.19.0")
MODULES = ("newton", "warp")
LICENCE = "Apache 2.0"
LACKS = ("solid", "strands", "grains", "garment", "stitch", "wind", "releases", "bodies_move", "fabrics")
SETTINGS = (
    "10 substeps a frame and 4 iterations, as in its example cloth_style3d; contact with bodies 1,000 N/m "
    "(the model's default), radius 1 mm; no self-contact. tri_aniso_ke is the fabric's stiffness along "
    "weft and warp (N/m) and in shear, or that of an isotropic sheet; edge_aniso_ke its bending rigidity "
    "in all directions. No damping of its own; air damping as in the scene. Effort: times as many "
    "substeps"
)


def states(problem, effort):
    """Positions at every frame from 0 on."""
    import warp as wp

    wp.config.quiet = True
    import newton
    from newton.solvers import style3d
    from newton_cloth import bodies_and_ground, finish, steps

    fabric = problem.fabric
    warp_way = fabric["stretch_stiffness"]
    weft_way = fabric["weft_stiffness"] or warp_way
    shear = fabric["shear_stiffness"] or warp_way / (2 * 1.3)
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y)
    newton.solvers.SolverStyle3D.register_custom_attributes(builder)
    style3d.add_cloth_mesh(
        builder,
        pos=wp.vec3(0.0),
        rot=wp.quat_identity(),
        vel=wp.vec3(0.0),
        panel_verts=problem.uv.tolist(),
        panel_indices=problem.triangles.reshape(-1).tolist(),
        vertices=problem.start.tolist(),
        indices=problem.triangles.reshape(-1).tolist(),
        density=fabric["areal_density"],
        particle_radius=0.001,
        tri_aniso_ke=wp.vec3(weft_way, warp_way, shear),
        tri_ka=0.0,
        tri_kd=0.0,
        edge_aniso_ke=wp.vec3(*[fabric["bending_rigidity"]] * 3),
    )
    bodies_and_ground(builder, newton, problem)
    model = finish(builder, wp, newton, problem)
    model.soft_contact_ke, model.soft_contact_kd = 1e3, 0.0
    config = newton.solvers.SolverStyle3D.Config(iterations=4)
    solver = newton.solvers.SolverStyle3D(model, config=config)
    yield from steps(model, solver, wp, newton, problem, effort)
