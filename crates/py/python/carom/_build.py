"""A model built in Python, which comes out as a model file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from carom._carom import Model, document

Quantity = float | str
"""A number in SI units, or a string with its unit, as in model files."""


class Shape:
    """A shape by its type and keys of the model file: ``Shape("torus", ring="1 m", tube="0.3 m")``. There are names for the usual ones:
    ``Sphere``, ``Box``, ``Cylinder``, ``Capsule``, ``HalfSpace``, ``Mesh``.
    """

    def __init__(self, kind: str, **keys: object) -> None:
        self.keys: dict[str, object] = {"type": kind, **keys}

    def __repr__(self) -> str:
        keys = ", ".join(f"{key}={value!r}" for key, value in self.keys.items() if key != "type")
        return f"carom.Shape({self.keys['type']!r}, {keys})"


def Sphere(radius: Quantity, **keys: object) -> Shape:
    """A ball."""
    return Shape("sphere", radius=radius, **keys)


def Box(size: Sequence[Quantity], **keys: object) -> Shape:
    """A box by its full edge lengths."""
    return Shape("box", size=list(size), **keys)


def Cylinder(radius: Quantity, length: Quantity, **keys: object) -> Shape:
    """A cylinder by its full length, along z."""
    return Shape("cylinder", radius=radius, length=length, **keys)


def Capsule(radius: Quantity, length: Quantity, **keys: object) -> Shape:
    """A capsule; its length is between the centres of its end balls, along z."""
    return Shape("capsule", radius=radius, length=length, **keys)


def HalfSpace(normal: str | Sequence[float] = "+z", **keys: object) -> Shape:
    """All that is behind a plane."""
    return Shape("half-space", normal=normal, **keys)


def Mesh(file: str | os.PathLike[str], unit: str, **keys: object) -> Shape:
    """The surface in an STL, OBJ or PLY file, whose lengths have a unit."""
    return Shape("mesh", file=os.fspath(file), unit=unit, **keys)


class Part:
    """A body of a builder; ``part.at(...)`` is an attachment on it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def at(self, point: Sequence[Quantity], **keys: object) -> dict[str, object]:
        """A point of the body in its frame, where joints and forces take hold."""
        return {"body": self.name, "at": list(point), **keys}

    def __repr__(self) -> str:
        return f"<carom.Part {self.name}>"


class Builder:
    """Collects the tables of a model file; ``model()`` makes the model, ``write(path)`` the file.

    >>> import carom
    >>> build = carom.Builder()
    >>> floor = build.body("floor", fixed=True, shape=carom.HalfSpace("+z"))
    >>> ball = build.body("ball", mass="1 kg", pos=[0, 0, "1 m"], shape=carom.Sphere("0.1 m"))
    >>> build.law("rubber", mu=0.3, point={"normal": "exact", "stiffness": "1e5 N/m^1.5", "restitution": 0.8})
    >>> build.contact("drop", floor, ball, method="analytic", law="rubber")
    >>> build.set("world", gravity=[0, 0, "-9.81 m/s^2"])
    >>> build.set("solver", t_end="1 s")
    >>> carom.simulate(build.model()).end
    'finished'
    """

    def __init__(self, name: str = "model") -> None:
        self.name = name
        self.tables: dict[str, Any] = {"format": 1}

    def _add(self, kind: str, name: str, keys: Mapping[str, object]) -> None:
        table = self.tables.setdefault(kind, {})
        if name in table:
            raise ValueError(f'there is a {kind} "{name}" already')
        table[name] = {key: _plain(value) for key, value in keys.items()}

    def set(self, table: str, **keys: object) -> None:
        """Sets keys of a table that is one of its kind: ``world``, ``params``, ``solver``, ``output``, ``view``."""
        self.tables.setdefault(table, {}).update({key: _plain(value) for key, value in keys.items()})

    def add(self, kind: str, name: str, **keys: object) -> None:
        """Adds a table of a kind that has names: ``material``, ``constraint``, ``component``, ``expect`` and so on."""
        self._add(kind, name, keys)

    def body(
        self, name: str, *, shape: Shape | None = None, shapes: Mapping[str, Shape] | None = None, **keys: object
    ) -> Part:
        """Adds a body, with one shape or several by their names; gives it to be named in what follows."""
        if shape is not None and shapes is not None:
            raise ValueError("a body has one shape, or several by their names: not both")
        if shape is not None or shapes is not None:
            keys["shape"] = shape if shapes is None else dict(shapes)
        self._add("body", name, keys)
        return Part(name)

    def law(self, name: str, **keys: object) -> None:
        """Adds a law."""
        self._add("law", name, keys)

    def contact(self, name: str, a: Part | str, b: Part | str, **keys: object) -> None:
        """Adds a contact line between two bodies."""
        self._add("contact", name, {"a": a, "b": b, **keys})

    def joint(self, name: str, kind: str, a: object, b: object, **keys: object) -> None:
        """Adds a joint: ``a`` and ``b`` are bodies, ``part.at(...)``, or ``"world"``."""
        self._add("joint", name, {"type": kind, "a": _attachment(a), "b": _attachment(b), **keys})

    def force(self, name: str, kind: str, **keys: object) -> None:
        """Adds a force element."""
        self._add("force", name, {"type": kind, **keys})

    def to_toml(self) -> str:
        """The model file."""
        return document(self.tables)

    def model(self, *, folder: str | os.PathLike[str] | None = None) -> Model:
        """The model; raises ``ModelError`` with all that is wrong with it. Paths in it start at ``folder``."""
        return Model.from_dict(self.tables, name=self.name, folder=folder)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Writes the model file, whatever is wrong with it: ``carom check`` says that."""
        file = Path(path)
        file.write_text(self.to_toml(), encoding="utf-8")
        return file


def _attachment(given: object) -> object:
    return {"body": given} if isinstance(given, (Part, str)) else given


def _plain(value: object) -> object:
    """Values of the model file."""
    if isinstance(value, Shape):
        return _plain(value.keys)
    if isinstance(value, Part):
        return value.name
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in cast(Mapping[object, object], value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in cast(Sequence[object], value)]
    return value
