"""Draws the pressure of an areal contact, from above and over the distance from the z axis: one dot for each element at
the last recorded time.

Usage: pressure.py RUN_FOLDER PAIR PICTURE.svg
"""

import math
import sys
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet

SIZE, MARGIN, GAP = 400, 60, 90
# Ends and middle of the colours, from no pressure to the largest.
COLOURS = [(0xDC, 0xE9, 0xF7), (0x3A, 0x86, 0xC8), (0x0B, 0x1F, 0x4B)]


def colour(share):
    """Colour of a share 0 to 1 of the largest pressure."""
    place = min(max(share, 0.0), 1.0) * (len(COLOURS) - 1)
    k = min(int(place), len(COLOURS) - 2)
    mixed = (round(a + (b - a) * (place - k)) for a, b in zip(COLOURS[k], COLOURS[k + 1]))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def elements(run, pair):
    """Position (m), area (m²) and pressure (Pa) of the elements of a pair at the last recorded time."""
    file = run / "elements.parquet"
    if not file.exists():
        raise SystemExit(f"{run}: no table of elements; the model needs output.patches")
    table = pyarrow.parquet.read_table(file)
    table = table.filter(pc.equal(table["pair"], pair))
    if table.num_rows == 0:
        raise SystemExit(f"{run}: pair {pair} has no elements")
    last = pc.max(table["time_s"])
    table = table.filter(pc.equal(table["time_s"], last))
    columns = ["px_m", "py_m", "area_m2", "pressure_pa"]
    return last.as_py(), list(zip(*(table[c].to_pylist() for c in columns)))


class Panel:
    """A square with its axes: from (x0, y0) to (x1, y1) in the units of its data."""

    def __init__(self, left, x, y, title):
        self.left, self.x, self.y = left, x, y
        bottom = MARGIN + SIZE
        self.lines = [
            f'<rect x="{left}" y="{MARGIN}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#bbb"/>',
            f'<text x="{left}" y="{MARGIN - 12}">{title}</text>',
        ]
        for tick in ticks(*x):
            self.lines.append(
                f'<text x="{self.across(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>'
            )
        for tick in ticks(*y):
            self.lines.append(f'<text x="{left - 6}" y="{self.up(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')

    def across(self, value):
        return self.left + SIZE * (value - self.x[0]) / (self.x[1] - self.x[0])

    def up(self, value):
        return MARGIN + SIZE * (self.y[1] - value) / (self.y[1] - self.y[0])

    def dot(self, x, y, radius, fill):
        self.lines.append(f'<circle cx="{self.across(x):.1f}" cy="{self.up(y):.1f}" r="{radius:.1f}" fill="{fill}"/>')


def ticks(low, high):
    """Round numbers between two ends, four to nine."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= max(m for m in (1, 2, 5) if (high - low) / (m * step) >= 4)
    return [round(k * step, 12) for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def main():
    run, pair, picture = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    time, dots = elements(run, pair)
    extent = max(max(abs(x), abs(y)) for x, y, _, _ in dots) * 1.1
    largest = max(p for *_, p in dots)
    distances = [math.hypot(x, y) for x, y, _, _ in dots]
    spare = 0.1 * (max(distances) - min(distances))
    plan = Panel(MARGIN, (-extent, extent), (-extent, extent), f"{len(dots)} elements at {time:g} s: y over x (m)")
    profile = Panel(
        MARGIN + SIZE + GAP,
        (min(distances) - spare, max(distances) + spare),
        (0.0, 1.1 * largest),
        "pressure (Pa) over distance from z (m)",
    )
    scale = SIZE / (2 * extent)
    for (x, y, area, pressure), distance in zip(dots, distances):
        plan.dot(x, y, max(math.sqrt(area / math.pi) * scale, 1.0), colour(pressure / largest))
        profile.dot(distance, pressure, 1.5, colour(pressure / largest))
    width, height = 2 * SIZE + MARGIN + GAP + 30, SIZE + 2 * MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">'
    )
    lines = [head, '<rect width="100%" height="100%" fill="#fff"/>', *plan.lines, *profile.lines, "</svg>"]
    picture.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
