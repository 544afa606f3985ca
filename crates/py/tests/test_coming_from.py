"""The pendulum and the ball of docs/coming-from.md: Carom's to many digits, others' as near as they say, where they are installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp  # type: ignore[import-untyped, unused-ignore]

PAGE = (Path(__file__).parents[3] / "docs" / "coming-from.md").read_text(encoding="utf-8")
PACKAGES = {"Carom": "carom", "MuJoCo": "mujoco", "Drake": "pydrake", "Exudyn": "exudyn"}
FALL = np.sqrt(2.0 * 0.5 / 9.81)


def block(section: str, name: str) -> str:
    """Code of a simulator in a section of the page."""
    body = PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    found = re.search(rf"### {name}\n\n```python\n(.*?)```", body, re.S)
    assert found, (section, name)
    return found.group(1)


def run(section: str, name: str) -> dict[str, Any]:
    pytest.importorskip(PACKAGES[name])
    names: dict[str, Any] = {}
    exec(compile(block(section, name), f"{section}, {name}", "exec"), names)
    return names


def angle_of_pendulum() -> float:
    """J a'' = -m g l cos(a), which falls from level: an independent integrator."""
    inertia, weight = 0.01 + 0.5**2, 9.81 * 0.5
    done = solve_ivp(lambda t, y: [y[1], -weight / inertia * np.cos(y[0])], (0, 1), [0, 0], rtol=1e-12, atol=1e-12)
    return float(done.y[0, -1])


@pytest.mark.parametrize("name", PACKAGES)
def test_pendulum(name: str) -> None:
    # Carom's rtol is 1e-6; of the others the steps are those of the page.
    within = 2e-6 if name == "Carom" else 1e-4
    assert abs(run("The pendulum", name)["angle"] - angle_of_pendulum()) < within


@pytest.mark.parametrize("name", PACKAGES)
def test_ball(name: str) -> None:
    ball = run("The ball", name)
    # Steps of the others are 0.1 ms. The closed form is a rigid ball's: gravity goes on working while it sinks in by 1.3 mm.
    within = (1e-9, 1.4e-3) if name == "Carom" else (2e-4, 2e-3)
    assert abs(ball["touch"] - FALL) < within[0]
    assert abs(ball["height"] - 0.125) < within[1]


def test_chrono_has_its_place() -> None:
    for section in ("The pendulum", "The ball"):
        compile(block(section, "Chrono"), section, "exec")
