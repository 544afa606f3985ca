"""A study on two workers of Dask, one of which is killed; then one whose run kills every worker that it meets. Run by test_dask.py,
away from pytest: Dask starts processes, and warns of those that die.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import distributed  # type: ignore[import-untyped, import-not-found, unused-ignore]
from dask import config  # type: ignore[import-untyped, import-not-found, unused-ignore]

import carom

KILLER = 5


def make_or_die(make: Callable[..., str], study: str, number: int, *more: Any) -> str:
    """A run that takes its worker along."""
    if number == KILLER:
        os.kill(os.getpid(), signal.SIGKILL)
    return make(study, number, *more)


class Deadly:
    """A client on which one run kills."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return self._client.submit(make_or_die, fn, *args, pure=False, **kwargs)


def kill_one(client: Any, out: Path, killed: list[int]) -> None:
    """Kills a worker as soon as there are rows."""
    pids = list(client.run(os.getpid).values())
    rows = out / "rows-1-of-1.jsonl"
    while not rows.exists() or len(rows.read_text().splitlines()) < 3:
        time.sleep(0.01)
    os.kill(pids[0], signal.SIGKILL)
    killed.append(pids[0])


def main(study: Path, folder: Path) -> None:
    dask = cast(Any, distributed)
    # Dask gives a run up at the second worker that it kills, and not at the fourth.
    cast(Any, config).set({"distributed.scheduler.allowed-failures": 1})
    two = dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with two as cluster, dask.Client(cluster) as client:
        killed: list[int] = []
        thread = threading.Thread(target=kill_one, args=(client, folder / "killed", killed))
        thread.start()
        carom.sweep(study, out=folder / "killed", executor=client)
        thread.join()
        assert killed, "a worker was killed while rows were still to come"
        with client.get_executor() as executor:
            carom.sweep(study, out=folder / "executor", executor=executor)
        client.wait_for_workers(2, timeout=60)
        command = [sys.executable, "-m", "carom", "sweep", str(study), "--out", str(folder / "command")]
        subprocess.run([*command, "--scheduler", cluster.scheduler_address, "-q"], check=True, timeout=120)
        carom.sweep(study, out=folder / "deadly", executor=Deadly(client))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
