"""The tutorial runs from top to bottom, and shows what a notebook would show."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

TUTORIAL = Path(__file__).parents[3] / "docs" / "tutorial.ipynb"


def run_cell(source: str, names: dict[str, Any]) -> object:
    """Runs a cell; the value of its last expression is what it shows."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        last = None
    else:
        tree.body.pop()
    exec(compile(tree, str(TUTORIAL), "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), str(TUTORIAL), "eval"), names)


def test_the_tutorial_runs() -> None:
    notebook = json.loads(TUTORIAL.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = [value for cell in cells if (value := run_cell(cell, names)) is not None]
    pages = [show() for value in shown for form in ("svg", "html") if (show := getattr(value, f"_repr_{form}_", None))]
    assert len(pages) >= 5 and all(page.startswith(("<svg", "<iframe", "<table")) for page in pages)
