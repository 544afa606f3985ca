"""A02, N-four-bar with N = 2: five rods of 1 m and 1 kg. The three upright ones stay parallel, so that one
angle φ describes all: φ'' = −(7/6) (g/l) cos φ, a turning pendulum, φ from the horizontal."""

import math

import sympy as sp
from scipy.special import ellipj, ellipk

from .lagrange import Body, Mechanism, rotation, simulate

LENGTH, MASS, GRAVITY, SPEED = 1.0, 1.0, 9.81, 1.0
MOMENT = MASS * LENGTH**2 / 12
START = math.pi / 2


def mechanism():
    q, v = [sp.Symbol("phi")], [sp.Symbol("w")]
    l = LENGTH
    tip = sp.Matrix([l * sp.cos(q[0]), l * sp.sin(q[0]), 0])
    # The uprights' frames start upright with the world's axes, their origins on top.
    turn = rotation("z", q[0] - sp.pi / 2)
    inertia = (MOMENT,) * 3
    bodies = [
        Body(f"upright{i}", MASS, inertia, tip + sp.Matrix([i * l, 0, 0]), turn, (0, -l / 2, 0)) for i in range(3)
    ]
    bodies += [Body(f"coupler{i}", MASS, inertia, tip + sp.Matrix([(i + 0.5) * l, 0, 0]), sp.eye(3)) for i in range(2)]
    return Mechanism(q, v, bodies, gravity=(0, -GRAVITY, 0))


def angle(t):
    """φ in closed form. From the lowest place, ψ = φ + 90°, a turning pendulum with ω² = 7/6 g/l, ½ψ'² − ω² cos ψ
    constant, m = 2ω²/(½ψ'₀² + 2ω²) and ψ = 2 am(K − ω t/√m | m): clockwise from the top."""
    w2 = 7 / 6 * GRAVITY / LENGTH
    m = 2 * w2 / (0.5 * (SPEED / LENGTH) ** 2 + 2 * w2)
    _, _, _, am = ellipj(ellipk(m) - math.sqrt(w2 / m) * t, m)
    return 2 * am - math.pi / 2


def reference(times):
    system = mechanism()
    found = simulate(system, [START], [-SPEED / LENGTH], times)
    for t, (q, _) in zip(times, found):
        assert abs(q[0] - angle(t)) < 1e-9, (t, q, angle(t))
    return [system.poses(q, v) for q, v in found]
