"""Bars for long work: tqdm's where it is installed, else a line in the terminal."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol


class Bar(Protocol):
    """What a run tells how far it is."""

    def reach(self, now: float) -> None: ...
    def close(self) -> None: ...


class _Line:
    """A line in the terminal."""

    def __init__(self, start: float, end: float, name: str, unit: str) -> None:
        self._start, self._end, self._name, self._unit = start, end, name, unit
        self._began, self._shown = time.monotonic(), 0.0

    def reach(self, now: float) -> None:
        wall = time.monotonic() - self._began
        if wall - self._shown < 0.2 and now < self._end:
            return
        self._shown = wall
        share = (now - self._start) / (self._end - self._start) if self._end > self._start else 1.0
        left = f", {wall / share - wall:.0f} s left" if 0.0 < share < 1.0 else ""
        text = f"\r{100.0 * share:3.0f}% {self._name}{now:.6g}{self._unit}{left}   "
        print(text, end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._shown:
            print(file=sys.stderr)


class _Tqdm:
    """The bar of tqdm, in a terminal or a notebook."""

    def __init__(self, start: float, end: float, form: dict[str, Any]) -> None:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]

        self._bar = tqdm(total=end - start, **form)
        self._start = start

    def reach(self, now: float) -> None:
        self._bar.update(now - self._start - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class Count:
    """Counts runs on a bar, if there is one."""

    def __init__(self, bar: Bar | None) -> None:
        self._bar, self._count = bar, 0

    def step(self) -> None:
        """One more."""
        self._count += 1
        if self._bar is not None:
            self._bar.reach(self._count)

    def close(self) -> None:
        """No more come."""
        if self._bar is not None:
            self._bar.close()


def bar(start: float, end: float) -> Bar:
    """A bar from one time to another."""
    try:
        return _Tqdm(start, end, {"bar_format": "{l_bar}{bar}| {n:.4g}/{total:.4g} s [{elapsed}<{remaining}]"})
    except ImportError:
        return _Line(start, end, "t = ", " s")


def runs_bar(total: int, *, shown: bool) -> Count:
    """A bar over so many runs."""
    if not shown:
        return Count(None)
    try:
        return Count(_Tqdm(0, total, {"unit": "run"}))
    except ImportError:
        return Count(_Line(0, total, "", f" of {total} runs"))
