"""Studies by any executor."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from carom._carom import Ledger, make_study_run
from carom._progress import runs_bar

if TYPE_CHECKING:
    from concurrent.futures import Future

_LIVES = 3
"""Workers that a run may kill before it is a failed row."""

Folder = str | os.PathLike[str]


class Executor(Protocol):
    """What can make runs: an executor of ``concurrent.futures``, ``distributed.Client``, or anything like them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...


def sweep(
    study: Folder,
    *,
    out: Folder | None = None,
    executor: Executor | None = None,
    jobs: int | None = None,
    reports: bool = True,
    progress: bool = False,
) -> Path:
    """Has the runs of a study made that are not there yet, and gives the path of its table, as ``carom sweep`` does.

    Without an ``executor`` by ``jobs`` processes of this machine. Executors of other machines share the folder ``out``, which has
    the files of the models too; what travels is a number to the worker and one small row back. A worker that dies costs its
    run, which is tried again, alone at last; one that kills three workers, the last of them alone, is a failed row. ``reports`` are
    those of the runs, which the page of the study opens; ``progress`` shows a bar.
    """
    study = Path(study).resolve()
    folder = Path(out) if out is not None else Path("runs") / study.stem.removesuffix(".study")
    work = _Work(study, folder.resolve(), reports, progress)
    try:
        if executor is not None:
            work.by(executor)
        else:
            work.here(jobs or os.cpu_count() or 1)
    finally:
        try:
            table = work.ledger.write_table()
        finally:
            work.ledger.close()
            work.bar.close()
    return table


class _Workers:
    """Processes of this machine. They need this package alone, and do not run the script again that asks for them, as new processes of Python do."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        main = sys.modules["__main__"].__dict__
        names: tuple[str, ...] = ("__file__", "__spec__")
        kept: dict[str, Any] = {name: main[name] for name in names if name in main}
        main.pop("__file__", None)
        main["__spec__"] = None
        try:
            return self._pool.submit(fn, *args, **kwargs)
        finally:
            main.pop("__spec__")
            main.update(kept)


class _Work:
    """The runs of a study that are to be made."""

    def __init__(self, study: Path, folder: Path, reports: bool, progress: bool) -> None:
        self.ledger = Ledger(study, folder)
        self._arguments = str(study), str(folder), reports
        self._deaths: dict[int, int] = {}
        missing = len(self.ledger.missing)
        self.bar = runs_bar(missing, shown=progress)

    def here(self, jobs: int) -> None:
        """Has them made by processes. A dead worker takes its pool along, and with it the runs that were under way: these go alone,
        until the culprit is known.
        """
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        context = multiprocessing.get_context("spawn")
        alone = 0
        while missing := self.ledger.missing:
            batch = missing[:1] if alone else missing
            with ProcessPoolExecutor(min(jobs, len(batch)), mp_context=context) as pool:
                dead, broken = self._make(_Workers(pool), batch)
            if broken is None and not dead:
                alone = max(alone - 1, 0)
            elif not alone:
                alone = jobs + 1
            elif self._has_killed(batch[0], 1, is_alone=True):
                alone = 0

    def by(self, executor: Executor) -> None:
        """Has them made by an executor that replaces its workers."""
        suspects, broken = self._make(executor, self.ledger.missing)
        # Whoever was at work where one has died may be innocent: alone it shows.
        while suspects and broken is None:
            number = suspects.pop(0)
            dead, broken = self._make(executor, [number], is_alone=True)
            suspects = dead + suspects
        if broken is not None:
            raise broken

    def _make(
        self, executor: Executor, numbers: list[int], *, is_alone: bool = False
    ) -> tuple[list[int], BaseException | None]:
        """Has runs made, and keeps their rows as they come. Gives those whose workers died and that may be tried again, and what broke
        the executor itself.
        """
        from concurrent.futures import BrokenExecutor
        from queue import SimpleQueue

        done: SimpleQueue[tuple[int, Future[str]]] = SimpleQueue()
        dead: list[int] = []
        broken: BaseException | None = None
        for number in numbers:
            self._submit(executor, number, done.put)
        for _ in numbers:
            number, future = done.get()
            error = future.exception()
            if error is None:
                self.ledger.keep(future.result())
                self.bar.step()
            elif isinstance(error, BrokenExecutor):
                broken = error
            elif workers := _dead_workers(error):
                if not self._has_killed(number, workers, is_alone=is_alone):
                    dead.append(number)
            else:
                raise error
        return dead, broken

    def _submit(self, executor: Executor, number: int, tell: Callable[[tuple[int, Future[str]]], None]) -> None:
        study, folder, reports = self._arguments
        # Dask takes a call with the same arguments for the same one, and would give the death of the first for the second.
        options: dict[str, Any] = {"pure": False} if _is_dask(executor) else {}
        future = executor.submit(make_study_run, study, number, folder, reports, **options)

        def done(future: Future[str]) -> None:
            tell((number, future))

        future.add_done_callback(done)

    def _has_killed(self, number: int, workers: int, *, is_alone: bool) -> bool:
        """Counts dead workers of a run. True if it is given up."""
        self._deaths[number] = self._deaths.get(number, 0) + workers
        is_culprit = is_alone and self._deaths[number] >= _LIVES
        if is_culprit:
            self.ledger.give_up(number, self._deaths[number])
            self.bar.step()
        return is_culprit


def _is_dask(executor: Executor) -> bool:
    kind = type(executor)
    return kind.__module__.partition(".")[0] == "distributed" and kind.__name__ == "Client"


def _dead_workers(error: BaseException) -> int:
    """Workers that have died, if an executor says that."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if "KilledWorker" in names:
        # Dask has tried it again by itself.
        return int(getattr(error, "allowed_failures", 0)) + 1
    return 1 if "WorkerCrashedError" in names else 0
