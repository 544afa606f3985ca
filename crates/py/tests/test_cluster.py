"""The files for clusters, as far as one machine goes: tasks of an array side by side, one of them killed and requeued; Ray."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from test_sweep import run, same, study, table  # noqa: F401  (study is a fixture)

CLUSTER = Path(__file__).parents[3] / "examples" / "cluster"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH with the command of this package first."""
    command = tmp_path / "bin" / "carom"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m carom "$@"\n')
    command.chmod(0o755)
    return f"{command.parent}{os.pathsep}{os.environ['PATH']}"


def test_tasks_of_an_array_make_one_table(study: Path, tmp_path: Path, path: str) -> None:  # noqa: F811
    assert run(study, tmp_path / "whole").returncode == 0

    def task(number: int) -> subprocess.Popen[bytes]:
        array = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_CPUS_PER_TASK": "1", "PATH": path}
        call = ["sh", str(CLUSTER / "slurm.sh"), str(study), str(tmp_path / "array")]
        return subprocess.Popen(call, env={**os.environ, **array}, stdout=subprocess.DEVNULL)

    tasks = [task(number) for number in (1, 2, 3)]
    rows = tmp_path / "array" / "rows-2-of-3.jsonl"
    while not rows.exists() or not rows.read_text():
        time.sleep(0.005)
    tasks[1].kill()
    tasks[1].wait()
    requeued = task(2)
    assert [done.wait() for done in (tasks[0], tasks[2], requeued)] == [0, 0, 0]
    assert same(table(tmp_path / "whole"), table(tmp_path / "array"))


def test_a_study_on_ray_has_the_same_table(study: Path, tmp_path: Path) -> None:  # noqa: F811
    pytest.importorskip("ray")
    assert run(study, tmp_path / "here").returncode == 0
    call = [sys.executable, str(CLUSTER / "ray_study.py"), str(study), str(tmp_path / "ray")]
    done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    assert same(table(tmp_path / "here"), table(tmp_path / "ray"))
