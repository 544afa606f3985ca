"""An environment of Gymnasium: a pendulum on a motor too weak to lift it at once is swung up by pumping; needs ``carom[gym]``.

The policy is the textbook's: push along the motion while the energy is below that of standing, then hold by two gains.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import carom
from carom.gym import Env

MASS, ARM, GRAVITY = 1.0, 0.5, 9.81
STRONGEST = 2.0
"""Torque of the motor (N m); the weight at level has 4.9 N m."""
INERTIA = 0.01 + MASS * ARM**2

Numbers = NDArray[np.float64]


def pendulum() -> carom.Model:
    build = carom.Builder("swing-up")
    build.set("world", gravity=[0, 0, -GRAVITY])
    bob = build.body("bob", mass=MASS, inertia=[0.01, 0.01, 0.01], pos=[0, 0, -ARM])
    build.joint("hinge", "revolute", "world", bob.at([0, 0, ARM]), axis="-y", motor={"torque": 0.0})
    build.set("solver", t_end="20 s")
    return build.model()


def start(random: np.random.Generator, state: Numbers) -> Numbers:
    """Hanging, somewhat off."""
    return state + random.uniform(-0.05, 0.05, len(state))


def height_of(simulation: carom.Simulation) -> float:
    return float(simulation.body["bob"].pos[2])


def policy(observation: Numbers) -> Numbers:
    """Angle from hanging and its rate to a torque."""
    angle, rate = observation
    off = (angle % (2.0 * np.pi)) - np.pi
    if abs(off) < 0.3 and abs(rate) < 2.5:
        torque = -18.0 * off - 4.0 * rate
    else:
        energy = 0.5 * INERTIA * rate**2 - MASS * GRAVITY * ARM * np.cos(angle)
        torque = STRONGEST * np.sign((MASS * GRAVITY * ARM - energy) * (rate or 1.0))
    return np.array([np.clip(torque, -STRONGEST, STRONGEST)])


def main() -> None:
    env = Env(
        pendulum(),
        action={"hinge": (-STRONGEST, STRONGEST)},
        observation=["hinge.angle", "hinge.angle_rate"],
        dt=0.02,
        reward=height_of,
        start=start,
    )
    observation, _ = env.reset(seed=3)
    truncated, total, steps = False, 0.0, 0
    while not truncated:
        observation, reward, _, truncated, _ = env.step(policy(observation))
        total, steps = total + reward, steps + 1
    end = height_of(env.simulation)
    print(f"{steps} actions, mean height {total / steps:.3f} m, at the end {end:.4f} m")
    assert end > 0.99 * ARM
    # The same seed and the same policy: the same bits.
    first, _ = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    assert np.array_equal(first, again)
    env.close()


if __name__ == "__main__":
    main()
