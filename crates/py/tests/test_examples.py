"""The examples in Python hold what they assert."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples" / "python"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example(path: Path) -> None:
    if "scipy" in path.read_text():
        pytest.importorskip("scipy")
    runpy.run_path(str(path), run_name="__main__")
