"""A pendulum that a controller holds up, stroke by stroke of a hundredth of a second; then without it."""

from __future__ import annotations

import numpy as np

import carom

PENDULUM = """
format = 1
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[body.bob]
mass    = "1 kg"
inertia = ["0.01 kg*m^2", "0.01 kg*m^2", "0.01 kg*m^2"]
pos     = ["0.5 m", 0, 0]
[joint.hinge]
type  = "revolute"
a     = { body = "world" }
b     = { body = "bob", at = ["-0.5 m", 0, 0] }
axis  = "-y"
motor = { torque = "0 N*m" }
[solver]
t_end = "3 s"
"""


def hold_level(simulation: carom.Simulation) -> None:
    """The weight, and what the angle and its rate are off."""
    hinge = simulation.joint["hinge"]
    simulation.set_motor("hinge", 9.81 * 0.5 - 20.0 * hinge.position[0] - 4.0 * hinge.velocity[0])


def main() -> None:
    model = carom.Model.from_text(PENDULUM, name="pendulum")
    simulation = carom.Simulation(model)
    simulation.run(2.0, control=hold_level, every=0.01)
    held = simulation.body["bob"].pos[2]
    simulation.set_motor("hinge", None)
    simulation.run()
    result = simulation.finish()
    print(f"held at {1000.0 * held:.2f} mm, then down to {result['bob.z'].min():.3f} m")
    assert abs(held) < 0.01 and np.isclose(result["bob.z"].min(), -0.5, atol=0.01)


if __name__ == "__main__":
    main()
