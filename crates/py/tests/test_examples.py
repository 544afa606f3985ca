"""The examples in Python hold what they assert."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples" / "python"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example(path: Path) -> None:
    for needed, package in (("scipy", "scipy"), ("carom.gym", "gymnasium")):
        if needed in path.read_text():
            pytest.importorskip(package)
    done = subprocess.run([sys.executable, "-W", "error", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout, "it says what has come of it"
