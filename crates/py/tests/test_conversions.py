"""Results for other libraries, side by side, and in other processes; models that are built."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import carom

from conftest import BALL


def falls(restitution: float) -> carom.Result:
    """A run of another process."""
    model = carom.Model.from_text(BALL, name="ball", set={"law.soft.point.restitution": restitution})
    return carom.simulate(model)


def test_results_in_memory_come_back_with_every_bit(ball: carom.Model, tmp_path: Path) -> None:
    result = carom.simulate(ball)
    again = pickle.loads(pickle.dumps(result))
    assert carom.compare(result, again).same_bits
    assert again.folder is None and again.manifest == result.manifest and again.verdicts == result.verdicts
    assert again.quantities() == result.quantities()
    # It has its shapes, so that it can be drawn where its model is not.
    assert again.to_html(tmp_path / "again.html").stat().st_size == result.to_html(tmp_path / "one.html").stat().st_size
    assert pickle.loads(pickle.dumps(again)).end == "finished"
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert carom.compare(pool.submit(falls, 0.5).result(), result).same_bits
    damaged = bytearray(pickle.dumps(result)[:-2000])
    with pytest.raises((carom.ResultError, pickle.UnpicklingError, EOFError)):
        pickle.loads(bytes(damaged))


def test_areal_results_pickle_with_their_patches() -> None:
    result = carom.simulate(carom.example("rover"))
    assert len(result.table("elements")) > 50
    again = pickle.loads(pickle.dumps(result))
    for name in ("contacts", "patches", "elements", "probes", "pairs"):
        one, other = result.table(name), again.table(name)
        assert len(one) == len(other), name
        for column in one:
            assert np.array_equal(one[column], other[column], equal_nan=one[column].dtype != object), column


def test_pandas_polars_and_xarray_read_tables(ball: carom.Model) -> None:
    result = carom.simulate(ball)
    height = result.states["ball.z"]
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = result.states.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and np.array_equal(frame["ball.z_m"], height)
    assert list(result.events.to_pandas()["kind"]) == list(result.events["kind"])
    polars = pytest.importorskip("polars")
    assert isinstance(result.states.to_polars(), polars.DataFrame)
    assert np.array_equal(result.states.to_polars()["ball.z_m"].to_numpy(), height)
    pytest.importorskip("xarray")
    data = result.states.to_xarray()
    assert float(data["ball.z_m"].sel(time_s=0.25, method="nearest")) == height[np.argmin(abs(result.time - 0.25))]
    assert data["ball.z_m"].attrs["units"] == "m"
    assert np.shares_memory(data["ball.z_m"].values, height)
    # Where there is no time, or a time comes twice, rows are counted.
    assert result.table("pairs").to_xarray().sizes["row"] == 1


def test_two_runs_are_compared_quantity_by_quantity(ball: carom.Model) -> None:
    one = carom.simulate(ball)
    assert carom.compare(one, carom.simulate(ball)).same_bits
    heavier = carom.simulate(ball.varied(set={"body.ball.pos": [0, 0, "0.601 m"], "solver.t_end": "0.2 s"}))
    comparison = carom.compare(one, heavier)
    assert not comparison.same_bits
    of = {difference.name: difference for difference in comparison.differences}
    # Both fall freely, a millimetre apart, over the 0.2 s that both have.
    assert abs(of["ball.z_m"].largest - 1e-3) < 1e-12 and of["ball.z_m"].time <= 0.2
    assert abs(of["ball.z_m"].relative - 1e-3 / (0.5 * 9.81 * 0.2**2)) < 1e-9
    assert "ball.z_m" in repr(comparison)


def test_a_built_model_is_that_of_its_text(tmp_path: Path) -> None:
    build = carom.Builder("ball")
    build.set("world", gravity=[0, 0, "-9.81 m/s^2"])
    build.law(
        "soft",
        point={"normal": "exact", "stiffness": "1e7 N/m^1.5", "restitution": 0.5, "friction": "coulomb"},
        mu=0.3,
    )
    floor = build.body("floor", fixed=True, shape=carom.HalfSpace("+z"))
    ball = build.body("ball", mass="2 kg", pos=[0, 0, "0.6 m"], shape=carom.Sphere("0.1 m"))
    build.contact("ground", floor, ball, method="analytic", law="soft")
    build.force("push", "force", on=ball.at([0, 0, 0]), force=[0, 0, 0])
    build.set("solver", t_end="1 s")
    wanted = carom.Model.from_text(BALL, name="ball").hash
    assert build.model().hash == wanted
    file = build.write(tmp_path / "ball.toml")
    assert carom.Model.from_file(file).hash == wanted
    with pytest.raises(ValueError, match='body "ball" already'):
        build.body("ball", mass=1.0)
    with pytest.raises(ValueError, match="one shape"):
        build.body("other", shape=carom.Sphere(1.0), shapes={"a": carom.Box([1, 1, 1])})
    build.joint("hinge", "revolut", "world", ball.at([0, 0, 0]), axis="y")
    with pytest.raises(carom.ModelError) as caught:
        build.model()
    assert 'did you mean "revolute"' in str(caught.value)


def test_a_built_mechanism_swings_as_its_closed_form(tmp_path: Path) -> None:
    build = carom.Builder("pendulum")
    build.set("world", gravity=[0, 0, "-9.81 m/s^2"])
    bob = build.body("bob", mass="1 kg", inertia=[0.01, 0.01, 0.01], pos=["0.5 m", 0, 0])
    build.joint("hinge", "revolute", "world", bob.at(["-0.5 m", 0, 0]), axis="-y")
    build.set("solver", t_end="1 s", rtol=1e-9)
    result = carom.simulate(build.model())
    # Energy: J w^2/2 = m g l sin(angle below level).
    angle, rate = result["hinge.q"], result["hinge.v"]
    assert np.allclose(0.5 * 0.26 * rate**2, -9.81 * 0.5 * np.sin(angle), atol=1e-7)
