"""Whole runs."""

from __future__ import annotations

import os
from pathlib import Path

from carom._carom import Model, Result, Simulation
from carom._errors import Interrupted, RunError

Folder = str | os.PathLike[str]


def example(name: str) -> Model:
    """A model that comes with Carom, such as ``bouncing-ball``: those that ``carom new --list`` shows, but for those with meshes.

    >>> import carom
    >>> carom.example("pendulum").t_end > 1.0
    True
    """
    return Model.example(name)


def simulate(
    model: Model | Folder,
    t_end: float | str | None = None,
    *,
    out: Folder | None = None,
    progress: bool = False,
) -> Result:
    """Runs a model to its end, or to another one, with the result in memory or in the folder ``out``.

    A run that cannot go on raises ``RunError``, Ctrl-C ``Interrupted`` (a ``KeyboardInterrupt``); both have what was recorded
    up to there as ``result``.

    >>> import carom
    >>> result = carom.simulate(carom.example("bouncing-ball"), "2 s")
    >>> result.end_time
    2.0
    """
    if not isinstance(model, Model):
        model = Model.from_file(model)
    if t_end is not None:
        model = model.varied(t_end=t_end)
    if out is not None:
        return model._record(Path(out), progress)
    simulation = Simulation(model)
    try:
        simulation.run(progress=progress)
    except RunError as error:
        error.result = simulation.finish()
        raise
    except KeyboardInterrupt:
        raise Interrupted(simulation.finish()) from None
    return simulation.finish()
