"""A03, Andrews' squeezer: seven bodies in the plane, one freedom (Hairer & Wanner, Solving Ordinary Differential
Equations II, section VII.7; problem `andrews` of the test set for IVP solvers).

The seven relative angles are those of the sources. Six closing equations give six of them, and the rates of all,
as functions of the crank's: the integrated state is (β, β').
"""

import numpy as np
import sympy as sp

from .lagrange import Body, Mechanism, integrate, rotation

BODIES = {  # mass, moment of inertia about the centre of mass
    "crank": (0.04325, 2.194e-6),
    "link": (0.00365, 4.410e-7),
    "plate": (0.02373, 5.255e-6),
    "arm4": (0.00706, 5.667e-7),
    "arm5": (0.07050, 1.169e-5),
    "arm6": (0.00706, 5.667e-7),
    "arm7": (0.05498, 1.912e-5),
}
A, B, C = (-0.06934, -0.00227, 0.0), (-0.03635, 0.03273, 0.0), (0.014, 0.072, 0.0)
RR, RA = 7e-3, 92e-5  # crank
D_, DA = 28e-3, 115e-4  # link
SS, SA, SB, SC, SD = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2  # plate
E_, EA, ZT, TA, TB = 2e-2, 1421e-5, 4e-2, 2308e-5, 916e-5  # arms 4 and 5
ZF, FA, U, UA, UB = 2e-2, 1421e-5, 4e-2, 1228e-5, 449e-5  # arms 6 and 7
STIFFNESS, LENGTH, TORQUE = 4530.0, 0.07785, 0.033

# β, Θ, γ, Φ, δ, Ω, ε at the start: β and Θ are given, the others close the loops.
START = np.array(
    [
        -0.0617138900142764496358948458001,
        0.0,
        0.455279819163070380255912382449,
        0.222668390165885884674473185609,
        0.487364979543842550225598953530,
        -0.222668390165885884674473185609,
        1.23054744454982119249735015568,
    ]
)
# At 30 ms, from the test set: for a check of this module.
PUBLISHED = np.array(
    [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]
)


def system():
    q, v = sp.symbols("beta theta gamma phi delta omega epsilon"), sp.symbols("v:7")
    beta, theta, gamma, phi, delta, omega, epsilon = q
    vec = lambda x, y: sp.Matrix([x, y, 0])
    frames = {}  # origin at a joint, rotation

    def frame(name, origin, angle):
        frames[name] = (sp.Matrix(origin), rotation("z", angle))

    def point(name, x, y):
        origin, turn = frames[name]
        return origin + turn * vec(x, y)

    frame("crank", (0, 0, 0), beta)
    frame("link", point("crank", RR, 0), beta + theta)
    frame("plate", B, gamma)
    frame("arm5", A, delta)
    frame("arm4", point("arm5", ZT, 0), phi + delta)
    frame("arm7", A, epsilon)
    frame("arm6", point("arm7", 0, -U), omega + epsilon)
    centres = {
        "crank": (RA, 0),
        "link": (-DA, 0),
        "plate": (SB, -SA),
        "arm4": (0, EA - E_),
        "arm5": (TA, TB),
        "arm6": (ZF - FA, 0),
        "arm7": (-UB, -UA),
    }
    bodies = [
        Body(name, mass, (0, 0, moment), point(name, *centres[name]), frames[name][1])
        for name, (mass, moment) in BODIES.items()
    ]
    spring = point("plate", SD, -SC) - sp.Matrix(C)
    stretch = sp.sqrt(spring.dot(spring)) - LENGTH
    force = [TORQUE] + [0] * 6
    mechanism = Mechanism(q, v, bodies, potential=STIFFNESS * stretch**2 / 2, force=force)

    joint = point("link", -D_, 0)
    gaps = [point("plate", 0, -SS) - joint, point("arm4", 0, -E_) - joint, point("arm6", ZF, 0) - joint]
    closing = sp.Matrix([g[i] for g in gaps for i in range(2)])
    jacobian = closing.jacobian(q)
    # Φ_q q̈ + curl = 0
    rate = jacobian * sp.Matrix(v)
    curl = rate.jacobian(q) * sp.Matrix(v)
    constraint = sp.lambdify([*q, *v], [closing, jacobian, curl], "numpy", cse=True)
    return mechanism, constraint


class Reduced:
    """The crank's angle as the only coordinate."""

    def __init__(self):
        self.mechanism, self.constraint = system()
        self.q = START.copy()

    def close(self, beta):
        """All angles; Newton from those of the call before."""
        q = self.q.copy()
        q[1] -= beta - q[0]  # keeps the link's direction
        q[0] = beta
        for _ in range(20):
            closing, jacobian, _ = self.constraint(*q, *np.zeros(7))
            step = np.linalg.solve(jacobian[:, 1:], closing[:, 0])
            q[1:] -= step
            if np.abs(step).max() < 1e-14:
                break
        else:
            raise RuntimeError(f"the loops do not close at {beta}")
        self.q = q
        return q

    def state(self, beta, speed):
        """Angles, rates, and the directions of motion and of the rates' change."""
        q = self.close(beta)
        _, jacobian, _ = self.constraint(*q, *np.zeros(7))
        way = np.concatenate(([1.0], -np.linalg.solve(jacobian[:, 1:], jacobian[:, 0])))
        v = way * speed
        _, _, curl = self.constraint(*q, *v)
        drift = np.concatenate(([0.0], -np.linalg.solve(jacobian[:, 1:], curl[:, 0])))
        return q, v, way, drift

    def rhs(self, _, y):
        q, v, way, drift = self.state(*y)
        mass, bias = self.mechanism.dynamics(*q, *v)
        return y[1], -way @ (bias[:, 0] + mass @ drift) / (way @ mass @ way)


def reference(times):
    reduced = Reduced()
    energy = reduced.mechanism.energy(*START, *np.zeros(7))
    found = []
    marks = sorted({*times, 0.03})
    for t, y in zip(marks, integrate(reduced.rhs, (START[0], 0.0), marks)):
        q, v, _, _ = reduced.state(*y)
        if t == 0.03:
            assert np.abs(q - PUBLISHED).max() < 1e-8, q - PUBLISHED
            work = TORQUE * (q[0] - START[0])
            assert abs(reduced.mechanism.energy(*q, *v) - work - energy) < 1e-10
        if t in times:
            found.append(reduced.mechanism.poses(q, v))
    return found
