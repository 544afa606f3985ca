"""Models: keys by name, mistakes with their places, pickles."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

from conftest import BALL


def test_keys_are_set_by_name_and_by_path(ball: carom.Model) -> None:
    before = ball.hash
    ball.body["ball"].mass = "3 kg"
    ball["law.soft.mu"] = 0.25
    ball.force["push"].force = np.array([0.0, 0.0, 1.5])
    assert ball.check().ok
    resolved = ball.resolved
    assert resolved["bodies"]["ball"]["mass_kg"] == 3.0
    assert ball.hash != before
    assert (ball["body.ball.mass"], ball["law.soft.mu"], ball["force.push.force"]) == (3.0, 0.25, [0.0, 0.0, 1.5])
    assert repr(ball.law["soft"].mu) == "<carom.Section law.soft.mu = 0.25>"
    assert ball["body.ball"]["mass"] == 3.0 and repr(ball.body["ball"]) == "<carom.Section body.ball>"
    for unknown in ("law.soft.nu", "law.soft.mu.more", "nothing"):
        with pytest.raises(carom.UnknownNameError, match=unknown):
            ball[unknown]
    with pytest.raises(AttributeError, match="bodies"):
        ball.bodies


def test_a_model_of_dictionaries_is_that_of_its_text() -> None:
    tables = {
        "world": {"gravity": [0, 0, "-9.81 m/s^2"]},
        "law": {
            "soft": {
                "point": {
                    "normal": "exact",
                    "stiffness": "1e7 N/m^1.5",
                    "restitution": 0.5,
                    "friction": "coulomb",
                },
                "mu": 0.3,
            }
        },
        "body": {
            "floor": {"fixed": True, "shape": {"type": "half-space", "normal": "+z"}},
            "ball": {"mass": "2 kg", "pos": [0, 0, "0.6 m"], "shape": {"type": "sphere", "radius": "0.1 m"}},
        },
        "contact": {"ground": {"a": "floor", "b": "ball", "method": "analytic", "law": "soft"}},
        "force": {"push": {"type": "force", "on": {"body": "ball"}, "force": [0, 0, 0]}},
        "solver": {"t_end": "1 s"},
    }
    assert carom.Model.from_dict(tables, name="ball").hash == carom.Model.from_text(BALL, name="ball").hash


def test_a_model_with_mistakes_says_all_of_them_with_their_places() -> None:
    wrong = BALL.replace('"2 kg"', '"2 km"').replace("mu    = 0.3", "mu    = -1")
    with pytest.raises(carom.ModelError) as caught:
        carom.Model.from_text(wrong, name="wrong")
    error = caught.value
    assert error.code is not None and error.code.startswith("E")
    assert len(error.diagnostics) == 2
    places = {(found.file, found.line) for found in error.diagnostics}
    assert places == {("wrong", 6 + 1), ("wrong", 12)}
    assert "2 km" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.diagnostics == error.diagnostics


def test_a_wrong_key_is_said_where_the_model_is_used(ball: carom.Model) -> None:
    ball.body["ball"].mass = "2 km"
    check = ball.check()
    assert not check.ok and "2 km" in repr(check)
    with pytest.raises(carom.ModelError):
        check.raise_if_errors()
    with pytest.raises(carom.ModelError):
        carom.Simulation(ball)
    ball.body["ball"].mass = "2 kg"
    assert ball.check().ok


def test_wrong_types_say_what_is_expected(ball: carom.Model) -> None:
    with pytest.raises(TypeError, match="values of type object"):
        ball.body["ball"].mass = object()
    with pytest.raises(TypeError, match="path of a model file"):
        carom.Simulation(3.5)  # type: ignore[arg-type]
    with pytest.raises(carom.ModelError, match="E0204"):
        carom.Model.from_file("there-is-no-such.toml")


def test_models_pickle_with_their_changes(ball: carom.Model, tmp_path: Path) -> None:
    ball.body["ball"].mass = "3 kg"
    again = pickle.loads(pickle.dumps(ball))
    assert again.hash == ball.hash
    file = tmp_path / "ball.toml"
    file.write_text(BALL)
    of_file = carom.Model.from_file(file, set={"body.ball.mass": "3 kg"})
    assert pickle.loads(pickle.dumps(of_file)).hash == of_file.hash == ball.hash
    assert of_file.varied(t_end=0.5).t_end == 0.5 and of_file.t_end == 1.0


ROBOT = """<robot name="r">
<link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="arm"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="foot"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hip" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="10" velocity="3"/></joint>
<joint name="weld" type="fixed"><parent link="arm"/><child link="foot"/></joint>
</robot>"""


def test_robots_are_imported_with_choices(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf"
    file.write_text(ROBOT)
    assert len(carom.Model.from_file(file).freedoms) == 7
    held = carom.Model.from_file(file, robot={"base": "fixed", "no_floor": True, "hold": False})
    assert held.freedoms == ["hip.angle"] and "body.floor" not in held.to_toml()
    assert pickle.loads(pickle.dumps(held)).hash == held.varied(t_end=held.t_end).hash == held.hash
    # Choices of another version are refused, in place of the defaults.
    reduced: Any = held.__reduce__()
    unpickle, (pickled,) = reduced
    with pytest.raises(ValueError, match="unexpected argument '--bass'"):
        unpickle((*pickled[:4], ["--bass=fixed"], *pickled[5:]))
    kept = carom.Model.from_file(file, robot={"fixed_joints": "keep", "package_path": [tmp_path, "b"]})
    assert "[joint.weld]" in kept.to_toml()
    with pytest.raises(ValueError, match="possible values: auto, fixed, floating"):
        carom.Model.from_file(file, robot={"base": "held"})
    with pytest.raises(ValueError, match="unexpected argument '--bass'"):
        carom.Model.from_file(file, robot={"bass": "fixed"})
    model_file = tmp_path / "ball.toml"
    model_file.write_text(BALL)
    with pytest.raises(ValueError, match="no robot file"):
        carom.Model.from_file(model_file, robot={"base": "fixed"})


def test_dynamics_take_finite_numbers_alone(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf"
    file.write_text(ROBOT)
    dynamics = carom.Dynamics(carom.Model.from_file(file, robot={"base": "fixed"}))
    with pytest.raises(ValueError, match="that of hip.angle is NaN"):
        dynamics.forward([float("nan")])
    with pytest.raises(ValueError, match="that of hip.angle is inf"):
        dynamics.inverse([float("inf")])
    with pytest.raises(ValueError, match="finite coordinates"):
        dynamics.jacobian("arm", [0, 0, float("nan")])


def test_values_that_contain_themselves_are_refused() -> None:
    endless: dict[str, object] = {"mass": 1.0}
    endless["shape"] = endless
    with pytest.raises(ValueError, match="contain itself"):
        carom.Model.from_dict({"body": {"b": endless}})
    nested: list[object] = []
    for _ in range(20_000):
        nested = [nested]
    with pytest.raises(ValueError, match="contain itself"):
        carom.Model.from_dict({"body": {"b": {"pos": nested}}})
