"""Before a test: serial axes, and a loader on a serial line, get their power; those that are commanded by position go where it begins.

Each does so in its own thread, by its own ramp, while the bench goes on reading and every limit is watched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from drivers.daq.contract import Daq
from rig.errors import BenchRefused
from rig.workers.bench.actuation.serial_axis import SerialAxis

Block = NDArray[np.float64]
LONGEST = 30.0  # s for the way
AFTER = 0.1  # s that are read after a refusal
STOPPING = 0.5  # s in which what was called off comes to rest under power


class AxisStartup:
    """See `rig.workers.bench.actuation.interface.Session`; blocks of `block` samples at `rate` (Hz).

    axes: (axis, where the test begins in its unit); called: what they are, for a refusal."""

    largest = None
    """No force is applied by it."""

    def __init__(
        self, daq: Daq, axes: Sequence[tuple[SerialAxis, float]], block: int, rate: float, lockstep: bool, note: Callable[[str], None],
        called: str = "axes",
    ) -> None:  # fmt: skip
        self._daq, self._axes, self._block, self._rate, self._note, self._called = daq, axes, block, rate, note, called
        self._pause = block / rate if lockstep else 0.0  # where they stop by themselves: not faster than their threads
        self.sample = 0
        self.done, self.ready, self.behind = False, False, 0
        self._after: int | None = None

    def begin(self) -> None:
        """Off they go."""
        self._daq.start_inputs()
        for axis, begin in self._axes:
            axis.start(begin)

    def take(self, measured: Block) -> None:
        """One block. Raises BenchRefused when an axis fails, or is not there in time."""
        self.sample += len(measured)
        if self._after is not None:
            time.sleep(self._pause)
            self._after -= 1
            self.done = self._after <= 0
            return
        for axis, _ in self._axes:
            axis.tick(self.sample)
        for axis, _ in self._axes:
            if axis.failed:
                raise BenchRefused(self._called, axis.failed)
        if self.ready:
            return
        if all(axis.ready for axis, _ in self._axes):
            for axis, begin in self._axes:
                stands = "at" if axis.mode == "position" else "at rest for"
                self._note(f"{axis.name}: {stands} {begin:.5g} {axis.unit}, where the test begins")
            self.ready = True
        elif self.sample > LONGEST * self._rate:
            late = ", ".join(axis.name for axis, _ in self._axes if not axis.ready)
            raise BenchRefused(self._called, f"{late}: not where the test begins after {LONGEST:g} s; look there, and at the limits")

    def conclude(self) -> None:
        """The test begins: the inputs are given back."""
        self._daq.stop_inputs()
        self.done = True

    def call_off(self) -> None:
        """Nobody wants the test any more: they stop where they are."""
        self._stop(STOPPING)

    def refuse(self) -> None:
        """All has been tripped: what it does is watched for a little while."""
        self._stop(AFTER)

    def _stop(self, watched: float) -> None:
        self._after = max(1, round(watched * self._rate / self._block))
        for axis, _ in self._axes:
            axis.stop_quickly()

    @property
    def duration(self) -> float:
        """s of it so far."""
        return self.sample / self._rate
