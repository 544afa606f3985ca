"""Two runs side by side."""

from __future__ import annotations

from typing import NamedTuple

import carom._carom as _carom


class Difference(NamedTuple):
    """How far a quantity of one run is from that of another, at output times of the first."""

    name: str
    """Quantity with its unit."""
    largest: float
    """Largest difference."""
    time: float
    """When (s)."""
    relative: float
    """Largest difference over the range that the quantity goes through; of one that stays, over its size."""


class Comparison:
    """What ``compare`` has found, the largest relative difference first."""

    def __init__(self, differences: list[Difference], same_bits: bool, only_in: tuple[list[str], list[str]]) -> None:
        self.differences = differences
        self.same_bits = same_bits
        """All tables have the same rows, bit for bit."""
        self.only_in = only_in
        """Quantities that only the first, and only the second run has."""

    @property
    def largest(self) -> float:
        """Largest relative difference of all quantities."""
        return max((difference.relative for difference in self.differences), default=0.0)

    def __repr__(self) -> str:
        if self.same_bits:
            return "<carom.Comparison: the same bits>"
        head = f"<carom.Comparison: {len(self.differences)} quantities, {self.largest:.2g} of their range apart at most"
        rows = [f"  {d.name}: {d.largest:.6g} at {d.time:.6g} s ({d.relative:.2g})" for d in self.differences[:5]]
        return "\n".join([head, *rows]) + ">"


def compare(one: _carom.Result, other: _carom.Result) -> Comparison:
    """Compares two runs quantity by quantity over the time that both have; between output times that they do not share, the second one
    is interpolated linearly.

    >>> import carom
    >>> ball = carom.example("bouncing-ball")
    >>> carom.compare(carom.simulate(ball), carom.simulate(ball))
    <carom.Comparison: the same bits>
    """
    import numpy as np

    names, others = one.quantities(), other.quantities()
    known = set(others)
    times = one.time
    end = min(times[-1], other.time[-1]) if len(times) and len(other.time) else -np.inf
    differences: list[Difference] = []
    for name in names:
        if name not in known:
            continue
        a, b = one.series(name), other.series(name)
        both = a.time <= end
        at, values = a.time[both], a.values[both]
        if not len(at) or not len(b.time):
            continue
        mapped = np.interp(at, b.time, b.values)
        off = np.abs(values - mapped)
        worst = int(np.nanargmax(off)) if not np.isnan(off).all() else 0
        spread = float(np.nanmax(values) - np.nanmin(values)) if not np.isnan(values).all() else 0.0
        size = spread or float(np.nanmax(np.abs(values), initial=0.0))
        largest = float(np.nan_to_num(off[worst]))
        relative = largest / size if size > 0.0 else (0.0 if largest == 0.0 else np.inf)
        differences.append(Difference(name, largest, float(at[worst]), float(relative)))
    differences.sort(key=lambda difference: -difference.relative)
    only = ([n for n in names if n not in known], [n for n in others if n not in set(names)])
    return Comparison(differences, _same_bits(one, other), only)


def _same_bits(one: _carom.Result, other: _carom.Result) -> bool:
    import numpy as np

    for name in ("states", "contacts", "events", "episodes", "energy"):
        a, b = one.table(name), other.table(name)
        if a.columns != b.columns or len(a) != len(b):
            return False
        if not all(np.array_equal(a[c], b[c], equal_nan=a[c].dtype != object) for c in a):
            return False
    return True
