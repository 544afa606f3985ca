"""Draws the pressure of an areal contact from above: one dot for each element at the last recorded time.

Usage: pressure.py RUN_FOLDER PAIR PICTURE.svg
"""

import math
import sys
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet

SIZE, MARGIN = 440, 50
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


def main():
    run, pair, picture = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    time, dots = elements(run, pair)
    extent = max(max(abs(x), abs(y)) for x, y, _, _ in dots) * 1.08
    largest = max(p for *_, p in dots)
    scale = SIZE / (2 * extent)
    middle = MARGIN + SIZE / 2
    width, height = SIZE + 2 * MARGIN + 90, SIZE + 2 * MARGIN
    text = 'font-family="sans-serif" font-size="13" fill="#333"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#bbb"/>',
        f'<text x="{MARGIN}" y="30" {text}>{len(dots)} elements of {pair} at {time:g} s, from above</text>',
    ]
    step = 10 ** math.floor(math.log10(extent))
    for k in range(-int(extent / step), int(extent / step) + 1):
        place = middle + k * step * scale
        label = f"{k * step:g}"
        lines.append(f'<text x="{place:.1f}" y="{MARGIN + SIZE + 18}" text-anchor="middle" {text}>{label}</text>')
        below = 2 * middle - place + 4
        lines.append(f'<text x="{MARGIN - 6}" y="{below:.1f}" text-anchor="end" {text}>{label}</text>')
    lines.append(f'<text x="{middle}" y="{MARGIN + SIZE + 38}" text-anchor="middle" {text}>x, y (m)</text>')
    for x, y, area, pressure in dots:
        radius = max(math.sqrt(area / math.pi) * scale, 1.0)
        fill = colour(pressure / largest)
        lines.append(
            f'<circle cx="{middle + x * scale:.1f}" cy="{middle - y * scale:.1f}" r="{radius:.1f}" fill="{fill}"/>'
        )
    for k in range(11):
        y = MARGIN + 220 - 20 * k
        lines.append(f'<rect x="{MARGIN + SIZE + 20}" y="{y}" width="16" height="20" fill="{colour(k / 10)}"/>')
        if k % 5 == 0:
            label = f"{largest * k / 10:.3g} Pa"
            lines.append(f'<text x="{MARGIN + SIZE + 42}" y="{y + 14}" {text}>{label}</text>')
    lines.append("</svg>")
    picture.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
