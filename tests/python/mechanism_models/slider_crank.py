"""Slider-crank, driven by a constant torque against a compliant stop of the slider.

The crank's angle φ describes it all. The stop answers a penetration δ with K δ^1.5 (1 + χ δ'/δ'₀), δ'₀ the speed at
which the contact began and χ such that an impact of a free mass returns the stated restitution; it never pulls.
"""

import math

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

from rigid_bodies import exact_chi

from .lagrange import ATOL, RTOL, Body, Mechanism, rotation

CRANK, ROD = 0.15, 0.4  # lengths
MASSES = (1.0, 0.8, 2.0)  # crank, rod, slider
TORQUE, START, GRAVITY = 3.0, -2 * math.pi / 3, 9.81
STOP, STIFFNESS, EXPONENT, RESTITUTION = 0.5, 1e6, 1.5, 0.6


def system():
    q, v = sp.Symbol("phi"), sp.Symbol("phi_")
    pin = sp.Matrix([CRANK * sp.cos(q), CRANK * sp.sin(q), 0])
    reach = sp.sqrt(ROD**2 - pin[1] ** 2)
    x = pin[0] + reach
    rod = sp.Matrix([[reach, pin[1], 0], [-pin[1], reach, 0], [0, 0, ROD]]) / ROD
    moments = [m * l**2 / 12 for m, l in zip(MASSES, (CRANK, ROD))]
    bodies = [  # origins: crank pin, middle of the rod, slider's pin
        Body("crank", MASSES[0], (0, 0, moments[0]), pin, rotation("z", q), (-CRANK / 2, 0, 0)),
        Body("rod", MASSES[1], (0, 0, moments[1]), (pin + sp.Matrix([x, 0, 0])) / 2, rod),
        Body("slider", MASSES[2], (0, 0, 0), (x, 0, 0), sp.eye(3)),
    ]
    mechanism = Mechanism([q], [v], bodies, gravity=(0, -GRAVITY, 0), force=[TORQUE])
    return mechanism, sp.lambdify([q], [x, sp.diff(x, q)], "math", cse=True)


def reference(times):
    mechanism, slide = system()
    chi = exact_chi(RESTITUTION)
    damping = [0.0]

    def press(y):
        """Force of the stop on the slider, towards −x."""
        x, slope = slide(y[0])
        depth = x - STOP
        if depth <= 0:
            return 0.0
        return max(0.0, STIFFNESS * depth**EXPONENT * (1 + damping[0] * slope * y[1]))

    def rhs(_, y):
        mass, bias = mechanism.dynamics(*y)
        return y[1], -(bias[0, 0] + press(y) * slide(y[0])[1]) / mass[0, 0]

    def touch(_, y):
        return slide(y[0])[0] - STOP

    touch.terminal = True
    t, y, found, impacts = 0.0, np.array([START, 0.0]), [], []
    touching = False
    for end in times:
        while t < end:
            touch.direction = -1 if touching else 1
            # A first short step: at the start of each piece the event function is zero.
            s = solve_ivp(
                rhs,
                (t, end),
                y,
                "DOP853",
                events=touch,
                rtol=RTOL,
                atol=ATOL,
                first_step=min(1e-6, end - t),
                max_step=0.02,
            )
            t, y = s.t[-1], s.y[:, -1]
            if s.status == 1:
                touching = not touching
                if touching:
                    damping[0] = chi / (slide(y[0])[1] * y[1])
                    impacts.append((t, slide(y[0])[1] * y[1]))
        found.append(mechanism.poses(y[:1], y[1:]))
    reference.impacts = impacts
    return found
