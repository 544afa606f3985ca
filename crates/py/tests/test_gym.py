"""The environment of Gymnasium: its own checker, episodes bit for bit, bounds and names."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

import carom

pytest.importorskip("gymnasium")

from carom.gym import Env  # noqa: E402


def make(model: carom.Model) -> Env:
    return Env(
        model,
        action={"hinge": (-5.0, 5.0)},
        observation=["hinge.angle", "hinge.angle_rate"],
        dt=0.05,
        start=lambda random, state: state + random.uniform(-0.1, 0.1, len(state)),
    )


def episode(env: Env, seed: int) -> NDArray[np.float64]:
    random = np.random.default_rng(7)
    rows = [env.reset(seed=seed)[0]]
    truncated = False
    while not truncated:
        observation, _, _, truncated, _ = env.step(random.uniform(-5.0, 5.0, 1))
        rows.append(observation)
    return np.array(rows)


def test_gymnasium_finds_nothing_wrong(pendulum: carom.Model) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        # It advises against observations without bounds; coordinates have none.
        warnings.simplefilter("ignore", UserWarning)
        check_env(make(pendulum), skip_render_check=True)


def test_episodes_of_one_seed_have_the_same_bits(pendulum: carom.Model) -> None:
    env = make(pendulum)
    first = episode(env, 1)
    # 2 s of actions every 0.05 s, exact in time.
    assert len(first) == 41
    assert np.array_equal(first, episode(env, 1)) and np.array_equal(first, episode(make(pendulum), 1))
    assert not np.array_equal(first, episode(env, 2))


def test_an_action_is_the_torque_of_the_motor(pendulum: carom.Model) -> None:
    """Held against the weight, it stays: m g l = 4.905 N m at level."""
    env = Env(pendulum, action={"hinge": (-5.0, 5.0)}, observation=["hinge.angle"], dt=0.1)
    env.reset(seed=0)
    for _ in range(5):
        observation, *_ = env.step(np.array([4.905]))
    assert abs(observation[0]) < 1e-6 and env.simulation.time == 0.5


def test_an_action_is_the_control_of_an_actuator() -> None:
    """A slide of 2 kg with a motor of gain 4 N: x = a t²/2, and as the model states it before the first action."""
    model = carom.Model.from_text("""
        format = 1
        world.gravity = [0, 0, 0]
        solver.t_end = "1 s"
        body.cart = { mass = 2, inertia = 1 }
        joint.slide = { type = "prismatic", a = { body = "world" }, b = { body = "cart" } }
        force.drive = { type = "actuator", terms = [{ joint = "slide", factor = 1 }], gain = "4 N" }
    """)
    env = Env(model, action={"drive": (-1.0, 1.0)}, observation=["slide.displacement"], dt=0.5)
    env.reset(seed=1)
    env.step(np.array([0.5]))
    observation = env.step(np.array([0.5]))[0]
    assert observation[0] == pytest.approx(0.5, rel=1e-9)
    with pytest.raises(LookupError, match="name 'drive'"):
        Env(model, action={"drive.x": (-1.0, 1.0)}, observation=[], dt=0.5)
    with pytest.raises(LookupError, match=r"nor an actuator \(drive\)"):
        Env(model, action={"motor": (-1.0, 1.0)}, observation=[], dt=0.5)


def test_an_episode_ends_where_it_is_asked_to(ball: carom.Model) -> None:
    env = Env(
        ball,
        action={"push.z": (0.0, 40.0)},
        observation=["ball.z"],
        dt=0.1,
        reward=lambda simulation: -simulation.time,
        terminated=lambda simulation: simulation.body["ball"].pos[2] > 0.7,
    )
    env.reset(seed=0)
    terminated, total = False, 0.0
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(np.array([40.0]))
        total += reward
        assert not truncated
    # 40 N on 2 kg against gravity: up by 0.1 m at sqrt(2 0.1/(20 - 9.81)) = 0.14 s.
    assert info["time"] == 0.2 and abs(total + 0.3) < 1e-15
    assert abs(observation[0] - (0.6 + 0.5 * (20.0 - 9.81) * 0.2**2)) < 1e-9
    with pytest.raises(LookupError, match="shove.z"):
        Env(ball, action={"shove.z": (0.0, 1.0)}, observation=[], dt=0.1)
    with pytest.raises(LookupError, match="ball.z"):
        Env(ball, action={}, observation=["ball.height"], dt=0.1)
    with pytest.raises(ValueError, match="positive"):
        Env(ball, action={}, observation=[], dt=0.0)


def test_components_that_are_not_acted_on_stay_as_the_model_states_them() -> None:
    """A kilogram that a stated force carries stays at its height while it is pushed aside: x = F t^2/(2 m)."""
    text = """
format = 1
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[body.b]
mass = 1
inertia = 0.1
[force.lift]
type = "force"
on = { body = "b" }
force = [0, 0, "9.81 N"]
[solver]
t_end = 1
"""
    model = carom.Model.from_text(text)
    env = Env(model, action={"lift.x": (-1.0, 1.0)}, observation=["b.x", "b.z"], dt=0.5)
    env.reset(seed=0)
    env.step(np.array([1.0]))
    observation, *_ = env.step(np.array([1.0]))
    assert np.allclose(observation, [0.5, 0.0], rtol=0.0, atol=1e-9)
    rising = text.replace('"9.81 N"', '{ table = [["0 s", 0], ["1 s", "5 N"]] }')
    with pytest.raises(ValueError, match="lift"):
        Env(carom.Model.from_text(rising), action={"lift.x": (-1.0, 1.0)}, observation=[], dt=0.5)
