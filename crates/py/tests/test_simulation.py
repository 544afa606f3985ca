"""Simulations: the physics of free fall and of a pendulum in closed form, controls, callbacks, threads."""

from __future__ import annotations

import pickle
import signal
import threading

import numpy as np
import pytest

import carom

G = 9.81


def test_steps_and_whole_runs_have_the_same_bits(ball: carom.Model) -> None:
    whole = carom.simulate(ball)
    simulation = carom.Simulation(ball)
    while simulation.step() < simulation.end:
        simulation.body["ball"].pos
    stepped = simulation.finish()
    assert whole.end == stepped.end == "finished"
    for name in ("states", "contacts", "events", "energy", "episodes"):
        one, other = whole.table(name), stepped.table(name)
        assert one.columns == other.columns and len(one) == len(other) > 0
        for column in one:
            assert np.array_equal(one[column], other[column], equal_nan=one[column].dtype != object), column


def test_free_fall_is_the_parabola_and_arrays_are_copies(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball)
    simulation.advance("250 ms")
    assert simulation.time == 0.25
    position = simulation.body["ball"].pos
    assert abs(position[2] - (0.6 - 0.5 * G * 0.25**2)) < 1e-12
    assert abs(simulation.body["ball"].vel[2] + G * 0.25) < 1e-12
    position[:] = 7.0
    assert simulation.body["ball"].pos[2] != 7.0
    assert simulation.positions.shape == (2, 3)
    state = simulation.state
    assert len(state) == len(simulation.state_names)
    state[simulation.state_names.index("ball.z")] = 2.0
    simulation.set_state(state)
    assert abs(simulation.body["ball"].pos[2] - 2.0) < 1e-15


def test_contacts_and_forces_are_read_and_set_by_name(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball.varied(t_end="3 s"))
    simulation.run()
    normal, friction = simulation.contact_force("ground")
    # At rest the floor carries the weight; the last bounces are below a millinewton after 3 s.
    assert abs(normal[2] - 2.0 * G) < 0.05 and np.linalg.norm(friction) < 1e-9
    contacts = simulation.contacts
    assert list(contacts["pair"]) == ["ground"] and contacts["fn"][0] == normal[2]
    simulation.set_force("push", (0.0, 0.0, 30.0))
    simulation.advance(0.1)
    assert simulation.body["ball"].vel[2] > 0.9 * (30.0 / 2.0 - G) * 0.1
    assert simulation.energy["work_external"] > 0.0


def test_a_controller_holds_a_pendulum_up(pendulum: carom.Model) -> None:
    simulation = carom.Simulation(pendulum)
    calls: list[float] = []

    def control(simulation: carom.Simulation) -> None:
        hinge = simulation.joint["hinge"]
        calls.append(simulation.time)
        simulation.set_motor("hinge", 4.905 - 20.0 * hinge.position[0] - 4.0 * hinge.velocity[0])

    simulation.run(control=control, every=0.01)
    assert len(calls) == 200 and calls[1] == 0.01
    assert abs(simulation.body["bob"].pos[2]) < 0.01


def test_a_force_follows_a_function(ball: carom.Model) -> None:
    """Linear drag from a function against its closed form v = -(g m/c) (1 - exp(-c t/m))."""
    simulation = carom.Simulation(ball)
    c, m = 4.0, 2.0

    @simulation.force("push")
    def drag(t: float, x: tuple[float, ...], v: tuple[float, float, float]) -> list[float]:
        return [-c * component for component in v]

    simulation.advance_to(0.3)
    exact = -G * m / c * (1.0 - np.exp(-c * 0.3 / m))
    # rtol is 1e-6.
    assert abs(simulation.body["ball"].vel[2] - exact) < 1e-5
    # What the function puts in is booked.
    assert abs(simulation.energy["residual"]) < 1e-5
    snapshot = simulation.snapshot()
    simulation.advance_to(0.32)
    first = simulation.state
    simulation.restore(snapshot)
    simulation.advance_to(0.32)
    assert np.array_equal(simulation.state, first)


def test_an_exception_of_a_callback_comes_out_unchanged(ball: carom.Model) -> None:
    class Mine(Exception):
        pass

    simulation = carom.Simulation(ball)
    error = Mine("mine")

    def broken(t: float, x: tuple[float, ...], v: tuple[float, float, float]) -> list[float]:
        raise error

    with pytest.raises(Mine) as caught:
        simulation.set_force_function("push", broken)
        simulation.advance(0.1)
    assert caught.value is error
    assert simulation.finish().end in ("failed", "interrupted")
    simulation = carom.Simulation(ball)
    simulation.set_force_function("push", lambda t, x, v: [simulation.time, 0.0, 0.0])
    with pytest.raises(carom.BusyError):
        simulation.advance(0.1)
    simulation = carom.Simulation(ball)

    def control(simulation: carom.Simulation) -> None:
        raise error

    with pytest.raises(Mine):
        simulation.run(control=control, every=0.1)


