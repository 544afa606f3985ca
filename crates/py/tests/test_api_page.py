"""The page of the API says what the stubs and docstrings say."""

from __future__ import annotations

import os
from pathlib import Path

import carom
from carom import _carom

from api_page import page

PAGE = Path(__file__).parents[3] / "docs" / "python-api.md"


def test_the_page_is_that_of_the_stubs() -> None:
    made = page()
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(made, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == made, "UPDATE_DOCS=1 writes it anew"


def test_everything_has_a_docstring() -> None:
    for name in carom.__all__:
        owner = getattr(carom, name)
        assert owner.__doc__, name
        for member, value in vars(owner).items() if isinstance(owner, type) else ():
            is_own = getattr(owner, "__module__", "").startswith(("carom", "builtins"))
            if is_own and not member.startswith("_") and hasattr(_carom, name) and callable(value):
                assert value.__doc__, f"{name}.{member}"
