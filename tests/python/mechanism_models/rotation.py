"""Rotations as unit quaternions, scalar first, with the angular velocity in body axes."""

import numpy as np


def matrix(q):
    w, v = q[0], np.asarray(q[1:])
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) * (w * w - v @ v) + 2 * np.outer(v, v) + 2 * w * cross


def rate(q, omega):
    """Half of q times (0, ω)."""
    w, v = q[0], q[1:]
    return 0.5 * np.concatenate(([-v @ omega], w * omega + np.cross(v, omega)))