def test_events_are_told_at_their_time_and_may_set_forces(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball)
    begins: list[carom.Event] = []

    def hit(event: carom.Event) -> None:
        begins.append(event)
        assert simulation.time == event.time

    simulation.on_event("contact_begin", hit, pair="ground")
    simulation.run()
    assert abs(begins[0].time - np.sqrt(2.0 * 0.5 / G)) < 1e-9
    assert abs(begins[0].approach_speed - np.sqrt(2.0 * 0.5 * G)) < 1e-8
    result = simulation.finish()
    told = [event.time for event in begins]
    logged = result.events["time"][result.events["kind"] == "contact_begin"]
    assert told == list(logged)


def test_snapshots_go_on_with_the_same_bits_also_when_pickled(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball)
    simulation.advance_to(0.4)
    snapshot = pickle.loads(pickle.dumps(simulation.snapshot()))
    assert snapshot.time == 0.4
    simulation.advance_to(0.8)
    other = carom.Simulation(ball)
    other.restore(snapshot)
    other.advance_to(0.8)
    assert np.array_equal(other.state, simulation.state)
    with pytest.raises(carom.SnapshotError):
        carom.Simulation(ball.varied(set={"body.ball.mass": "3 kg"})).restore(snapshot)


def test_a_simulation_belongs_to_one_thread_at_a_time_and_two_run_in_two(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball)
    entered, may_leave = threading.Event(), threading.Event()

    def wait(t: float, x: tuple[float, ...], v: tuple[float, float, float]) -> list[float]:
        entered.set()
        assert may_leave.wait(600.0)
        return [0.0, 0.0, 0.0]

    simulation.set_force_function("push", wait)
    worker = threading.Thread(target=simulation.run, args=(0.2,))
    worker.start()
    try:
        assert entered.wait(600.0)
        with pytest.raises(carom.BusyError, match="one thread"):
            simulation.step()
        # The interpreter is free: another simulation runs here.
        other = carom.Simulation(ball)
        other.run()
    finally:
        may_leave.set()
        worker.join()
    assert other.time == 1.0 and simulation.time == 0.2


def test_ctrl_c_keeps_the_run(ball: carom.Model) -> None:
    endless = ball.varied(t_end="1000 s", set={"solver.h_max": "2 us"})
    simulation = carom.Simulation(endless)
    # What a shell starts in the background ignores SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        simulation.run()
    timer.join()
    reached = simulation.time
    assert 0.0 < reached < 1000.0
    simulation.step()
    result = simulation.finish()
    assert result.end == "interrupted" and result.end_time > reached


def test_a_changed_model_and_a_closed_simulation_say_so(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball)
    ball.body["ball"].mass = "3 kg"
    with pytest.raises(carom.StaleError, match="changed"):
        simulation.step()
    with carom.Simulation(ball) as simulation:
        simulation.step()
    with pytest.raises(carom.ClosedError, match="closed"):
        simulation.step()


def test_a_view_of_the_state_is_the_state_until_the_simulation_goes_on(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball)
    view, place = simulation.state_view, simulation.state_names.index("ball.z")
    assert len(view) == 13 and view[place] == view["ball.z"] == 0.6 and view[place - 13] == 0.6
    copied = np.array(view)
    assert np.array_equal(copied, simulation.state) and view[place] == 0.6, "looking ends no view"
    with pytest.raises(IndexError, match="13 values"):
        view[13]
    with pytest.raises(carom.UnknownNameError, match="ball.zz"):
        view["ball.zz"]
    with pytest.raises(TypeError):
        view[place] = 1.0  # type: ignore[index]
    for move in (
        simulation.step,
        lambda: simulation.advance(0.01),
        lambda: simulation.run(0.2),
        lambda: simulation.set_state(copied),
        lambda: simulation.restore(simulation.snapshot()),
    ):
        view = simulation.state_view
        move()
        for look in (lambda: view[0], lambda: len(view), lambda: np.array(view)):
            with pytest.raises(carom.ExpiredError, match="went on"):
                look()
    view = simulation.state_view
    simulation.close()
    with pytest.raises(carom.ClosedError):
        view[0]


def test_everything_of_a_closed_simulation_says_so(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball)
    bodies, contacts = simulation.body, simulation.contacts
    result = simulation.finish()
    for use in (
        simulation.step,
        simulation.run,
        simulation.snapshot,
        simulation.finish,
        lambda: bodies["ball"],
        lambda: simulation.time,
        lambda: simulation.state,
        lambda: simulation.contacts,
        lambda: simulation.set_force("push", None),
    ):
        with pytest.raises(carom.ClosedError, match="closed"):
            use()
    simulation.close()
    # What was taken before stays, and so do arrays of a result that is closed.
    assert len(contacts["pair"]) == 0
    height = result["ball.z"]
    result.close()
    assert height[0] == 0.6
    for look in (lambda: result["ball.z"], lambda: result.states, lambda: pickle.dumps(result), lambda: result.end):
        with pytest.raises(carom.ClosedError, match="closed"):
            look()


