"""Turns of a shaft that are not those of its command: an asynchronous drive slips, and what a mechanism repeats it repeats by the turn.

Of a command for 300 rpm such a drive turns at 298: after 40 turns the shaft is a third of a turn behind, and waves that are averaged by the
command's phase are smeared over as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.comparison.preparation import Counted
from rig.comparison.series import Floats, Series
from rig.comparison.uncertainty.folding import ALIKE, TURN


@dataclass(frozen=True)
class ShaftTurns:
    """angle (N,): rad, growing while the shaft turns, 0 at the first sample that counts. count: whole turns that count. samples: of one."""

    angle: Series
    count: int
    samples: float

    @classmethod
    def of(cls, angle: Series, phase: Series, counted: Counted, keeping_up: bool = False) -> ShaftTurns | None:
        """angle, phase (N,): of shaft and command, rad, none missing. None where the shaft has no two turns in what counts, and, but where
        turns of a shaft that is `keeping_up` are wanted as well, where it keeps up with the command there, but for less than two groups of
        cycles may have unlike (1 - ALIKE of a turn)."""
        if len(counted.extent) < 2:
            return None
        ends = [slice(n, n + 1) for n in (counted.extent.start, counted.extent.stop - 1)]
        (first, last), (begin, end) = ([float(x[part][0]) for part in ends] for x in (angle, phase))
        turned = (last - first) / TURN
        behind, count = abs(abs(turned) - abs(end - begin) / TURN), int(abs(turned) + (1.0 - ALIKE if keeping_up else 0.0))
        if (behind < 1.0 - ALIKE and not keeping_up) or count < 2:
            return None
        return cls(_From(angle, first, np.sign(turned)), count, len(counted.extent) / abs(turned))

    @property
    def numbers(self) -> Floats:
        return np.arange(float(self.count))


class _From:
    """A signal (N,) from a value on, in a direction."""

    def __init__(self, x: Series, zero: float, sign: float) -> None:
        self._x, self._zero, self._sign = x, zero, sign

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Floats:
        return np.asarray(self._sign * (self._x[part] - self._zero))
