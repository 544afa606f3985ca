"""Pictures and pages that a notebook shows."""

from __future__ import annotations

import html
from os import PathLike
from pathlib import Path


class Chart:
    """A chart as SVG; a notebook shows it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        return "<carom.Chart: show it in a notebook, or save it as SVG>"


class View:
    """The viewer with a run; a notebook shows it in a frame."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    def _repr_html_(self) -> str:
        source = html.escape(self.page, quote=True)
        return f'<iframe srcdoc="{source}" style="width:100%;height:{self.height}px;border:0"></iframe>'

    def __repr__(self) -> str:
        return "<carom.View: show it in a notebook, or write it with Result.to_html>"
