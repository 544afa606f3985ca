"""Siconos' side of `--example disc_friction`: the same heaps of discs, by its planar friction solvers.

    apt-get install python3-siconos
    /usr/bin/python3 crates/bench/peers/disc_friction.py [N...]

Gauss-Seidel (`FRICTION_2D_NSGS`) to two tolerances, and Lemke's method. Times are processor times, the least of three; the residual is
computed here from the impulses, as Carom's is: the natural map on the friction cone, scaled by the mean of each contact's own diagonal
(that of Carom has the normal's element a second time, across the plane) and by the largest free velocity.
"""

import math
import sys
import time

import numpy as np
import siconos.numerics as sn

RADIUS, FRICTION, STEP, MOST = 0.05, 0.3, 1e-3, 100_000


def unit(seed):
    state, mask = seed, (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield ((z ^ (z >> 31)) >> 11) / (1 << 53)


def heap(count):
    """W and q, a normal and a tangential row for each contact by turns."""
    rows = math.ceil((math.sqrt(8 * count + 1) - 1) / 2)
    places = [(RADIUS * (2 * k + row), RADIUS * (1 + row * math.sqrt(3))) for row in range(rows) for k in range(rows - row)]
    places = np.array(places[:count])
    lines = []

    def row(n, upper, lower=None):
        normal, tangent, t = np.zeros(3 * count), np.zeros(3 * count), (-n[1], n[0])
        for disc, sign in ((upper, 1), (lower, -1)):
            if disc is not None:
                normal[3 * disc : 3 * disc + 2] = sign * np.array(n)
                tangent[3 * disc : 3 * disc + 3] = (sign * t[0], sign * t[1], -RADIUS)
        lines.extend([normal, tangent])

    for i, p in enumerate(places):
        if p[1] == RADIUS:
            row((0.0, 1.0), i)
        for j in range(i + 1, count):
            apart = places[j] - p
            if np.hypot(*apart) < 2 * RADIUS * (1 + 1e-9):
                row(apart / (2 * RADIUS), j, i)
    h = np.array(lines)
    mobility = np.tile([1, 1, 2 / RADIUS**2], count)
    numbers, v = unit(5), np.zeros(3 * count)
    for k in range(count):
        v[3 * k], v[3 * k + 1] = (0.1 * (next(numbers) - 0.5) for _ in range(2))
    v[1::3] -= 9.81 * STEP
    return (h * mobility) @ h.T, h @ v


def residual(w, q, r):
    u = w @ r + q
    weight = (2 * np.diag(w)[0::2] + np.diag(w)[1::2]) / 3
    normal, along = weight * r[0::2], weight * r[1::2]
    lifted = normal - u[0::2] - FRICTION * np.abs(u[1::2])
    t = along - u[1::2]
    size = np.abs(t)
    pressed = (lifted + FRICTION * size) / (1 + FRICTION**2)
    inside, polar = (size <= FRICTION * lifted) & (lifted >= 0), lifted <= -FRICTION * size
    n = np.where(inside, lifted, np.where(polar, 0, pressed))
    t = np.where(inside, t, np.where(polar, 0, np.sign(t) * FRICTION * pressed))
    return np.hypot(normal - n, along - t).max() / np.abs(q).max()


SOLVERS = [
    ("Gauss-Seidel, 1e-6", sn.SICONOS_FRICTION_2D_NSGS, 1e-6),
    ("Gauss-Seidel, 1e-10", sn.SICONOS_FRICTION_2D_NSGS, 1e-10),
    ("Lemke", sn.SICONOS_FRICTION_2D_LEMKE, 1e-10),
]
print("| discs | contacts | solver | time (ms) | residual | told |\n|---|---|---|---|---|---|")
for count in [int(n) for n in sys.argv[1:]] or [30, 100, 200]:
    w, q = heap(count)
    contacts = len(q) // 2
    for name, solver, tolerance in SOLVERS:
        least = math.inf
        for _ in range(3):
            problem = sn.FrictionContactProblem(2, contacts, w, q, np.full(contacts, FRICTION))
            r, u, options = np.zeros(len(q)), np.zeros(len(q)), sn.SolverOptions(solver)
            options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = MOST
            options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
            before = time.process_time()
            told = sn.fc2d_driver(problem, r, u, options)
            least = min(least, time.process_time() - before)
            if least > 2:
                break
        print(f"| {count} | {contacts} | {name} | {1e3 * least:.3g} | {residual(w, q, r):.1e} | {told} |", flush=True)
