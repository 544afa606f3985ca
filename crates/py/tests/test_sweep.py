"""Studies: rows, bits, resumption after kills, refusals, executors."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]
import pytest

import carom

from conftest import BALL

STUDY = """
format = 1
model  = "ball.toml"
[vary]
"law.soft.point.restitution" = [0.3, 0.5]
"body.ball.mass" = { from = "1 kg", to = "3 kg", count = 3 }
[sample]
method = "sobol"
count  = 2
[sample.of]
"law.soft.mu" = { uniform = [0.1, 0.3] }
[result]
touch   = "ground.begin[0].time"
again   = "ground.begin[1].time"
hardest = "ground.fn max"
"""

DETERMINISTIC = ("run", "law.soft.point.restitution", "body.ball.mass", "law.soft.mu", "touch", "again", "hardest")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "ball.toml").write_text(BALL)
    file = tmp_path / "soft.study.toml"
    file.write_text(STUDY)
    return file


def command(study: Path, out: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "carom", "sweep", str(study), "--out", str(out), "-q", *more]


def run(study: Path, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(study, out, *more), capture_output=True, text=True, check=False)


def table(out: Path) -> Any:
    return pyarrow.parquet.read_table(out / "study.parquet")


def same(one: Any, other: Any, names: tuple[str, ...] = (*DETERMINISTIC, "end", "code", "steps")) -> bool:
    return all(one.column(name).to_pylist() == other.column(name).to_pylist() for name in names)


def test_a_study_is_one_row_a_run_with_the_bits_of_the_run_alone(study: Path, tmp_path: Path) -> None:
    done = run(study, tmp_path / "out", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    rows = table(tmp_path / "out")
    assert rows.column("run").to_pylist() == list(range(1, 13))
    assert set(rows.column("end").to_pylist()) == {"finished"}
    # The last key goes first: mass of rows 1, 3, 5, each with the two points of the sample.
    assert rows.column("body.ball.mass").to_pylist()[:6] == [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
    assert rows.column("law.soft.mu").to_pylist()[:2] == [0.1 + 0.5 * (0.3 - 0.1), 0.1 + 0.75 * (0.3 - 0.1)]
    assert np.allclose(rows.column("touch").to_pylist(), np.sqrt(2.0 * 0.5 / 9.81), rtol=1e-10, atol=0.0)
    restitution, mass, mu = (rows.column(name)[4].as_py() for name in DETERMINISTIC[1:4])
    model = carom.Model.from_file(
        tmp_path / "ball.toml",
        set={"law.soft.point.restitution": restitution, "body.ball.mass": f"{mass!r} kg", "law.soft.mu": mu},
    )
    result = carom.simulate(model)
    begins = result.events["time"][result.events["kind"] == "contact_begin"]
    assert rows.column("again")[4].as_py() == begins[1]
    stored = carom.open(tmp_path / "out" / rows.column("folder")[4].as_py())
    assert np.array_equal(stored["ball.z"], result["ball.z"])
    # Nothing is done twice.
    before = (tmp_path / "out" / "runs" / "000001" / "run.json").stat().st_mtime_ns
    assert run(study, tmp_path / "out").returncode == 0
    assert (tmp_path / "out" / "runs" / "000001" / "run.json").stat().st_mtime_ns == before
    assert same(table(tmp_path / "out"), rows, (*DETERMINISTIC, "wall_s", "host"))


def test_shards_and_kills_lead_to_the_same_table(study: Path, tmp_path: Path) -> None:
    study.write_text(STUDY.replace("count = 3", "count = 6"))
    whole, killed, parts = tmp_path / "whole", tmp_path / "killed", tmp_path / "parts"
    assert run(study, whole, "--jobs", "2").returncode == 0
    for pause in (0.4, 0.7, 0.5):
        process = subprocess.Popen(command(study, killed, "--jobs", "2"), stdout=subprocess.DEVNULL)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert run(study, killed, "--jobs", "2").returncode == 0
    assert same(table(whole), table(killed))
    for part in ("2/3", "1/3", "3/3"):
        assert run(study, parts, "--shard", part).returncode == 0
    assert same(table(whole), table(parts))


def test_five_kills_at_random_cost_nothing_but_time(study: Path, tmp_path: Path) -> None:
    study.write_text(STUDY.replace("count = 3", "count = 10"))
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert run(study, whole, "--jobs", "2").returncode == 0
    rows = killed / "rows-1-of-1.jsonl"
    chance = random.Random(1)
    finished: dict[str, int] = {}
    kills = 0
    while kills < 5:
        process = subprocess.Popen(command(study, killed, "--jobs", "2"), stdout=subprocess.DEVNULL)
        before = len(rows.read_text().splitlines()) if rows.exists() else 0
        # Some rows later, and then anywhere in a run.
        while len(rows.read_text().splitlines() if rows.exists() else []) < before + 2 and process.poll() is None:
            time.sleep(0.005)
        time.sleep(0.1 * chance.random())
        assert process.poll() is None, "it was to be killed before it had all"
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        for line in rows.read_text().splitlines(keepends=True):
            if line.endswith("\n") and (row := json.loads(line))["end"] == "finished":
                made = (killed / row["folder"] / "run.json").stat().st_mtime_ns
                assert finished.setdefault(row["folder"], made) == made, "a finished run was made again"
    assert run(study, killed, "--jobs", "2").returncode == 0
    for folder, made in finished.items():
        assert (killed / folder / "run.json").stat().st_mtime_ns == made
    assert same(table(whole), table(killed), tuple(set(table(whole).column_names) - {"wall_s", "host", "folder"}))
    assert table(whole).column("folder").to_pylist() == table(killed).column("folder").to_pylist()


def test_a_study_has_a_page_whose_points_open_reports(study: Path, tmp_path: Path) -> None:
    assert run(study, tmp_path / "out", "--jobs", "2").returncode == 0
    page = (tmp_path / "out" / "study.html").read_text()
    links = set(re.findall(r'href="(runs/[^"]+)"', page))
    assert len(links) == 12 and all((tmp_path / "out" / link).is_file() for link in links)
    assert page.count("<circle data-run=") == 12 * 3 * 3, "each result over each key"
    assert "http" not in page
    assert run(study, tmp_path / "bare", "--no-report").returncode == 0
    assert not list((tmp_path / "bare" / "runs").glob("*/report.html"))
    bare = (tmp_path / "bare" / "study.html").read_text()
    assert bare.count("<circle data-run=") == 12 * 3 * 3 and not re.findall(r'href="runs/', bare)
    # Reports come later without a run made again.
    made = (tmp_path / "bare" / "runs" / "000001" / "run.json").stat().st_mtime_ns
    (tmp_path / "bare" / "rows-1-of-1.jsonl").unlink()
    assert run(study, tmp_path / "bare").returncode == 0
    assert len(list((tmp_path / "bare" / "runs").glob("*/report.html"))) == 12
    assert (tmp_path / "bare" / "runs" / "000001" / "run.json").stat().st_mtime_ns == made


def test_a_result_may_be_at_any_time(study: Path, tmp_path: Path) -> None:
    vary = '[vary]\n"law.soft.mu" = [0.3]\n'
    study.write_text('format = 1\nmodel = "ball.toml"\n' + vary + '[result]\nfalls = "ball.vz @ 0.1234567 s"\n')
    assert run(study, tmp_path / "out").returncode == 0
    found = table(tmp_path / "out").column("falls").to_pylist()[0]
    assert abs(found + 9.81 * 0.1234567) < 1e-9, found


def test_runs_that_fail_are_rows_with_their_code(study: Path, tmp_path: Path) -> None:
    study.write_text(
        'format = 1\nmodel = "ball.toml"\n[vary]\n"solver.max_steps" = [100000, 20]\n"law.soft.mu" = [0.3, -1.0]\n'
    )
    assert run(study, tmp_path / "out").returncode == 0
    rows = table(tmp_path / "out")
    assert rows.column("end").to_pylist() == ["finished", "refused", "failed", "refused"]
    codes = rows.column("code").to_pylist()
    assert codes[0] == "" and codes[2].startswith("E06") and codes[1] == codes[3] != ""


def test_what_does_not_exist_is_refused_before_the_first_run(study: Path, tmp_path: Path) -> None:
    for old, new, code in [
        ("law.soft.mu", "law.soft.myu", "E0208"),
        ("ground.fn max", "grund.fn max", "E0707"),
        ("sobol", "halton", "E0901"),
        ('"3 kg"', '"3 s"', "E0901"),
        ("[result]", "[results]", "E0901"),
    ]:
        study.write_text(STUDY.replace(old, new))
        done = run(study, tmp_path / "out")
        assert done.returncode == 2 and code in done.stderr, (old, done.stderr)
        assert not (tmp_path / "out").exists()
    study.write_text(STUDY)
    dry = run(study, tmp_path / "out", "--dry-run", "--shard", "1/6")
    assert len(dry.stdout.splitlines()) == 2 and "body.ball.mass" in dry.stdout
    assert run(study, tmp_path / "out").returncode == 0
    study.write_text(STUDY.replace("0.5]", "0.6]"))
    other = run(study, tmp_path / "out")
    assert other.returncode == 2 and "E0903" in other.stderr
    with pytest.raises(carom.ResultError) as caught:
        carom.sweep(study, out=tmp_path / "out")
    assert caught.value.code == "E0903"


def test_any_executor_makes_the_same_table(study: Path, tmp_path: Path) -> None:
    assert run(study, tmp_path / "command").returncode == 0
    with ThreadPoolExecutor(2) as pool:
        assert carom.sweep(study, out=tmp_path / "threads", executor=pool) == tmp_path / "threads" / "study.parquet"
    carom.sweep(study, out=tmp_path / "processes", jobs=2)
    assert same(table(tmp_path / "command"), table(tmp_path / "threads"))
    assert same(table(tmp_path / "command"), table(tmp_path / "processes"))


class Deadly:
    """Processes, of which each dies in one of the runs."""

    def __init__(self, number: int) -> None:
        self.number, self.asked = number, 0

    def submit(self, fn: Callable[..., str], /, study: str, number: int, *more: Any) -> Future[str]:
        future: Future[str] = Future()
        if number == self.number:
            self.asked += 1
            future.set_exception(WorkerCrashedError())
        else:
            future.set_result(fn(study, number, *more))
        return future


class WorkerCrashedError(Exception):
    """As Ray says it."""


def test_a_run_that_kills_three_workers_is_a_failed_row(study: Path, tmp_path: Path) -> None:
    assert run(study, tmp_path / "command").returncode == 0
    executor = Deadly(3)
    carom.sweep(study, out=tmp_path / "deadly", executor=executor, reports=False)
    deadly, whole = table(tmp_path / "deadly"), table(tmp_path / "command")
    assert executor.asked == 3
    assert deadly.column("end")[2].as_py() == "killed" and deadly.column("code")[2].as_py() == "E0902"
    kept = [row for row in range(12) if row != 2]
    assert same(deadly.take(kept), whole.take(kept))


def test_a_scheduler_that_is_not_there_is_said(study: Path) -> None:
    script = "import sys, carom.__main__ as m; sys.exit(m.main())"
    command = [sys.executable, "-c", script, "sweep", str(study), "--scheduler", "tcp://127.0.0.1:9"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and ("no scheduler" in done.stderr or "carom[dask]" in done.stderr)


def test_a_study_goes_on_with_the_files_that_it_began_with(study: Path, tmp_path: Path) -> None:
    """Its folder has them by hash: workers need no other place, and what is changed meanwhile is in no run."""
    mesh = tmp_path / "parts" / "wedge.obj"
    mesh.parent.mkdir()
    corners = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\n"
    mesh.write_text(corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    shape = 'shape = { type = "mesh", file = "parts/wedge.obj", unit = "cm" }'
    (tmp_path / "ball.toml").write_text(f'{BALL}\n[body.wedge]\nfixed = true\npos = ["5 m", 0, 0]\n{shape}\n')
    assert run(study, tmp_path / "whole").returncode == 0
    kept = tmp_path / "moved" / "inputs"

    class Elsewhere:
        """Workers without the place where the study was written."""

        def submit(self, fn: Callable[..., str], /, study: str, number: int, *more: Any) -> Future[str]:
            future: Future[str] = Future()
            if number == 4:
                mesh.write_text(corners.replace("2", "3") + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
                (tmp_path / "ball.toml").write_text(BALL.replace('"2 kg"', '"7 kg"'))
            future.set_result(fn("/no/such/study.toml", number, *more))
            return future

    carom.sweep(study, out=tmp_path / "moved", executor=Elsewhere(), reports=False)
    assert same(table(tmp_path / "whole"), table(tmp_path / "moved"))
    assert (kept / "parts" / "wedge.obj").is_file() and (kept / "ball.toml").is_file()
    # It is not gone on with from files that are others.
    (tmp_path / "moved" / "rows-1-of-1.jsonl").write_text("")
    refused = run(study, tmp_path / "moved")
    assert refused.returncode == 2 and "E0903" in refused.stderr
    (tmp_path / "ball.toml").write_text((kept / "ball.toml").read_text())
    refused = run(study, tmp_path / "moved")
    assert refused.returncode == 2 and "E0903" in refused.stderr, "the mesh is another one"
    mesh.write_text((kept / "parts" / "wedge.obj").read_text())
    assert run(study, tmp_path / "moved").returncode == 0
    assert same(table(tmp_path / "whole"), table(tmp_path / "moved"))


@pytest.mark.parametrize("by_stdin", [False, True])
def test_a_plain_script_may_sweep(study: Path, tmp_path: Path, by_stdin: bool) -> None:
    # Without `if __name__ == "__main__":` new processes of Python would run it again, and each of them sweep.
    text = f"import carom\nprint('began')\ncarom.sweep({str(study)!r}, out={str(tmp_path / 'out')!r}, jobs=2)\n"
    script = tmp_path / "plain.py"
    script.write_text(text)
    given = [] if by_stdin else [str(script)]
    done = subprocess.run(
        [sys.executable, *given], input=text, capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout.count("began")) == (0, 1), done.stderr
    assert set(table(tmp_path / "out")["end"].to_pylist()) == {"finished"}
