"""What the package costs, beside what it may cost: ``python figures.py`` in an environment with the wheel; ``--pace`` also has a study
made (some minutes), ``--wheel FILE`` looks at the wheel's size. Exit code 1 if a figure is above its limit.

Times are medians; of a loaded machine they are upper bounds.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np

import carom

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FALL = """
format = 1
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[body.ball]
mass = "1 kg"
inertia = [0.01, 0.01, 0.01]
[force.push]
type  = "force"
on    = { body = "ball" }
force = [0, 0, 0]
[solver]
t_end = "1 s"
h_max = "20 us"
[output]
every = "1 s"
"""


def clock(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def import_time() -> float:
    script = "import time; t = time.perf_counter(); import carom; print(time.perf_counter() - t)"
    call = [sys.executable, "-c", script]
    return statistics.median(float(subprocess.check_output(call)) for _ in range(11))


def step_overhead() -> float:
    """A loop of ``step`` against the same steps in one call."""
    model = carom.Model.from_text(FALL, name="fall")

    def by_steps(simulation: carom.Simulation) -> int:
        count, end = 0, simulation.end
        while simulation.step() < end:
            count += 1
        return count + 1

    def difference() -> float:
        one, other = carom.Simulation(model), carom.Simulation(model)
        whole = clock(one.run)
        began = time.perf_counter()
        count = by_steps(other)
        return (time.perf_counter() - began - whole) / count

    return statistics.median(difference() for _ in range(7))


def callback_cost() -> float:
    """A run whose force follows a function against the same run with the force of the model."""
    model = carom.Model.from_text(FALL, name="fall")

    def difference() -> float:
        plain, called = carom.Simulation(model), carom.Simulation(model)
        calls = 0

        def push(t: float, x: tuple[float, ...], v: tuple[float, float, float]) -> tuple[float, float, float]:
            return (0.0, 0.0, 0.0)

        def count(t: float, x: tuple[float, ...], v: tuple[float, float, float]) -> tuple[float, float, float]:
            nonlocal calls
            calls += 1
            return (0.0, 0.0, 0.0)

        counted = carom.Simulation(model)
        counted.set_force_function("push", count)
        counted.run()
        called.set_force_function("push", push)
        whole = clock(plain.run)
        return (clock(called.run) - whole) / calls

    return statistics.median(difference() for _ in range(5))


def million_rows() -> tuple[float, bool]:
    """Time for NumPy and Arrow to have a column of a million rows, and whether both look at the same memory."""
    text = FALL.replace('"20 us"', '"1 ms"').replace('every = "1 s"', 'every = "1 us"')
    result = carom.simulate(carom.Model.from_text(text, name="fall"))
    states = result.states
    began = time.perf_counter()
    column = states["ball.z"]
    seconds = time.perf_counter() - began
    assert len(column) > 1_000_000
    again = states["ball.z"]
    address = column.__array_interface__["data"][0]
    is_view = address == again.__array_interface__["data"][0] and not column.flags.owndata
    try:
        import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        return seconds, is_view
    # The first table that Arrow makes, of whatever, has it import pandas where that is installed.
    cast(Any, pyarrow).table({"one": [1]})
    began = time.perf_counter()
    arrow = cast(Any, pyarrow).table(states).column("ball.z_m")
    seconds += time.perf_counter() - began
    is_one = arrow.num_chunks == 1 and arrow.chunk(0).buffers()[1].address == address
    return seconds, is_view and bool(is_one)


BY_HAND = """
import sys, carom
model, out, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for seed in range(first, last):
    set = {"body.terrain.shape.seed": seed, "body.terrain.shape.relief": "0.4 m", "solver.t_end": "9 s"}
    varied = carom.Model.from_file(model, set=set)
    carom.simulate(varied, out=f"{out}/{seed}")
"""


def pace(runs: int) -> tuple[float, float]:
    """Two processes by hand over ``carom sweep --jobs 2``, the mean of hand before and after; and seconds of one run."""
    rover = EXAMPLES / "rover.toml"
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "pace.study.toml"
        study.write_text(
            f"format = 1\nmodel = '{rover}'\n[vary]\n\"body.terrain.shape.seed\" = {list(range(1, runs + 1))}\n"
            '"body.terrain.shape.relief" = ["0.4 m"]\n"solver.t_end" = ["9 s"]\n'
        )

        def by_hand(name: str) -> float:
            middle = runs // 2 + 1
            parts = [(1, middle), (middle, runs + 1)]
            began = time.perf_counter()
            calls = [
                subprocess.Popen([sys.executable, "-c", BY_HAND, str(rover), f"{folder}/{name}", str(a), str(b)])
                for a, b in parts
            ]
            assert all(call.wait() == 0 for call in calls)
            return time.perf_counter() - began

        def by_sweep() -> float:
            sweep = [sys.executable, "-m", "carom", "sweep", str(study), "--out", f"{folder}/sweep", "--jobs", "2"]
            return clock(lambda: subprocess.run([*sweep, "--no-report", "-q"], check=True, stdout=subprocess.DEVNULL))

        before, swept, after = by_hand("before"), by_sweep(), by_hand("after")
        wall = carom.open_study(f"{folder}/sweep")["wall"]
        return 0.5 * (before + after) / swept, float(np.mean(wall))


def main() -> int:
    parser = argparse.ArgumentParser(description="Figures of the package")
    parser.add_argument("--pace", type=int, metavar="RUNS", help="also measure the pace of a study of so many runs")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="also look at the size of the wheel")
    given = parser.parse_args()
    bad = 0

    def say(name: str, value: float, unit: str, limit: float, *, at_least: bool = False) -> None:
        nonlocal bad
        is_good = value >= limit if at_least else value <= limit
        bad += not is_good
        word = "at least" if at_least else "at most"
        print(f"{'ok ' if is_good else 'BAD'} {name:34} {value:9.3g} {unit:3} ({word} {limit:g})", flush=True)

    say("import carom", import_time(), "s", 0.15)
    say("a step above the engine's", 1e6 * step_overhead(), "us", 3.0)
    say("a force callback", 1e6 * callback_cost(), "us", 2.0)
    seconds, is_shared = million_rows()
    say("a column of a million rows", 1e3 * seconds, "ms", 20.0)
    say("  of which copies", 0.0 if is_shared else 1.0, "", 0.0)
    if given.wheel:
        say("wheel", given.wheel.stat().st_size / 1e6, "MB", 12.0)
    if given.pace:
        relative, one = pace(given.pace)
        say(f"pace of a study of runs of {one:.2f} s", relative, "", 0.95, at_least=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
