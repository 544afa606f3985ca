"""Results: quantities, tables for NumPy and Arrow without copies, folders, pages, pickles."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import carom

from conftest import BALL


def test_quantities_come_by_name_and_cannot_be_written(ball: carom.Model) -> None:
    result = carom.simulate(ball)
    height = result["ball.z"]
    assert np.array_equal(height, result["ball.z_m"]) and len(height) == len(result.time)
    with pytest.raises(ValueError, match="read-only"):
        height[0] = 1.0
    series = result.series("ground.fn")
    assert series.unit == "N" and len(series.time) == len(series.values)
    with pytest.raises(carom.ResultError) as caught:
        result["ball.zz"]
    assert caught.value.code == "E0707"
    assert "ball.z_m" in result.quantities()
    kept = result.states["ball.z"]
    result.close()
    assert kept[0] == 0.6
    with pytest.raises(carom.ClosedError):
        result["ball.z"]


def test_arrow_and_numpy_read_a_table_where_it_is(ball: carom.Model) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    result = carom.simulate(ball)
    table = pyarrow.table(result.states)
    column = table.column("ball.z_m")
    assert column.num_chunks == 1
    numbers = result.states["ball.z"]
    assert column.chunk(0).buffers()[1].address == numbers.__array_interface__["data"][0]
    assert np.array_equal(column.to_numpy(), numbers)
    assert table.schema.field("ball.z_m").metadata[b"unit"] == b"m"
    kinds = pyarrow.table(result.events).column("kind").to_pylist()
    assert kinds == list(result.events["kind"])
    # It stays alive without the result.
    del result, numbers
    assert column[0].as_py() == 0.6


def test_command_python_and_folder_have_the_same_bits(tmp_path: Path, ball: carom.Model) -> None:
    file = tmp_path / "ball.toml"
    file.write_text(BALL)
    by_command = tmp_path / "command"
    command = [sys.executable, "-m", "carom", "run", str(file), "--out", str(by_command), "--no-report", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    one, other = carom.open(by_command), carom.simulate(file, out=tmp_path / "python")
    memory = carom.simulate(file)
    assert other.folder == tmp_path / "python"
    for name in ("states", "contacts", "events", "energy", "episodes"):
        for column in one.table(name):
            values = one.table(name)[column]
            for read in (other, memory):
                same = np.array_equal(values, read.table(name)[column], equal_nan=values.dtype != object)
                assert same, (name, column)
    assert pickle.loads(pickle.dumps(one)).end == "finished"
    assert carom.compare(one, memory).same_bits and carom.compare(one, other).same_bits


def test_charts_and_pages(tmp_path: Path, ball: carom.Model) -> None:
    result = carom.simulate(ball)
    chart = result.plot("ball.z", "ground.fn")
    assert chart._repr_svg_().startswith("<svg")
    page = result.to_html(tmp_path / "run.html")
    assert page.stat().st_size > 10_000
    with pytest.raises(carom.ResultError):
        result.to_html(page)
    assert "<iframe" in result.view()._repr_html_()
    assert "ball" in result.summary()


def test_expectations_are_judged() -> None:
    result = carom.simulate(carom.example("bouncing-ball"))
    assert result.verdicts and all(verdict["passed"] for verdict in result.verdicts)
    assert result.manifest["name"] == "bouncing-ball"


def test_the_command_needs_no_numpy_and_speaks_as_ever() -> None:
    script = "import sys, carom.__main__; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
    usage = subprocess.run([sys.executable, "-m", "carom", "explain", "E0204"], capture_output=True, check=False)
    assert usage.returncode == 0 and b"E0204" in usage.stdout
    wrong = subprocess.run([sys.executable, "-m", "carom", "rnu"], capture_output=True, check=False)
    assert wrong.returncode == 2


def test_analyses_of_a_pendulum_in_closed_form(pendulum: carom.Model) -> None:
    """Pivot inertia J = J_c + m l^2; small vibrations about hanging at sqrt(m g l/J)."""
    inertia, weight = 0.01 + 1.0 * 0.5**2, 9.81 * 0.5
    equations = pendulum.equations()
    assert equations.freedoms == ["hinge.angle"]
    assert abs(equations.mass[0, 0] - inertia) < 1e-15
    assert abs(equations.bias[0] - weight) < 1e-14
    effort = pendulum.inverse_dynamics([2.0])
    assert abs(effort[0] - (weight + 2.0 * inertia)) < 1e-14
    hanging = pendulum.equilibrium()
    assert hanging.stable and hanging.residual < 1e-9
    modes = pendulum.modes()
    exact = np.sqrt(weight / inertia) / (2.0 * np.pi)
    # Central differences of the forces.
    assert abs(modes.frequencies[0] / exact - 1.0) < 1e-6
    assert modes.shapes.shape == (1, 1) and modes.eigenvalues.dtype == np.complex128
    with pytest.raises(ValueError, match="1 freedoms, and 2"):
        pendulum.inverse_dynamics([1.0, 2.0])
    with pytest.raises(ValueError, match='"none", "gravity" or "all"'):
        pendulum.equations(loads="some")  # type: ignore[arg-type]


def test_the_dynamics_of_a_pendulum_in_closed_form(pendulum: carom.Model) -> None:
    """J q'' = tau + m g l cos q, q from the horizontal, the way that the model's hinge counts; the bob is at l (cos q, sin q)."""
    inertia, weight = 0.01 + 1.0 * 0.5**2, 9.81 * 0.5
    dynamics = carom.Dynamics(pendulum)
    assert dynamics.freedoms == ["hinge.angle"] and dynamics.mass == 1.0
    slope = dynamics.derivatives([0.0]).by_position[0, 0]
    for angle, speed, effort in [(0.0, 0.0, 0.0), (0.4, -2.0, 1.5), (-1.1, 3.0, -2.0)]:
        dynamics.set_joint("hinge", angle, speed)
        assert list(dynamics.state) == [angle, speed]
        acceleration = (effort - weight * np.cos(angle)) / inertia
        assert abs(dynamics.forward([effort])[0] - acceleration) < 1e-13
        assert abs(dynamics.inverse([acceleration])[0] - effort) < 1e-13
        assert abs(dynamics.bias()[0] - weight * np.cos(angle)) < 1e-13
        found = dynamics.derivatives([effort])
        assert found.accelerations[0] == dynamics.forward([effort])[0]
        assert abs(found.by_position[0, 0] - weight * np.sin(angle) / inertia) < 1e-12
        assert abs(found.by_velocity[0, 0]) < 1e-12
        assert abs(found.by_effort[0, 0] * inertia - 1.0) < 1e-14
        own = found.by_effort
        own[0, 0] = 7.0
        assert abs(found.by_effort[0, 0] * inertia - 1.0) < 1e-14, "each array is the caller's"
        assert abs(dynamics.mass_matrix()[0, 0] - inertia) < 1e-15
        jacobian = dynamics.jacobian("bob")
        across = 0.5 * np.array([-np.sin(angle), 0.0, np.cos(angle)])
        # The velocity's rows come first.
        assert np.allclose(jacobian[:3, 0], across, atol=1e-15) and abs(abs(jacobian[4, 0]) - 1.0) < 1e-15
        assert np.allclose(dynamics.center_of_mass_jacobian()[:, 0], across, atol=1e-15)
        place = 0.5 * np.array([np.cos(angle), 0.0, np.sin(angle)])
        assert np.allclose(dynamics.center_of_mass(), place, atol=1e-15)
    dynamics.set_state([0.0, 0.0])
    assert dynamics.derivatives([0.0]).by_position[0, 0] == slope
    with pytest.raises(ValueError, match="1 freedoms, and 2 efforts"):
        dynamics.forward([1.0, 2.0])
    with pytest.raises(carom.UnknownNameError, match="hing"):
        dynamics.set_joint("hing", 0.0, 0.0)
    with pytest.raises(ValueError, match="1 finite coordinates"):
        dynamics.set_joint("hinge", [0.0, 1.0], 0.0)
    with pytest.raises(ValueError, match="three coordinates"):
        dynamics.jacobian("bob", [0.0])


def test_runs_of_areal_contact_compare(tmp_path: Path) -> None:
    run = carom.simulate(carom.example("torus-sphere").varied(set={"solver.t_end": 1e-3}))
    assert carom.compare(run, run).same_bits
    assert not any("per_search" in name for name in run.quantities())
