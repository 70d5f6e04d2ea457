"""Lines for the tests of motor drives: a side at real pace, and waiting for what it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

PATIENCE = 10.0
"""s; generous, the machines are shared."""


def until(true: Callable[[], bool], what: str, patience: float = PATIENCE) -> float:
    """Wait until it is true; returns how long that took (s)."""
    begin = time.monotonic()
    while not true():
        assert time.monotonic() - begin < patience, f"{what}: not within {patience:g} s"
        time.sleep(0.005)
    return time.monotonic() - begin


class EnableLine:
    """Digital outputs of a DAQ device that end at the enable input of a drive."""

    def __init__(self, drive: object) -> None:
        self.drive = drive
        self.states: dict[str, bool] = {}

    def write_lines(self, states: Mapping[str, bool]) -> None:
        self.states.update(states)
        for state in states.values():
            self.drive.set_enable(state)  # type: ignore[attr-defined]
