"""Free asymmetric top. With the moments A < B < C, kinetic energy T and angular momentum H, H² > 2BT, the rates in
body axes are ω_x = a cn, ω_y = b sn, ω_z = c dn of Jacobi; the attitude is their integral, checked by the angular
momentum, which stays in space. `thrown` flies; `held` turns on a ball joint at its centre of mass.
"""

import math

import numpy as np
from scipy.special import ellipj

from .lagrange import integrate
from .rotation import matrix, rate

MASS, MOMENTS = 1.5, np.array([0.02, 0.035, 0.05])
RATES = (6.0, 0.0, 4.0)
TIP = np.array([0.0, 0.0, 0.2])  # the frames' origin, from the centre of mass
CENTRES = {
    "thrown": (np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 15.0])),
    "held": (np.array([0.0, 1.0, 1.0]), np.zeros(3)),
}
GRAVITY = np.array([0, 0, -9.81])


def rates(t):
    a, b, c = MOMENTS
    wx, _, wz = RATES
    energy2, momentum2 = a * wx**2 + c * wz**2, (a * wx) ** 2 + (c * wz) ** 2
    assert momentum2 > b * energy2
    speed = math.sqrt((c - b) * (momentum2 - a * energy2) / (a * b * c))
    m = (b - a) * (c * energy2 - momentum2) / ((c - b) * (momentum2 - a * energy2))
    wy = math.sqrt((c * energy2 - momentum2) / (b * (c - b)))
    sn, cn, dn, _ = ellipj(speed * t, m)
    return np.array([wx * cn, wy * sn, wz * dn])


def reference(times):
    found = []
    start = MOMENTS * rates(0.0)
    for t, q in zip(times, integrate(lambda t, q: rate(q, rates(t)), (1.0, 0, 0, 0), times)):
        turn = matrix(q / np.linalg.norm(q))
        assert np.abs(turn @ (MOMENTS * rates(t)) - start).max() < 1e-11
        arm, speed = turn @ TIP, turn @ np.cross(rates(t), TIP)
        poses = {}
        for name, (place, velocity) in CENTRES.items():
            fall = GRAVITY if name == "thrown" else np.zeros(3)
            poses[name] = (place + velocity * t + fall * t * t / 2 + arm, turn, velocity + fall * t + speed)
        found.append(poses)
    return found
