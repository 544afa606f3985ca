"""Pictures and pages that a notebook shows."""

from __future__ import annotations

import html
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom._carom import Table

_ROWS = 10
"""Rows that a notebook shows of a table."""


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


def dataset(table: Table) -> Any:
    """A table as an xarray Dataset; see ``Table.to_xarray``."""
    import numpy as np
    import xarray  # type: ignore[import-untyped, import-not-found, unused-ignore]

    time = "time_s" if "time" in table else None
    along = time if time and len(np.unique(table[time])) == len(table) else "row"
    units, meanings = dict(table.units), dict(table.meanings)
    variables = {
        name: (along, table[name], {"long_name": meanings[name], "units": units[name]}) for name in table
    }
    return xarray.Dataset(variables, attrs={"table": table.name})


def table_html(table: Table) -> str:
    """The first rows as HTML."""
    names = list(table)
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    count = min(len(table), _ROWS)
    columns = [table[name][:count] for name in names]
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(column[row]))}</td>" for column in columns) + "</tr>"
        for row in range(count)
    )
    return (
        f"<table><caption>{html.escape(table.name)}: {len(table)} rows</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
