"""What the two adapters for Newton (the engine, https://github.com/newton-physics/newton, Apache 2.0)
share."""

import numpy as np

SUBSTEPS = 10  # of a frame, as in its examples of cloth


def bodies_and_ground(builder, newton, problem):
    """The bodies as one static triangle mesh, and the floor. Friction is the root of both sides' product."""
    shape = builder.default_shape_cfg.copy()
    shape.mu = problem.friction
    if len(problem.body_triangles):
        mesh = newton.Mesh(problem.bodies_at(0.0), problem.body_triangles.reshape(-1))
        builder.add_shape_mesh(body=-1, mesh=mesh, cfg=shape)
    if problem.ground:
        builder.add_ground_plane(height=problem.ground_height, cfg=shape)


def finish(builder, wp, newton, problem):
    """The model: masses, pins, contact. Pinned particles are inactive, and are moved from outside."""
    model = builder.finalize(device="cpu")
    mass = problem.masses().astype(np.float32)
    model.particle_mass = wp.array(mass, dtype=float, device="cpu")
    model.particle_inv_mass = wp.array(1 / mass, dtype=float, device="cpu")
    flags = model.particle_flags.numpy()
    flags[problem.pinned] &= ~int(newton.ParticleFlags.ACTIVE)
    model.particle_flags = wp.array(flags, dtype=wp.int32, device="cpu")
    model.soft_contact_mu = problem.friction
    model.set_gravity(tuple(problem.gravity))
    return model


def steps(model, solver, wp, newton, problem, effort):
    """States at frames, in SUBSTEPS * effort steps each. Still air slows particles down as in Weft."""
    pipeline = newton.CollisionPipeline(model)
    contacts = pipeline.contacts()
    before, after, control = model.state(), model.state(), model.control()
    count = SUBSTEPS * effort
    dt = problem.frame / count
    slowed = np.float32(np.exp(-problem.air_damping * dt))
    pipeline.collide(before, contacts)
    solver.step(before, after, control, contacts, dt)  # compiles kernels; not a step of the run
    before, after = model.state(), model.state()
    yield before.particle_q.numpy().copy()
    for frame in range(problem.frames):
        for part in range(count):
            time = frame * problem.frame + (part + 1) * dt
            if len(problem.pinned):
                x = before.particle_q.numpy()
                x[problem.pinned] = problem.pins_at(time)
            before.particle_qd.numpy()[:] *= slowed
            before.clear_forces()
            pipeline.collide(before, contacts)
            solver.step(before, after, control, contacts, dt)
            before, after = after, before
        yield before.particle_q.numpy().copy()
