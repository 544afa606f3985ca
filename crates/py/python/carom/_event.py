"""What listeners are told."""

from __future__ import annotations

from typing import NamedTuple


class Event(NamedTuple):
    """An event of a contact, at the end of an accepted step."""

    time: float
    """Time (s)."""
    kind: str
    """Such as ``contact_begin``."""
    pair: str
    feature: str
    """Feature of the pair; empty if it has one."""
    gap: float
    """Signed distance (m)."""
    position: tuple[float, float, float]
    """Contact point (m)."""
    approach_speed: float
    """m/s, positive while closing."""
    impulse_normal: float
    """Normal impulse since the contact began (N s)."""
    max_penetration: float
    """Greatest since the contact began (m)."""
    max_force: float
    """Greatest normal force since then (N)."""
    max_pressure: float
    """Greatest pressure since then (Pa); 0 if the contact is not areal."""
