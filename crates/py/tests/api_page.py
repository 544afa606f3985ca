"""Makes docs/python-api.md of the stubs and of the docstrings behind them."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import carom

PACKAGE = Path(inspect.getfile(carom)).parent
HEAD = """# Python, name by name

Made of the type stubs and the docstrings of the package (`UPDATE_DOCS=1 pytest crates/py/tests/test_api_page.py`); docs/python.md says how
it fits together. Everything is in SI units and world axes.
"""
ALIASES = {
    "_Array": "ndarray",
    "_Path": "Path",
    "_Time": "float | str",
    "_Loads": "Literal['none', 'gravity', 'all']",
    "_Force": "Callable",
    "_F": "Callable",
}
ROOMS = [
    ("Functions", ["simulate", "open", "compare", "sweep", "open_study", "example"]),
    ("Models", ["Model", "Section", "Builder", "Shape", "Part", "Check", "Diagnostic"]),
    ("Shapes of a builder", ["Sphere", "Box", "Cylinder", "Capsule", "HalfSpace", "Mesh"]),
    ("Simulations", ["Simulation", "StateView", "Body", "Joint", "Event", "Snapshot"]),
    ("Results", ["Result", "Series", "Table", "Comparison", "Difference"]),
    ("Analyses", ["Equilibrium", "Modes", "Equations", "Dynamics", "Derivatives"]),
]


def definitions() -> dict[str, ast.ClassDef | ast.FunctionDef]:
    """What the package exports, by its source: the stubs of the library, and modules of Python."""
    found: dict[str, ast.ClassDef | ast.FunctionDef] = {}
    for path in [*sorted(PACKAGE.glob("_*.py")), PACKAGE / "_carom.pyi"]:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in carom.__all__:
                found[node.name] = node
    return found


def plain(text: str) -> str:
    """A docstring as Markdown: words in double backquotes become code, examples a block."""
    text = inspect.cleandoc(text)
    prose, mark, example = text.partition(">>> ")
    prose = re.sub(r"``([^`]+)``", r"`\1`", prose.strip())
    # Signs that open something in Markdown.
    prose = re.sub(r"(?<![`*])\*(?![*`])", r"\\*", prose) if "*" in prose and "`" not in prose else prose
    return prose + (f"\n\n```python\n{mark}{example.rstrip()}\n```" if mark else "")


def signature(node: ast.FunctionDef) -> str:
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^self(, )?|^cls(, )?", "", arguments)
    gives = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return named(f"({arguments}){gives}")


def named(text: str) -> str:
    """Types by the names that a user knows."""
    for alias, known in ALIASES.items():
        text = re.sub(rf"\b{alias}\b", known, text)
    return text.replace("_carom.", "")


def members(name: str, node: ast.ClassDef) -> list[str]:
    owner: Any = getattr(carom, name)
    lines: list[str] = []
    following = [*node.body[1:], None]
    for item, after in zip(node.body, following, strict=True):
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
            known = getattr(owner, item.name)
            text = plain(getattr(known, "__doc__", None) or "")
            is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in item.decorator_list)
            gives = f": {ast.unparse(item.returns)}" if item.returns is not None else ""
            shown = item.name + (gives if is_property else signature(item))
            shown = named(shown)
            lines.append(f"- `{shown}` " + text.replace("\n", "\n  "))
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            told = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            lines.append(f"- `{item.target.id}: {ast.unparse(item.annotation)}` {plain(str(told))}".rstrip())
    return lines


def page() -> str:
    found = definitions()
    parts = [HEAD]
    shown: set[str] = set()
    errors = [name for name in found if inspect.isclass(getattr(carom, name)) and issubclass(getattr(carom, name), BaseException)]
    for title, names in [*ROOMS, ("Errors", errors)]:
        parts.append(f"## {title}\n")
        for name in names:
            shown.add(name)
            node = found[name]
            owner: Any = getattr(carom, name)
            if isinstance(node, ast.FunctionDef):
                parts.append(f"### {name}\n\n`carom.{name}{signature(node)}`\n\n{plain(owner.__doc__ or '')}\n")
                continue
            lines = members(name, node)
            base = f" ({', '.join(ast.unparse(b) for b in node.bases)})" if title == "Errors" and node.bases else ""
            body = "\n\n" + "\n".join(lines) if lines else ""
            parts.append(f"### {name}\n\n{plain(owner.__doc__ or '')}{base}{body}\n")
    left = sorted(set(carom.__all__) - shown)
    assert not left, f"no place on the page: {left}"
    return "\n".join(parts)
