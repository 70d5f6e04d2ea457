"""For the tests of motor drives: waiting for what a device does, an axis under power, and a digital line."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from drivers.simulated.serial.serial_side import SerialSide

PATIENCE = 10.0
"""s; by the clock on the wall it is generous, the machines are shared."""
STEP = 2e-3
"""Bench time (s) between two looks in lockstep."""
LET_OTHERS = 1e-4
"""Time on the wall (s) a step: what is waited for may be another thread's to do."""


def advance_until(side: SerialSide, true: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Let the bench clock go on until it is true; how loaded the machine is makes no difference."""
    end = side.clock.now() + patience
    while not true():
        assert side.clock.now() < end, f"{what}: not within {patience:g} s"
        side.advance(side.clock.now() + STEP)
        time.sleep(LET_OTHERS)


def with_power(axis: Any, mode: str = "velocity") -> Any:
    """The axis, connected, prepared and enabled."""
    axis.connect()
    axis.prepare(mode)
    axis.enable()
    return axis


class EnableLine:
    """Digital outputs of a DAQ device that end at the enable input of a drive."""

    def __init__(self, drive: object) -> None:
        self.drive = drive
        self.states: dict[str, bool] = {}

    def write_lines(self, states: Mapping[str, bool]) -> None:
        self.states.update(states)
        for state in states.values():
            self.drive.set_enable(state)  # type: ignore[attr-defined]
