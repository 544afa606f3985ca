"""Monte Carlo of the rover: how far it comes in two seconds on terrains that nobody has chosen, and what its feet bear.

``python rover_terrains.py 200`` makes the study of 200 terrains by all cores; a kill costs the runs under way alone, and the same
command goes on. The page ``study.html`` in its folder has the runs side by side.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

import carom

ROVER = Path(__file__).resolve().parent.parent / "rover.toml"

STUDY = """
format = 1
model  = '{model}'

[vary]
"body.terrain.shape.relief" = ["0.4 m"]     # lower than the rover's: none of them reaches its feet at the start
"body.terrain.shape.seed" = {seeds}

[result]
way       = "middle.chassis.x @ end"
drift     = "middle.chassis.y @ end"
steps     = "feet.begin count"
hardest   = "feet.fn max"
imbalance = "energy.residual_relative final"
"""


def main(terrains: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    study = folder / "terrains.study.toml"
    study.write_text(STUDY.format(model=ROVER, seeds=list(range(1, terrains + 1))))
    out = folder / "terrains"
    carom.sweep(study, out=out, reports=terrains <= 20, progress=True)
    rows = carom.open_study(out)
    finished = rows["end"] == "finished"
    # It starts 4.8 m behind the middle of the terrain.
    way = rows["way"][finished] + 4.8
    low, middle, high = np.quantile(way, [0.05, 0.5, 0.95])
    print(f"{finished.sum()} of {terrains} runs finished; way {middle:.3f} m, 90 % of them between {low:.3f} and {high:.3f} m")
    print(f"hardest step {rows['hardest'][finished].max():.0f} N, drift up to {abs(rows['drift'][finished]).max():.3f} m")
    # Rimless wheels go between a third of the triangle's sides and of the circle: 0.28 and 0.34 m/s.
    assert finished.all() and 0.28 * 1.5 < middle < 0.34 * 2.5
    assert abs(rows["imbalance"][finished]).max() < 5e-3


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    if len(sys.argv) > 2:
        main(count, Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(count, Path(temporary))
