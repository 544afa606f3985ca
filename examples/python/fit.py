"""Restitution and stiffness of a ball from the times at which it was heard to bounce; needs SciPy.

The record is made here, by a ball whose numbers are known, with a microsecond of noise. That it bounces says what its restitution is,
and that it bounces late, by the time its contacts take, what its stiffness is.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares  # type: ignore[import-untyped, unused-ignore]

import carom

Numbers = NDArray[np.float64]
BOUNCES = 4


def touches(restitution: float, stiffness: float) -> Numbers:
    """When the ball touches the floor (s)."""
    model = carom.example("bouncing-ball").varied(
        params={"e": restitution, "K": f"{stiffness!r} N/m^1.5"}, set={"solver.t_end": "2.5 s"}
    )
    events = carom.simulate(model).events
    begins: Numbers = events["time"][events["kind"] == "contact_begin"]
    return begins[:BOUNCES]


def main() -> None:
    truth = (0.75, 3e6)
    record = touches(*truth) + 1e-6 * np.random.default_rng(1).standard_normal(BOUNCES)

    def misfit(guess: Numbers) -> Numbers:
        return (touches(float(guess[0]), float(np.exp(guess[1]))) - record) / 1e-6

    fit = cast(Any, least_squares)(misfit, [0.6, np.log(1e6)], diff_step=1e-4, x_scale=[0.1, 1.0])
    restitution, stiffness = float(fit.x[0]), float(np.exp(fit.x[1]))
    print(f"restitution {restitution:.5f} of {truth[0]}, stiffness {stiffness:.4g} of {truth[1]:.4g} N/m^1.5")
    # A microsecond in touch times about half a second apart, and in contact times of some milliseconds.
    assert abs(restitution - truth[0]) < 2e-5 and abs(stiffness / truth[1] - 1.0) < 0.02


if __name__ == "__main__":
    main()
