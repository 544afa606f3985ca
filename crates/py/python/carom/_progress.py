"""A bar for long runs: tqdm's where it is installed, else a line in the terminal."""

from __future__ import annotations

import sys
import time
from typing import Protocol


class Bar(Protocol):
    """What a run tells how far it is."""

    def reach(self, now: float) -> None: ...
    def close(self) -> None: ...


class _Line:
    def __init__(self, start: float, end: float) -> None:
        self._start, self._end, self._began, self._shown = start, end, time.monotonic(), 0.0

    def reach(self, now: float) -> None:
        wall = time.monotonic() - self._began
        if wall - self._shown < 0.2 and now < self._end:
            return
        self._shown = wall
        share = (now - self._start) / (self._end - self._start) if self._end > self._start else 1.0
        left = f", {wall / share - wall:.0f} s left" if 0.0 < share < 1.0 else ""
        print(f"\r{100.0 * share:3.0f}% t = {now:.6g} s{left}   ", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._shown:
            print(file=sys.stderr)


class _Tqdm:
    def __init__(self, start: float, end: float) -> None:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]

        form = "{l_bar}{bar}| {n:.4g}/{total:.4g} s [{elapsed}<{remaining}]"
        self._bar = tqdm(total=end - start, bar_format=form)
        self._start = start

    def reach(self, now: float) -> None:
        self._bar.update(now - self._start - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def bar(start: float, end: float) -> Bar:
    """A bar from one time to another."""
    try:
        return _Tqdm(start, end)
    except ImportError:
        return _Line(start, end)
