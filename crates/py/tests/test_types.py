"""Docstrings run as they stand, and importing is quick."""

from __future__ import annotations

import doctest
import subprocess
import sys

import carom
from carom import _carom, _simulate


def test_docstrings_run() -> None:
    for module in (carom, _simulate):
        assert doctest.testmod(module).failed == 0
    finder = doctest.DocTestFinder()
    runner = doctest.DocTestRunner()
    tried = 0
    for name in vars(_carom)["__all__"]:
        for test in finder.find(getattr(_carom, name), name, globs={}):
            tried += len(test.examples)
            runner.run(test)
    assert runner.summarize().failed == 0 and tried > 5


def test_importing_takes_no_numpy() -> None:
    script = "import sys, carom; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
