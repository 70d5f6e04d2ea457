"""What channels and their quantities are called on paper."""

from __future__ import annotations

SYMBOL = 2  # characters
QUANTITIES = {"N": "force", "m": "stroke", "m/s^2": "acceleration"}


def words(channel: str) -> str:
    """`transmitted_force` -> `Transmitted force`; a symbol, as ax, stays what it is."""
    return channel if len(channel) <= SYMBOL else channel.replace("_", " ").capitalize()


def quantity(unit: str) -> str:
    """The quantity of an SI unit, as of a loader."""
    return QUANTITIES.get(unit, "value")
