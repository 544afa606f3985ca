"""Heavy symmetric top on a ball joint, with the data of the benchmark of Géradin & Cardona, as used by Brüls, Cardona
& Arnold (Mech. Mach. Theory 48, 2012): 15 kg at 1 m on the body's y axis, fast spin, axis level at the start.

Euler's equations about the fixed point; the height of the centre of mass is checked with Lagrange's solution,
u = u₁ + (u₂ − u₁) sn², which is elliptic.
"""

import math

import numpy as np
from scipy.special import ellipj, ellipk

from .lagrange import integrate
from .rotation import matrix, rate

MASS, ARM, GRAVITY = 15.0, np.array([0.0, 1.0, 0.0]), 9.81
MOMENTS = np.array([0.234375, 0.46875, 0.234375])
RATES = np.array([0.0, 150.0, -4.61538])
ABOUT_POINT = MOMENTS + MASS * np.array([1.0, 0.0, 1.0])


def height(t):
    """z of the centre of mass."""
    a, c, length = ABOUT_POINT[0], ABOUT_POINT[1], 1.0
    # At the start the axis is level and turns about the vertical only, u = u' = 0.
    spin, momentum = c * RATES[1] / a, RATES[2]
    alpha, beta = momentum**2, 2 * MASS * GRAVITY * length / a
    # u'² = (1 − u²)(α − βu) − (p − s u)²
    roots = np.sort(np.roots([beta, -alpha - spin**2, 2 * momentum * spin - beta, alpha - momentum**2]).real)
    roots[np.argmin(np.abs(roots))] = 0.0
    m = (roots[1] - roots[0]) / (roots[2] - roots[0])
    phase = math.sqrt(beta * (roots[2] - roots[0])) / 2 * t + (ellipk(m) if roots[1] == 0.0 else 0.0)
    return length * (roots[0] + (roots[1] - roots[0]) * ellipj(phase, m)[0] ** 2)


def reference(times):
    def rhs(_, y):
        q, omega = y[:4], y[4:]
        weight = matrix(q).T @ np.array([0, 0, -MASS * GRAVITY])
        torque = np.cross(ARM, weight) - np.cross(omega, ABOUT_POINT * omega)
        return np.concatenate((rate(q, omega), torque / ABOUT_POINT))

    found = []
    for t, y in zip(times, integrate(rhs, (1.0, 0, 0, 0, *RATES), times)):
        turn = matrix(y[:4] / np.linalg.norm(y[:4]))
        place = turn @ ARM
        assert abs(place[2] - height(t)) < 1e-9, (t, place[2], height(t))
        found.append({"top": (place, turn, turn @ np.cross(y[4:], ARM))})
    return found
