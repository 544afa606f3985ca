"""Studies by any executor."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from carom._carom import Ledger, make_study_run

if TYPE_CHECKING:
    from concurrent.futures import Future

_LIVES = 3
"""Workers that a run may kill before it is a failed row."""

Folder = str | os.PathLike[str]


class Executor(Protocol):
    """What can make runs: an executor of ``concurrent.futures``, ``distributed.Client``, or anything like them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...


def sweep(
    study: Folder, *, out: Folder | None = None, executor: Executor | None = None, jobs: int | None = None
) -> Path:
    """Has the runs of a study made that are not there yet, and gives the path of its table, as ``carom sweep`` does.

    Without an ``executor`` by ``jobs`` processes of this machine. Executors of other machines share the folder ``out`` and the files
    of the study by the same paths; what travels is a number to the worker and one small row back. A worker that dies costs its
    run, which is tried again; one that kills three workers is a failed row.
    """
    study = Path(study).resolve()
    folder = Path(out) if out is not None else Path("runs") / study.stem.removesuffix(".study")
    folder = folder.resolve()
    ledger = Ledger(study, folder)
    try:
        if executor is not None:
            _make(ledger, executor, study, folder)
        else:
            _make_here(ledger, study, folder, jobs or os.cpu_count() or 1)
    finally:
        table = ledger.write_table()
    return table


def _make_here(ledger: Ledger, study: Path, folder: Path, jobs: int) -> None:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    deaths: dict[int, int] = {}
    # A dead worker takes its pool along, and with it the runs that were under way: these go alone, until the culprit is known.
    alone = 0
    while missing := ledger.missing:
        batch = missing[:1] if alone else missing
        with ProcessPoolExecutor(min(jobs, len(batch)), mp_context=context) as pool:
            lived = _make(ledger, pool, study, folder, batch)
        if lived:
            alone = max(alone - 1, 0)
        elif not alone:
            alone = jobs + 1
        else:
            number = batch[0]
            deaths[number] = deaths.get(number, 0) + 1
            if deaths[number] >= _LIVES:
                ledger.give_up(number, _LIVES)
                alone = 0


def _make(
    ledger: Ledger, executor: Executor, study: Path, folder: Path, numbers: list[int] | None = None
) -> bool:
    """Has runs made, and keeps their rows as they come. False if the executor broke."""
    from concurrent.futures import BrokenExecutor
    from queue import SimpleQueue

    done: SimpleQueue[tuple[int, Future[str]]] = SimpleQueue()
    deaths: dict[int, int] = {}
    open_runs = 0

    def submit(number: int) -> None:
        def tell(future: Future[str]) -> None:
            done.put((number, future))

        executor.submit(make_study_run, str(study), number, str(folder)).add_done_callback(tell)

    broken: BaseException | None = None
    for number in ledger.missing if numbers is None else numbers:
        submit(number)
        open_runs += 1
    while open_runs:
        number, future = done.get()
        open_runs -= 1
        error = future.exception()
        if error is None:
            ledger.keep(future.result())
        elif isinstance(error, BrokenExecutor):
            broken = error
        elif _is_death(error):
            deaths[number] = deaths.get(number, 0) + 1
            if deaths[number] >= _LIVES:
                ledger.give_up(number, _LIVES)
            else:
                submit(number)
                open_runs += 1
        else:
            raise error
    if broken is not None and numbers is None:
        raise broken
    return broken is None


def _is_death(error: BaseException) -> bool:
    """Does an executor say that its worker has died?"""
    return any(kind.__name__ in ("KilledWorker", "WorkerCrashedError") for kind in type(error).__mro__)