def test_a_simulation_may_have_a_tolerance_of_its_own(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball, rtol=1e-10)
    simulation.run()
    tight = carom.simulate(ball.varied(set={"solver.rtol": 1e-10}))
    assert carom.compare(simulation.finish(), tight).same_bits
    simulation = carom.Simulation(ball, rtol=1e-10)
    ball.body["ball"].mass = "3 kg"
    with pytest.raises(carom.StaleError):
        simulation.step()


def test_wrong_names_values_and_shapes_say_what_there_is(ball: carom.Model) -> None:
    simulation = carom.Simulation(ball)
    with pytest.raises(carom.UnknownNameError, match="push"):
        simulation.set_force("pull", None)
    with pytest.raises(carom.UnknownNameError, match="ball"):
        simulation.body["bal"]
    with pytest.raises(carom.ControlError, match="13 values, and 2"):
        simulation.set_state([0.0, 1.0])
    with pytest.raises(ValueError, match="2 × 2"):
        simulation.set_state(np.zeros((2, 2)))
    with pytest.raises(carom.ControlError, match="finite"):
        simulation.set_force("push", (np.inf, 0.0, 0.0))
    with pytest.raises(ValueError, match="not a time"):
        simulation.advance("5 m")
    with pytest.raises(TypeError, match="number in s"):
        simulation.advance([1.0])  # type: ignore[arg-type]


def test_a_run_that_fails_has_code_time_and_what_there_is(ball: carom.Model) -> None:
    short = ball.varied(set={"solver.max_steps": 20})
    with pytest.raises(carom.RunError) as caught:
        carom.simulate(short)
    error = caught.value
    assert error.code is not None and error.code.startswith("E06") and error.time is not None
    assert error.result is not None and error.result.end == "failed"
    assert error.result.error is not None and error.result.error.code == error.code


FORCED = """
format = 1
[world]
gravity = [0, 0, 0]
[body.b]
mass = "1 kg"
inertia = 0.1
vel = [1, 0, 3]
[force.f]
type = "force"
on = { body = "b" }
force = [0, 0, 0]
[joint.slide]
type = "prismatic"
a = { body = "world" }
b = { body = "cart" }
[body.cart]
mass = "2 kg"
inertia = 0.1
[force.drive]
type = "actuator"
gain = "1 N"
terms = [{ joint = "slide" }]
[solver]
t_end = "10 s"
"""


@pytest.mark.parametrize("fault", ["raises", "two numbers", "not a number", "nothing"])
def test_a_simulation_goes_on_after_a_force_function_has_failed(fault: str) -> None:
    simulation = carom.Simulation(carom.Model.from_text(FORCED))
    calls = 0

    def drag(_time: float, _place: object, velocity: tuple[float, float, float]) -> object:
        nonlocal calls
        calls += 1
        if calls == 40:
            if fault == "raises":
                raise KeyboardInterrupt
            return {"two numbers": (1.0, 2.0), "not a number": (float("nan"), 0.0, 0.0), "nothing": None}[fault]
        return (-velocity[0], 0.0, -velocity[2])

    simulation.set_force_function("f", drag)  # type: ignore[arg-type]
    with pytest.raises((KeyboardInterrupt, TypeError, ValueError)):
        simulation.advance(5.0)
    assert simulation.time < 5.0
    simulation.advance_to(5.0)
    # v = v0 exp(-t), held to the relative tolerance of 1e-6.
    assert simulation.body["b"].vel[0] == pytest.approx(np.exp(-5.0), rel=1e-4)


def test_functions_that_know_their_simulation_are_freed_with_it() -> None:
    import gc
    import weakref

    class Controller:
        def __init__(self) -> None:
            self.simulation = carom.Simulation(carom.Model.from_text(FORCED))
            self.simulation.set_force_function("f", self.force)
            self.simulation.on_event(None, self.hear)

        def force(self, _time: float, _place: object, _velocity: object) -> tuple[float, float, float]:
            return (self.simulation.end, 0.0, 0.0)

        def hear(self, _event: carom.Event) -> None: ...

    for ends in (lambda _: None, lambda c: c.simulation.close(), lambda c: c.simulation.finish()):
        controller = Controller()
        controller.simulation.advance(0.1)
        ends(controller)
        left = weakref.ref(controller)
        del controller
        gc.collect()
        assert left() is None


def test_what_cannot_be_called_or_does_not_happen_is_refused() -> None:
    simulation = carom.Simulation(carom.Model.from_text(FORCED))
    with pytest.raises(TypeError, match="no function"):
        simulation.set_force_function("f", 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no function"):
        simulation.on_event(None, 3)  # type: ignore[arg-type]
    with pytest.raises(carom.UnknownNameError, match="contact_begin"):
        simulation.on_event("contact_began", print)
    with pytest.raises(carom.UnknownNameError, match="contact line or pair"):
        simulation.on_event(None, print, pair="floor")


def test_an_actuator_takes_one_number() -> None:
    simulation = carom.Simulation(carom.Model.from_text(FORCED))
    simulation.set_force("drive", 3.0)
    simulation.advance(1.0)
    assert float(simulation.joint["slide"].velocity[0]) == pytest.approx(1.5, rel=1e-6)
    with pytest.raises(ValueError, match="three components"):
        simulation.set_force("f", 3.0)
