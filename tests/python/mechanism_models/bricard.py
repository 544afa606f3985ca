"""A04, Bricard's mechanism: six rods of equal length in a closed chain, each joint's axis at right angles to both
of its rods and to the next axis. Five of them move.

Six closing equations leave no freedom by counting, but the joint angles may alternate, θ φ θ φ θ φ, on the curve
cos θ + cos φ + cos θ cos φ = 0, that is cos(θ/2) cos(φ/2) = 1/2: Pythagoras of a spherical right triangle with
hypotenuse 60°. Its angle u at one corner describes the whole curve, without singular places:
sin(θ/2) = sin 60° sin u, tan(φ/2) = tan 60° cos u. The motion is that of one coordinate.
"""

import math

import numpy as np
import sympy as sp

from .lagrange import Body, Mechanism, rotation, simulate

LENGTH, MASS, WIDTH, GRAVITY = 1.0, 1.0, 0.1, 9.81
THIN, LONG = MASS * WIDTH**2 / 6, MASS * (LENGTH**2 + WIDTH**2) / 12
START = math.atan(math.sqrt(2))  # both angles 90°


def system():
    u, w = sp.symbols("u w")
    root = sp.sqrt(1 + 3 * sp.cos(u) ** 2)
    # Cosine and sine of half of each angle.
    halves = {"theta": (root / 2, sp.sqrt(3) / 2 * sp.sin(u)), "phi": (1 / root, sp.sqrt(3) * sp.cos(u) / root)}

    def turn(axis, which, sign):
        """Rotation by the joint's angle less its initial 90°."""
        x = sp.Symbol("x")
        c, s = halves[which]
        return rotation(axis, x).subs({sp.cos(x): 2 * s * c, sp.sin(x): -sign * (c**2 - s**2)})

    vec = lambda x, y, z: sp.Matrix([x, y, z]) * LENGTH
    # From A, the world's origin: axes y, z, x at A, B, C. From F: axes x, z at F, E. D, axis y, closes by itself.
    r1 = turn("y", "theta", -1)
    b = r1 * vec(1, 0, 0)
    r2 = r1 * turn("z", "phi", -1)
    c = b + r2 * vec(0, -1, 0)
    r3 = r2 * turn("x", "theta", -1)
    d = c + r3 * vec(0, 0, 1)
    r5 = turn("x", "phi", 1)
    e = vec(0, 0, 1) + r5 * vec(0, -1, 0)
    r4 = r5 * turn("z", "theta", 1)
    half = LENGTH / 2
    bodies = [  # the origins are the joints B, C, D, D and E
        Body("rod1", MASS, (THIN, LONG, LONG), b, r1, (-half, 0, 0)),
        Body("rod2", MASS, (LONG, THIN, LONG), c, r2, (0, half, 0)),
        Body("rod3", MASS, (LONG, LONG, THIN), d, r3, (0, 0, -half)),
        Body("rod4", MASS, (THIN, LONG, LONG), d, r4, (-half, 0, 0)),
        Body("rod5", MASS, (LONG, THIN, LONG), e, r5, (0, half, 0)),
    ]
    # D from both sides, and its axis.
    gap = sp.Matrix.hstack(d - e - r4 * vec(1, 0, 0), r3[:, 1] - r4[:, 1])
    return Mechanism([u], [w], bodies, gravity=(0, -GRAVITY, 0)), sp.lambdify([u], gap, "numpy", cse=True)


def reference(times):
    mechanism, gap = system()
    assert all(np.abs(gap(u)).max() < 1e-14 for u in np.linspace(0, 2 * math.pi, 50))
    found = simulate(mechanism, [START], [0.0], times)
    energy = mechanism.energy(START, 0.0)
    assert all(abs(mechanism.energy(*q, *v) - energy) < 1e-9 for q, v in found)
    return [mechanism.poses(q, v) for q, v in found]
