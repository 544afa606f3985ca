"""An environment of Gymnasium around a simulation; needs ``pip install 'carom[gym]'``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from carom._carom import Model, Simulation

Numbers = NDArray[np.float64]
_AXES = {"x": 0, "y": 1, "z": 2}


class Env(gymnasium.Env[Numbers, Numbers]):
    """A model that is acted on every ``dt`` seconds.

    ``action`` names motors of joints (``"hinge"``), actuators (``"m0"``, of which it is the control) and components of applied forces
    (``"push.x"``), each with its lower and upper bound; components of a force that it does not name stay as the model states them.
    ``observation`` names coordinates and velocities of the state (``model.state_names``). ``reward`` and ``terminated`` are functions of
    the simulation after the step. ``start`` makes a state to begin with of the generator of random numbers and the state of the model.
    An episode is truncated at the end of the model, or after ``duration`` seconds.

    A step is exact in time however many steps the integrator takes for it, and the same seed and actions give the same bits.
    """

    def __init__(
        self,
        model: Model,
        *,
        action: Mapping[str, tuple[float, float]],
        observation: Sequence[str],
        dt: float,
        reward: Callable[[Simulation], float] | None = None,
        terminated: Callable[[Simulation], bool] | None = None,
        start: Callable[[np.random.Generator, Numbers], Numbers] | None = None,
        duration: float | None = None,
    ) -> None:
        if not dt > 0.0:
            raise ValueError(f"the time between actions must be positive, and is {dt} s")
        self.simulation = Simulation(model)
        self._begin = self.simulation.snapshot()
        names = self.simulation.state_names
        unknown = [name for name in observation if name not in names]
        if unknown:
            raise LookupError(f"a state has no {', '.join(unknown)}; it has: {', '.join(names)}")
        self._places = [names.index(name) for name in observation]
        self._action = list(action)
        self._actuators = _actuators(model)
        self._stated = _stated_components(model, self._action)
        self._dt, self._steps = dt, 0
        self._reward, self._terminated, self._start = reward, terminated, start
        self._duration = self.simulation.end if duration is None else duration
        low, high = np.array(list(action.values()), dtype=np.float64).reshape(-1, 2).T
        self.action_space = gymnasium.spaces.Box(low, high, dtype=np.float64)
        bound = np.full(len(self._places), np.inf)
        self.observation_space = gymnasium.spaces.Box(-bound, bound, dtype=np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begins an episode."""
        super().reset(seed=seed, options=options)
        self.simulation.restore(self._begin)
        self._act([None] * len(self._action))
        self._steps = 0
        if self._start is not None:
            self.simulation.set_state(self._start(self.np_random, self.simulation.state))
        return self._observe(), self._info()

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Holds an action for ``dt``: observation, reward, terminated, truncated, info."""
        self._act([float(value) for value in np.asarray(action, dtype=np.float64)])
        self._steps += 1
        self.simulation.advance_to(min(self._steps * self._dt, self._duration))
        reward = 0.0 if self._reward is None else float(self._reward(self.simulation))
        terminated = self._terminated is not None and bool(self._terminated(self.simulation))
        truncated = self.simulation.time >= self._duration
        return self._observe(), reward, terminated, truncated, self._info()

    def close(self) -> None:
        """Gives up the simulation."""
        self.simulation.close()

    def _act(self, values: Sequence[float | None]) -> None:
        forces: dict[str, list[float] | None] = {}
        for name, value in zip(self._action, values, strict=True):
            owner, _, axis = name.rpartition(".")
            if name in self._actuators:
                self.simulation.set_force(name, value)
            elif owner not in self._stated:
                self.simulation.set_motor(name, value)
            elif value is None:
                forces[owner] = None
            else:
                components = forces.setdefault(owner, list(self._stated[owner]))
                if components is not None:
                    components[_AXES[axis]] = value
        for owner, components in forces.items():
            self.simulation.set_force(owner, components)

    def _observe(self) -> Numbers:
        return self.simulation.state[self._places]

    def _info(self) -> dict[str, Any]:
        return {"time": self.simulation.time}


def _actuators(model: Model) -> frozenset[str]:
    """What takes one number as its control."""
    forces = model.resolved["forces"]
    return frozenset(name for name, force in forces.items() if force["type"] == "actuator")


def _stated_components(model: Model, action: Sequence[str]) -> dict[str, list[float]]:
    """What the model states of the forces that are acted on; raises for actions on nothing, and for components that move by themselves."""
    resolved = model.resolved
    joints, forces = resolved["joints"], resolved["forces"]
    actuators = _actuators(model)
    stated: dict[str, list[float]] = {}
    for name in action:
        owner, _, axis = name.rpartition(".")
        if name.partition("[")[0] in joints or name in actuators:
            continue
        if owner in actuators:
            raise LookupError(f"the action {name!r} is a component of an actuator, which has one number: name {owner!r}")
        if axis not in _AXES or owner not in forces:
            known = ", ".join(sorted(actuators)) or "none"
            raise LookupError(
                f"the action {name!r} is neither a joint, nor an actuator ({known}), nor a component (.x, .y, .z) of a force element"
            )
        components = forces[owner].get("force", forces[owner].get("torque", [0.0, 0.0, 0.0]))
        free = [components[k] for letter, k in _AXES.items() if f"{owner}.{letter}" not in action]
        if not all(isinstance(value, float | int) for value in free):
            raise ValueError(f"a component of the force {owner!r} that is not acted on changes with time: name all three")
        stated[owner] = [value if isinstance(value, float | int) else 0.0 for value in components]
    return stated
