"""Carom: contact-first multibody dynamics.

>>> import carom
>>> result = carom.simulate(carom.example("bouncing-ball"))
>>> result.end
'finished'

Everything is in SI units, in world axes, and by the names of the model file.
"""

from carom._carom import (
    Body,
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
    Table,
    open,
)
from carom._errors import (
    BusyError,
    CaromError,
    Check,
    ClosedError,
    ControlError,
    Diagnostic,
    Interrupted,
    ModelError,
    ResultError,
    RunError,
    SnapshotError,
    StaleError,
    UnknownNameError,
)
from carom._event import Event
from carom._simulate import example, simulate
from carom._sweep import sweep

__all__ = [
    "Body",
    "BusyError",
    "CaromError",
    "Check",
    "ClosedError",
    "ControlError",
    "Diagnostic",
    "Equations",
    "Equilibrium",
    "Event",
    "Interrupted",
    "Joint",
    "Model",
    "ModelError",
    "Modes",
    "Result",
    "ResultError",
    "RunError",
    "Section",
    "Series",
    "Simulation",
    "Snapshot",
    "SnapshotError",
    "StaleError",
    "Table",
    "UnknownNameError",
    "example",
    "open",
    "simulate",
    "sweep",
]
