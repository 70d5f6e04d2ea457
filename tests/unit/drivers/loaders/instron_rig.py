"""Waiting on the clock of a simulated controller."""

from __future__ import annotations

from collections.abc import Callable

from drivers.simulated.serial.serial_side import SerialSide

PATIENCE = 15.0


def until(side: SerialSide, true: Callable[[], bool], what: str) -> None:
    """Let the bench clock go on until it is true."""
    end = side.clock.now() + PATIENCE
    while not true():
        assert side.clock.now() < end, f"{what}: not within {PATIENCE:g} s"
        side.advance(side.clock.now() + 0.01)
