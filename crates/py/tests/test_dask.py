"""Studies on Dask: the same table as on this machine, whichever worker dies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from test_sweep import run, same, study, table  # noqa: F401  (study is a fixture)


def test_a_study_on_dask_has_the_same_table_whoever_dies(study: Path, tmp_path: Path) -> None:  # noqa: F811
    pytest.importorskip("distributed")
    assert run(study, tmp_path / "here", "--jobs", "2").returncode == 0
    script = Path(__file__).with_name("dask_study.py")
    done = subprocess.run(
        [sys.executable, str(script), str(study), str(tmp_path)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    whole = table(tmp_path / "here")
    for way in ("killed", "executor", "command"):
        assert same(whole, table(tmp_path / way)), way
        rows = (tmp_path / way / "rows-1-of-1.jsonl").read_text().splitlines()
        assert len(rows) == len(whole), "each run has one row"
    deadly = table(tmp_path / "deadly")
    ends = deadly.column("end").to_pylist()
    assert ends.pop(4) == "killed" and set(ends) == {"finished"}
    assert deadly.column("code")[4].as_py() == "E0902"
    kept = [row for row in range(len(whole)) if row != 4]
    assert same(whole.take(kept), deadly.take(kept))
