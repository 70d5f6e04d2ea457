"""Faults that come while a frame works: until `faults.begin` it is as it would be without, from then on as with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.servo_frame.settings import LoaderSettings

C = TypeVar("C", bound=LoaderSettings)


class LaterFaults:
    """`parameters`: the record that the kernel works with, changed in place when the time has come."""

    def __init__(self, config: C, draw: Callable[[C, int], NDArray[np.void]], seed: int) -> None:
        faults = config.faults
        self._begin = faults.begin
        self._dead_cell = faults.dead_cell
        self._later: NDArray[np.void] | None = draw(config, seed)
        self.parameters = self._later.copy()
        self.present = False
        """Whether the faults have come."""
        if self._begin > 0.0:
            self.parameters = draw(replace(config, faults=type(faults)()), seed)

    def turn(self, time: float, state: NDArray[np.void]) -> None:
        """The frame goes on from `time`, s of the bench's clock."""
        if self._later is None or time < self._begin:
            return
        self.parameters[:] = self._later
        if self._dead_cell:  # the loop closes on nothing
            state["feedback"] = state["feedback_rate"] = 0.0
            self.parameters["omega_feedback"] = 0.0
        self._later, self.present = None, True
