"""Equations of motion by Lagrange's method in SymPy, as functions of numpy arrays.

With T = ½ q̇ᵀ M(q) q̇, V(q) and generalised forces Q(q, q̇), the equations are M q̈ + h = Q with
h_i = Σ_jk (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) q̇_j q̇_k + ∂V/∂q_i.
"""

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

RTOL, ATOL = 1e-13, 1e-14


def rotation(axis, angle):
    """Matrix of a rotation about "x", "y" or "z"."""
    c, s = sp.cos(angle), sp.sin(angle)
    if axis == "x":
        return sp.Matrix([[1, 0, 0], [0, c, -s], [0, s, c]])
    if axis == "y":
        return sp.Matrix([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return sp.Matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])


class Body:
    """Rigid body: origin and rotation as expressions of q; centre of mass and inertia about it in body axes."""

    def __init__(self, name, mass, inertia, origin, turn, com=(0, 0, 0)):
        self.name, self.mass, self.inertia = name, mass, sp.diag(*inertia)
        self.origin, self.turn = sp.Matrix(origin), turn
        self.centre = self.origin + turn * sp.Matrix(com)

    def mass_matrix(self, q):
        """mᵀ of the centre's Jacobian with itself, and the same of the angular velocity's in body axes."""
        linear = self.centre.jacobian(q)
        columns = []
        for x in q:
            spin = self.turn.T * self.turn.diff(x)  # skew
            columns.append(sp.Matrix([spin[2, 1], spin[0, 2], spin[1, 0]]))
        angular = sp.Matrix.hstack(*columns)
        return self.mass * linear.T * linear + angular.T * self.inertia * angular


class Mechanism:
    """M(q), h(q, v) − Q(q, v), and the poses of the bodies, as compiled functions.

    `gravity` is a vector; `potential` adds to its energy; `force` is Q, an expression of q and v.
    """

    def __init__(self, q, v, bodies, gravity=(0, 0, 0), potential=0, force=None):
        n = len(q)
        self.names = [body.name for body in bodies]
        mass = sum((body.mass_matrix(q) for body in bodies), sp.zeros(n, n))
        energy = potential - sum(body.mass * (sp.Matrix(gravity).T * body.centre)[0] for body in bodies)
        slopes = [mass.diff(x) for x in q]
        speed = sp.Matrix(v)
        bias = sp.Matrix(
            [
                sum((slopes[k][i, :] * speed)[0] * v[k] for k in range(n))
                - (speed.T * slopes[i] * speed)[0] / 2
                + sp.diff(energy, q[i])
                - (0 if force is None else force[i])
                for i in range(n)
            ]
        )
        poses = [sp.Matrix.hstack(body.origin, body.turn, body.origin.jacobian(q) * speed) for body in bodies]
        self.dynamics = sp.lambdify([*q, *v], [mass, bias], "numpy", cse=True)
        self.places = sp.lambdify([*q, *v], poses, "numpy", cse=True)
        kinetic = (speed.T * mass * speed)[0] / 2
        self.energy = sp.lambdify([*q, *v], kinetic + energy, "numpy", cse=True)

    def accelerate(self, q, v):
        mass, bias = self.dynamics(*q, *v)
        return np.linalg.solve(mass, -bias[:, 0])

    def poses(self, q, v):
        """For each body its origin, rotation matrix and velocity of the origin."""
        return {
            name: (place[:, 0], place[:, 1:4], place[:, 4])
            for name, place in zip(self.names, map(np.asarray, self.places(*q, *v)))
        }


def integrate(rhs, y0, times, method="DOP853", rtol=RTOL, atol=ATOL, **options):
    """States at increasing times, each reached by a step of its own: nothing is interpolated."""
    t, y, found = 0.0, np.array(y0, float), []
    for end in times:
        if end > t:
            s = solve_ivp(rhs, (t, end), y, method, rtol=rtol, atol=atol, **options)
            if s.status < 0:
                raise RuntimeError(s.message)
            t, y = end, s.y[:, -1]
        found.append(y)
    return found


def complex_step(function, y):
    """Jacobian of an analytic function, to rounding."""
    columns = [function(0.0, y + 1e-30j * np.eye(len(y))[i]).imag / 1e-30 for i in range(len(y))]
    return np.array(columns).T


def simulate(mechanism, q0, v0, times, method="DOP853", **options):
    """States (q, v) of an unconstrained mechanism."""
    n = len(q0)

    def rhs(_, y):
        return np.concatenate((y[n:], mechanism.accelerate(y[:n], y[n:])))

    if method == "Radau":
        options["jac"] = lambda _, y: complex_step(rhs, y)
    return [(y[:n], y[n:]) for y in integrate(rhs, [*q0, *v0], times, method, **options)]
