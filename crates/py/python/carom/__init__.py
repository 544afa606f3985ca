"""Carom: contact-first multibody dynamics.

>>> import carom
>>> result = carom.simulate(carom.example("bouncing-ball"))
>>> result.end
'finished'

Everything is in SI units, in world axes, and by the names of the model file.
"""

from carom._carom import (
    Body,
    Derivatives,
    Dynamics,
    Equations,
    Equilibrium,
    Joint,
    Model,
    Modes,
    Result,
    Section,
    Series,
    Simulation,
    Snapshot,
    StateView,
    Table,
    open,
    open_study,
)
from carom._carom import __version__ as __version__
from carom._errors import (
    BusyError,
    CaromError,
    Check,
    ClosedError,
    ControlError,
    Diagnostic,
    ExpiredError,
    Interrupted,
    ModelError,
    ResultError,
    RunError,
    SnapshotError,
    StaleError,
    UnknownNameError,
)
from carom._build import Box, Builder, Capsule, Cylinder, HalfSpace, Mesh, Part, Shape, Sphere
from carom._compare import Comparison, Difference, compare
from carom._event import Event
from carom._simulate import example, simulate
from carom._sweep import sweep

__all__ = [
    "Body",
    "Box",
    "Builder",
    "BusyError",
    "Capsule",
    "CaromError",
    "Check",
    "ClosedError",
    "Comparison",
    "ControlError",
    "Cylinder",
    "Derivatives",
    "Diagnostic",
    "Difference",
    "Dynamics",
    "Equations",
    "Equilibrium",
    "Event",
    "ExpiredError",
    "HalfSpace",
    "Interrupted",
    "Joint",
    "Mesh",
    "Model",
    "ModelError",
    "Modes",
    "Part",
    "Result",
    "ResultError",
    "RunError",
    "Section",
    "Series",
    "Shape",
    "Simulation",
    "Snapshot",
    "SnapshotError",
    "Sphere",
    "StaleError",
    "StateView",
    "Table",
    "UnknownNameError",
    "compare",
    "example",
    "open",
    "open_study",
    "simulate",
    "sweep",
]


def __getattr__(name: str) -> object:
    # It needs Gymnasium, which few have.
    if name == "gym":
        import importlib

        return importlib.import_module("carom.gym")
    raise AttributeError(f"module 'carom' has no attribute {name!r}")
