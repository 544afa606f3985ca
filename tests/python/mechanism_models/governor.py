"""A05, flyball governor: a turning shaft, a slider on it, two rods with balls, and in place of the couplers stiff
springs with strong dampers. Both sides move alike, which leaves the shaft's angle ψ, the slider's height s and the
angle α of the rods below the horizontal. Its rates are 8117/s and 20/s, and one swing about 1 s.
"""

import math

import numpy as np
import sympy as sp

from .lagrange import Body, Mechanism, rotation, simulate

DENSITY, BALL, GRAVITY = 3000.0, 5.0, 9.81
ROD = (1.0, 0.01, 0.01)  # length, width; the shaft's too
SIDE = 0.1  # the slider's edge; the rods hinge at half of it from the axis, 1 m above the ground
STIFFNESS, DAMPING, LENGTH = 8e5, 4e4, 0.5
SPIN, HEIGHT, ANGLE = 2 * math.pi, 0.5, math.pi / 6


def box(mass, x, y, z):
    return (mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12)


def mechanism():
    q, v = sp.symbols("psi s alpha"), sp.symbols("psi_ s_ alpha_")
    psi, s, alpha = q
    l, w, _ = ROD
    rod = DENSITY * l * w * w
    slider = DENSITY * SIDE**3
    shaft = rotation("z", psi)
    bodies = [
        Body("shaft", rod, box(rod, w, w, l), (0, 0, l / 2), shaft),
        Body("slider", slider, box(slider, SIDE, SIDE, SIDE), (0, 0, s), shaft),
    ]
    force = sp.zeros(3, 1)
    potential = 0
    # The rods' frames have x along the rod, outwards, and their origin at the ball's end.
    centre = rod * l / 2 / (rod + BALL)  # from the ball's end
    across = box(rod, l, w, w)[1] + rod * (l / 2 - centre) ** 2 + BALL * centre**2
    for name, side in (("right", 0), ("left", sp.pi)):
        turn = shaft * rotation("z", side) * rotation("y", alpha)
        hinge = shaft * rotation("z", side) * sp.Matrix([SIDE / 2, 0, 0]) + sp.Matrix([0, 0, l])
        end = hinge + turn * sp.Matrix([l, 0, 0])
        inertia = (box(rod, l, w, w)[0], across, across)
        bodies.append(Body(name, rod + BALL, inertia, end, turn, (-centre, 0, 0)))
        # Slider's edge to the middle of the rod, in the plane that turns with the shaft.
        r, h = l / 2 * sp.cos(alpha), l - l / 2 * sp.sin(alpha) - s
        span = sp.sqrt(r**2 + h**2)
        rate = sum(sp.diff(span, x) * y for x, y in zip(q, v))
        potential += STIFFNESS * (span - LENGTH) ** 2 / 2
        force -= DAMPING * rate * sp.Matrix([sp.diff(span, x) for x in q])
    return Mechanism(q, v, bodies, gravity=(0, 0, -GRAVITY), potential=potential, force=force)


def reference(times):
    system = mechanism()
    start = [0.0, HEIGHT, ANGLE], [SPIN, 0.0, 0.0]
    found = simulate(system, *start, times, method="Radau", rtol=1e-12, atol=1e-14)
    # An explicit method of another order agrees as long as it is not too slow.
    (q, v), (p, w) = (simulate(system, *start, [0.05], method=m, rtol=1e-12)[0] for m in ("Radau", "DOP853"))
    assert np.abs(q - p).max() < 1e-11 and np.abs(v - w).max() < 1e-9, (q - p, v - w)
    momentum = lambda q, v: (system.dynamics(*q, *v)[0] @ v)[0]
    start = momentum(*start)
    assert all(abs(momentum(q, v) / start - 1) < 1e-10 for q, v in found)
    return [system.poses(q, v) for q, v in found]
