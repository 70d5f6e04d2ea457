"""Puts corrections into a setpoint: blended in, and taken out again with the soft stop, so that no value steps."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rig.control.amplitude import Control, Note
from rig.control.wave import Offset, Wave

COLUMNS = ("requested", "amplitude_correction", "phase_correction", "mean_correction")
Floats = NDArray[np.float64]


def units(unit: str) -> tuple[str, ...]:
    """Of COLUMNS; the amplitude's correction is a share of the amplitude asked for."""
    return (unit, "1", "rad", unit)


@dataclass(frozen=True)
class Schedule:
    """In samples of the trajectory: length of a blend, where the counted part ends, length of the soft stop."""

    blend: int
    counted_end: float
    soft_stop: float


class Corrector:
    """Positions are samples of the trajectory; they are asked for in order."""

    def __init__(self, control: Control, wave: Wave, schedule: Schedule) -> None:
        self.control, self._wave, self._schedule = control, wave, schedule
        self._from = self._to = Offset()
        self._since = 0
        self._smaller, self._change = 1.0 + 0j, (0, 0.0)

    def apply(self, n: NDArray[np.int64], value: Floats, phase: Floats, come: Floats | None = None) -> Floats:
        """(k, 5): the corrected value of samples n (k,), then COLUMNS.

        come (k,): samples of the trajectory that it has come to by then, where it has been held.
        """
        share = 0.5 * (1.0 - np.cos(np.pi * np.clip((n - self._since) / self._schedule.blend, 0.0, 1.0)))
        ending = np.clip(((n if come is None else come) - self._schedule.counted_end) / self._schedule.soft_stop, 0.0, 1.0)
        left = 0.5 * (1.0 + np.cos(np.pi * ending))
        mean = self._from.mean * (1.0 - share) + self._to.mean * share
        fundamental = self._from.fundamental * (1.0 - share) + self._to.fundamental * share
        ratio = 1.0 + fundamental / self._wave.fundamental
        corrected = value + left * (mean + np.imag(fundamental * self._come_in(n) * np.exp(1j * phase)))
        return np.column_stack([corrected, value, np.abs(ratio) - 1.0, np.angle(ratio), mean])

    def take_up(self, offset: Offset) -> None:
        """Go on with what another session had come to; it is blended in where the trajectory begins."""
        self._to = self.control.offset = offset

    def retarget(self, wave: Wave, begin: int, length: float, lead_in: int, pace: float) -> None:
        """Another wave is asked for, at `pace` times the frequency of the trajectory; it comes in within `length` samples from sample
        `begin` on, as `following.changes.Exchange` brings it in. The trajectory begins at sample `lead_in`.

        Raises ValueError where the corrected setpoint would pass a bound; nothing has changed then.
        """
        settled = lead_in + math.ceil(begin + length)
        self.control.retarget(wave, pace, (lead_in + begin, settled))
        self._from, self._to = (one.of(self._wave, wave) for one in (self._from, self._to))
        self._smaller, self._change = self._wave.fundamental / wave.fundamental, (begin, length)
        self._schedule = replace(self._schedule, blend=max(1, round(self._schedule.blend * self._wave.frequency / wave.frequency)))
        self._wave = wave

    def _come_in(self, n: NDArray[np.int64]) -> NDArray[np.complex128] | float:
        """Fundamental that is asked for at samples n (k,), as a share of that of the newest wave."""
        begin, length = self._change
        if not length or not len(n) or n[0] >= begin + length:
            return 1.0
        x = np.clip((n - begin) / length, 0.0, 1.0)
        share = x * x * (3.0 - 2.0 * x)
        return np.asarray(self._smaller * (1.0 - share) + share)

    def learn(self, position: int, first: int, command: Floats, measured: Floats, doubt: str = "") -> list[Note]:
        """See `Control.learn`; what changes begins to at sample `position`, the next that will be asked for."""
        notes = self.control.learn(first, command, measured, doubt)
        if self.control.offset != self._to:
            share = 0.5 * (1.0 - np.cos(np.pi * min(max((position - self._since) / self._schedule.blend, 0.0), 1.0)))
            self._from = self._from.towards(self._to, float(share))
            self._to, self._since = self.control.offset, position
        return notes
