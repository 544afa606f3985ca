"""Models of the tests."""

from __future__ import annotations

import pytest

import carom

BALL = """
format = 1
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[law.soft]
point = { normal = "exact", stiffness = "1e7 N/m^1.5", restitution = 0.5, friction = "coulomb" }
mu    = 0.3
[body.floor]
fixed = true
shape = { type = "half-space", normal = "+z" }
[body.ball]
mass  = "2 kg"
pos   = [0, 0, "0.6 m"]
shape = { type = "sphere", radius = "0.1 m" }
[contact]
ground = { a = "floor", b = "ball", method = "analytic", law = "soft" }
[force.push]
type  = "force"
on    = { body = "ball" }
force = [0, 0, 0]
[solver]
t_end = "1 s"
"""

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
t_end = "2 s"
"""


@pytest.fixture
def ball() -> carom.Model:
    return carom.Model.from_text(BALL, name="ball")


@pytest.fixture
def pendulum() -> carom.Model:
    return carom.Model.from_text(PENDULUM, name="pendulum")
