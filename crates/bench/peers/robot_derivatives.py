"""Pinocchio's side of `--example robot_derivatives`: forward dynamics (aba) and its derivatives, in µs, the least of several rounds.

`pip install pin`; `python robot_derivatives.py ROBOT.urdf...`. A call from Python costs some 1 to 2 µs by itself, which the last
column says (that of a function that returns at once).
"""

import sys
import time

import numpy as np
import pinocchio

ROUNDS, CALLS = 20, 200


def least(call):
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        best = min(best, 1e6 * (time.perf_counter() - start) / CALLS)
    return best


print("| robot | freedoms | aba (µs) | computeABADerivatives (µs) | a call (µs) |\n|---|---|---|---|---|")
for path in sys.argv[1:]:
    model = pinocchio.buildModelFromUrdf(path)
    data = model.createData()
    q, v, tau = pinocchio.neutral(model), np.full(model.nv, 0.3), np.zeros(model.nv)
    name = path.rsplit("/", 1)[-1].removesuffix(".urdf")
    forward = least(lambda: pinocchio.aba(model, data, q, v, tau))
    slopes = least(lambda: pinocchio.computeABADerivatives(model, data, q, v, tau))
    empty = least(lambda: pinocchio.neutral(model).size and None)
    print(f"| {name} | {model.nv} | {forward:.2f} | {slopes:.2f} | {empty:.2f} |")
