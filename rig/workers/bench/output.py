"""The command on its way out: filled ahead block by block, taken back by a trip, then brought down by hand."""

from __future__ import annotations

from collections import deque
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from drivers.daq.contract import Daq
from rig.signals.summary_statistics import Statistics
from rig.signals.tally import Tally
from rig.trajectory.stop import StopRamp
from rig.workers.bench.actuation.interface import Actuation
from rig.workers.bench.setpoints.setpoint import Setpoint

AHEAD_EVERY = 8  # blocks between two questions how far the output is

Block = NDArray[np.float64]


class Ahead(TypedDict):
    """The least that was left before a refill, and how far the output was ahead after it, s."""

    min_ahead_s: float | None
    delay_s: Statistics


class Output:
    """The analogue output of the DAQ device for one test."""

    def __init__(self, daq: Daq, actuation: Actuation, setpoint: Setpoint, block: int) -> None:
        self._daq, self._actuation, self._setpoint, self._block = daq, actuation, setpoint, block
        self._has_output = bool(daq.wiring.outputs)
        self._pending: deque[Block] = deque()  # command blocks given out and not yet published
        self._unwritten: list[Block] = []  # the last of them, that go out with the next
        self._refills = 0
        self._filled = Tally()  # samples ahead right after a refill
        self._least: int | None = None  # and right before it
        self._ramp: StopRamp | None = None
        self._held = 0.0

    def write(self, samples: int) -> None:
        """Give out the next samples of the setpoint."""
        self._next(samples)
        if self._has_output:
            self._daq.write(self._actuation.volts(np.concatenate(self._unwritten)))
        self._unwritten.clear()

    def refill(self, more: bool = False) -> None:
        """One block, for the one that has been read; with `more` it goes out with the next one, in one call."""
        ask = self._has_output and self._refills % AHEAD_EVERY == 0
        self._refills += 1
        if ask:
            left = self._daq.samples_ahead()
            self._least = left if self._least is None else min(self._least, left)
            self._filled.add(left + sum(len(block) for block in self._unwritten) + self._block)
        if more:
            self._next(self._block)
        else:
            self.write(self._block)

    def _next(self, samples: int) -> None:
        block = self._actuation.append_axis_columns(self._setpoint.next(samples))
        self._pending.append(block)
        self._unwritten.append(block)

    def take(self) -> Block:
        """The command of the block just read, as `Setpoint.next` gave it out."""
        if self._ramp is not None:
            return self._actuation.append_axis_columns(self._setpoint.standing(np.full(self._block, self._held), 0.0))
        parts, missing = [], self._block
        while missing:
            head = self._pending.popleft()
            parts.append(head[:missing])
            if len(head) > missing:
                self._pending.appendleft(head[missing:])
            missing -= len(parts[-1])
        return np.concatenate(parts)

    def ahead(self) -> Block:
        """What goes out after the block just taken, as far as it is settled: (k, columns)."""
        return np.concatenate(self._pending)

    def abort(self, duration: float) -> None:
        """Take back what is filled ahead; `lower` then ramps from what is really out there to where it is safe."""
        if self._ramp is None:  # else it is by hand already
            self._held = self._actuation.abort(float(self._pending[0][0, 0]) if self._pending else self._held)
            self._pending.clear()
            self._unwritten.clear()
        self._ramp = StopRamp(self._held, self._actuation.safe_value(self._held), duration)

    def hold(self) -> float:
        """Take back what is filled ahead and stand still; returns where. `put` goes on from there."""
        self.abort(1.0)
        return self._held

    def put(self, value: float) -> None:
        """One value, now, after `hold`."""
        self._held = value
        self._actuation.put(value)

    def lower(self, elapsed: float) -> None:
        """One value of the ramp that `abort` began, `elapsed` s after it."""
        assert self._ramp is not None
        self.put(float(self._ramp.evaluate(np.array([elapsed]))[0]))

    def figures(self, rate: float) -> Ahead:
        """So far."""
        return {
            "min_ahead_s": self._least / rate if self._least is not None else None,
            "delay_s": self._filled.statistics(1.0 / rate),
        }
