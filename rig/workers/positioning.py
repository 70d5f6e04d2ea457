"""Before a test: axes that are commanded by position go where it begins, by their own ramps, while every limit is watched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.errors import BenchRefused

Block = NDArray[np.float64]
ASK_EVERY = 0.02  # s between two questions whether they have arrived
LONGEST = 30.0  # s for the way
AFTER = 0.1  # s recorded after a refusal
WITHIN = 2e-3  # rad between where an axis stands and where the test begins


class Positioning:
    """See `rig.workers.actuation.Session`; moves: (driver, prepared and not enabled; position in rad)."""

    largest = None
    """No force is applied by it."""

    def __init__(self, daq: Any, moves: list[tuple[Any, float]], block: int, rate: float, note: Callable[[str], None]) -> None:
        self._daq, self._moves, self._block, self._rate, self._note = daq, moves, block, rate, note
        self.sample = 0
        self.done = self.called_off = False
        self._after: int | None = None
        self._ask = max(1, round(ASK_EVERY * rate / block))

    def begin(self) -> None:
        """Power on, and off they go."""
        self._daq.start_inputs()
        for driver, _ in self._moves:
            driver.enable()
        for driver, position in self._moves:
            driver.move_to(position)

    def take(self, measured: Block) -> None:
        """One block. Raises BenchRefused when an axis does not arrive, or somewhere else."""
        self.sample += len(measured)
        if self._after is not None:
            self._after -= 1
            self.done = self._after <= 0
            return
        if (self.sample // self._block) % self._ask:
            return
        on_its_way = [driver for driver, _ in self._moves if not self.called_off and not driver.arrived()]
        if not on_its_way:
            if not self.called_off:
                self._check()
            self._daq.stop_inputs()
            self.done = True
        elif self.sample > LONGEST * self._rate:
            raise BenchRefused("axes", f"not where the test begins after {LONGEST:g} s; look at the axes and their limits")

    def _check(self) -> None:
        for driver, position in self._moves:
            found = driver.feedback().position
            if found is not None and abs(found - position) > WITHIN:
                raise BenchRefused(
                    "axes", f"{driver.name} says it has arrived and is at {found:.5g} rad, not at {position:.5g} rad where the test begins"
                )
            self._note(f"{driver.name}: at {position:.5g} rad, where the test begins")

    def call_off(self) -> None:
        """Nobody wants the test any more: they stop where they are."""
        self.called_off = True
        for driver, _ in self._moves:
            driver.quick_stop()

    def refuse(self) -> None:
        """All has been tripped: what it does is watched for a little while."""
        for driver, _ in self._moves:
            driver.quick_stop()
        self._after = max(1, round(AFTER * self._rate / self._block))

    @property
    def feedback(self) -> float:
        """The course begins at 0."""
        return 0.0

    @property
    def duration(self) -> float:
        """s of it so far."""
        return self.sample / self._rate
