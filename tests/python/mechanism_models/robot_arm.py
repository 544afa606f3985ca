"""Six-axis robot arm, falling: Pinocchio's dynamics of the robot file, integrated until the hand meets the floor."""

import math
from pathlib import Path

import numpy as np
import pinocchio
from scipy.integrate import solve_ivp

from .lagrange import ATOL, RTOL

FILE = Path(__file__).resolve().parents[3] / "examples" / "robot-arm.urdf"
START = {"turn": 20.0, "shoulder": -70.0, "bend": 50.0, "roll": 30.0, "pitch": 40.0}  # deg
DAMPING = {"turn": 0.5, "shoulder": 1.0, "bend": 0.8, "roll": 0.2, "pitch": 0.1, "spin": 0.05}  # N m s/rad


def reference(times):
    model = pinocchio.buildModelFromUrdf(str(FILE))
    data = model.createData()
    n = model.nv
    names = list(model.names)[1:]
    damping = np.array([DAMPING[name] for name in names])
    # The last joint has no limits: Pinocchio keeps its cosine and sine.
    turnless = pinocchio.neutral(model)
    begin = np.array([math.radians(START.get(name, 0.0)) for name in names])

    def rhs(_, y):
        q = pinocchio.integrate(model, turnless, y[:n])
        return np.concatenate([y[n:], pinocchio.aba(model, data, q, y[n:], -damping * y[n:])])

    y0 = np.concatenate([begin, np.zeros(n)])
    solution = solve_ivp(rhs, (0.0, max(times)), y0, "DOP853", rtol=RTOL, atol=ATOL, dense_output=True)
    found = []
    for t in times:
        y = solution.sol(t) if t < max(times) else solution.y[:, -1]
        pinocchio.forwardKinematics(model, data, pinocchio.integrate(model, turnless, y[:n]), y[n:])
        poses = {}
        for link in ("turret", "upper_arm", "elbow", "forearm", "wrist", "flange"):
            frame = model.getFrameId(link)
            place = pinocchio.updateFramePlacement(model, data, frame)
            world = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
            velocity = pinocchio.getFrameVelocity(model, data, frame, world).linear
            poses[link] = (place.translation.copy(), place.rotation.copy(), velocity.copy())
        found.append(poses)
    return found
