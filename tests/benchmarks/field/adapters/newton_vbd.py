"""Vertex block descent of Newton: SolverVBD with self-contact, on the CPU."""

LABEL = "Newton VBD"
PACKAGES = ("newton==1.8.0", "warp-lang==1.19.0")
MODULES = ("newton", "warp")
LICENCE = "Apache 2.0"
LACKS = ("solid", "strands", "grains", "garment", "stitch", "wind", "releases", "bodies_move", "fabrics")
SETTINGS = (
    "10 substeps a frame and 10 iterations, as in its example cloth_hanging; self-contact margin 2 mm and "
    "gap 1.5 mm, as in cloth_twist; contact with bodies 10,000 N/m (ours), radius 1 mm. tri_ke and tri_ka "
    "are Lamé's mu and lambda (N/m) of an isotropic sheet with the fabric's stretch stiffness and "
    "Poisson's ratio 0.3; edge_ke, energy over squared angle and edge length, is 3 B L / (A0 + A1), B the "
    "bending rigidity. No damping of its own; air damping as in the scene. Effort: times as many substeps"
)


def states(problem, effort):
    """Positions at every frame from 0 on."""
    import warp as wp

    wp.config.quiet = True
    import newton
    from newton_cloth import bodies_and_ground, finish, steps

    fabric = problem.fabric
    stretch, poisson = fabric["stretch_stiffness"], 0.3
    area = problem.masses().sum() / fabric["areal_density"] / len(problem.triangles)
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y)
    builder.add_cloth_mesh(
        pos=wp.vec3(0.0),
        rot=wp.quat_identity(),
        scale=1.0,
        vel=wp.vec3(0.0),
        vertices=[wp.vec3(*map(float, x)) for x in problem.start],
        indices=problem.triangles.reshape(-1).tolist(),
        density=fabric["areal_density"],
        tri_ke=stretch / (2 * (1 + poisson)),
        tri_ka=stretch * poisson / (1 - poisson**2),
        tri_kd=0.0,
        edge_ke=3 * fabric["bending_rigidity"] * problem.edge_length() / (2 * area),
        edge_kd=0.0,
        particle_radius=0.001,
    )
    bodies_and_ground(builder, newton, problem)
    builder.color(include_bending=True)
    model = finish(builder, wp, newton, problem)
    model.soft_contact_ke, model.soft_contact_kd = 1e4, 0.0
    solver = newton.solvers.SolverVBD(
        model,
        iterations=10,
        particle_enable_self_contact=True,
        particle_self_contact_margin=0.002,
        particle_self_contact_gap=0.0015,
        particle_vertex_contact_buffer_size=64,
        particle_edge_contact_buffer_size=128,
    )
    yield from steps(model, solver, wp, newton, problem, effort)
