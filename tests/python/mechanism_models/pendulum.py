"""A01, simple pendulum: sin(θ/2) = k cd(ω t | k²), k = sin 45°, ω² = g/l, θ from the lowest place.

Two bodies share the motion: `bob` hangs on a massless rod, `ball` is a rigid pendulum of the same reduced length
whose origin is its centre of oscillation.
"""

import math

import numpy as np
from scipy.special import ellipj, ellipk

from .lagrange import integrate

LENGTH, GRAVITY = 1.0, 9.81


def angle(t):
    """θ and θ'; it starts at −90°."""
    m, rate = 0.5, math.sqrt(GRAVITY / LENGTH)
    sn, cn, dn, _ = ellipj(rate * t, m)
    s = -math.sqrt(m) * cn / dn
    # d/dt cd = −ω (1 − m) sn/dn²; θ' = 2 s'/cos(θ/2)
    ds = math.sqrt(m) * rate * (1 - m) * sn / dn**2
    return 2 * math.asin(s), 2 * ds / math.sqrt(1 - s * s)


def reference(times):
    assert abs(angle(2 * ellipk(0.5) * math.sqrt(LENGTH / GRAVITY))[0] - math.pi / 2) < 1e-12
    rhs = lambda _, y: (y[1], -GRAVITY / LENGTH * math.sin(y[0]))
    for t, y in zip(times, integrate(rhs, (-math.pi / 2, 0), times)):
        assert abs(y[0] - angle(t)[0]) < 1e-10, (t, y, angle(t))
    found = []
    for t in times:
        q, v = angle(t)
        s, c = math.sin(q), math.cos(q)
        place, speed = LENGTH * np.array([s, -c, 0]), v * LENGTH * np.array([c, s, 0])
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        found.append({"ball": (place, turn, speed), "bob": (place, None, speed)})
    return found
