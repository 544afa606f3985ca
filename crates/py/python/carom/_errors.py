"""What goes wrong, as exceptions with the codes, places and culprits that the command prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

if TYPE_CHECKING:
    from carom._carom import Result


class Diagnostic(NamedTuple):
    """Something that is wrong with a model, or should be known of it."""

    code: str
    """Stable code that ``carom explain`` knows."""
    is_error: bool
    """Else it is a warning."""
    message: str
    path: str
    """Path of the key, such as ``body.ball.mass``."""
    expected: str | None
    help: str | None
    file: str | None
    line: int | None
    column: int | None
    text: str
    """All of it with the line of the file, as the command prints it."""


class CaromError(Exception):
    """Any error of Carom."""

    code: str | None = None
    """Stable code that ``carom explain`` knows, of those that have one."""
    help: str | None = None
    """What can be done."""

    def __init__(self, message: str = "", **fields: Any) -> None:
        super().__init__(message)
        self.__dict__.update({name: value for name, value in fields.items() if value not in (None, "")})

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args[0], self.__dict__)


def _rebuild(kind: type[CaromError], message: str, fields: dict[str, Any]) -> CaromError:
    return kind(message, **fields)


class ModelError(CaromError, ValueError):
    """A model has errors: all of them."""

    diagnostics: Sequence[Diagnostic] = ()


class RunError(CaromError, RuntimeError):
    """A run could not go on."""

    time: float | None = None
    """Time of the last good state (s)."""
    body: str | None = None
    """Body that failed, if one did."""
    pair: str | None = None
    """Pair that failed, if one did."""
    result: Result | None = None
    """What was recorded up to there, of ``carom.simulate``."""


class ResultError(CaromError):
    """A run folder, a table or a quantity is not what was asked for."""


class UnknownNameError(CaromError, LookupError):
    """A name that the model or the result does not have."""


class ControlError(CaromError, ValueError):
    """A value or a state that cannot be set."""


class SnapshotError(CaromError, ValueError):
    """A snapshot of another model, or none."""


class BusyError(CaromError, RuntimeError):
    """What belongs to one thread at a time is at work in another, or in the caller's own callback."""


class ClosedError(CaromError, RuntimeError):
    """It was closed."""


class StaleError(CaromError, RuntimeError):
    """The model was changed after the simulation was made."""


class ExpiredError(CaromError, RuntimeError):
    """A view of a state that is no more: the simulation went on."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in ``carom.simulate``; the result goes up to there."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


class Check(Sequence[Diagnostic]):
    """What ``Model.check`` has found, errors first."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self._diagnostics = tuple(diagnostics)

    @property
    def ok(self) -> bool:
        """There are no errors."""
        return not any(found.is_error for found in self._diagnostics)

    def raise_if_errors(self) -> None:
        """Raises ``ModelError`` with all of them, if there are any."""
        if not self.ok:
            text = "\n".join(found.text for found in self._diagnostics)
            raise ModelError(text, code=self._diagnostics[0].code, diagnostics=self._diagnostics)

    @overload
    def __getitem__(self, index: int) -> Diagnostic: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Diagnostic]: ...
    def __getitem__(self, index: int | slice) -> Diagnostic | Sequence[Diagnostic]:
        return self._diagnostics[index]

    def __len__(self) -> int:
        return len(self._diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._diagnostics)

    def __repr__(self) -> str:
        return "\n".join(found.text for found in self._diagnostics) or "<carom.Check: nothing found>"
