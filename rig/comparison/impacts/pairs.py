"""Impacts of both sides of a comparison, found by one threshold and matched one to one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.comparison.impacts.spikes import QUIET, Floats, Indices, Spikes, matched, rough, spikes, threshold, white

APART, WITHIN = 1.0 / 200.0, 1.0 / 36.0
"""Shares of a cycle: bounces nearer to each other are one impact; impacts of test and model farther apart do not belong together."""


@dataclass(frozen=True)
class Pairs:
    """measured, predicted: impacts of each side. pairs: places in both of those that belong together, (k,) each. rate: Hz."""

    measured: Spikes
    predicted: Spikes
    pairs: tuple[Indices, Indices]
    rate: float

    @property
    def missed(self) -> Indices:
        """Places of measured impacts that the model does not have."""
        return np.setdiff1d(np.arange(len(self.measured)), self.pairs[0])

    @property
    def extra(self) -> Indices:
        """Places of predicted impacts that the test does not have."""
        return np.setdiff1d(np.arange(len(self.predicted)), self.pairs[1])

    @property
    def late(self) -> Floats:
        """(k,) s by which the model's impacts come after those measured."""
        return np.asarray((self.predicted.at[self.pairs[1]] - self.measured.at[self.pairs[0]]) / self.rate)

    @property
    def ratio(self) -> Floats:
        """(k,) strength predicted / measured."""
        return np.asarray(self.predicted.strength[self.pairs[1]] / self.measured.strength[self.pairs[0]])

    def impulse(self, side: Spikes) -> Floats:
        """(m,) of each impact of a side: unit of the channel times s, over its smooth course."""
        return side.area / self.rate


def paired(measured: Floats, predicted: Floats, rate: float, period: float) -> Pairs:
    """Of signals (N,) at `rate`, Hz, what is missing bridged; period: of a cycle, samples. The threshold is that of measured."""
    sides = [np.nan_to_num(side) for side in (measured, predicted)]
    off = [rough(side, rate) for side in sides]
    least, apart = max(threshold(off[0]), QUIET * white(sides[0])), max(1, round(APART * period))
    one, other = (spikes(side, least, apart) for side in off)
    return Pairs(one, other, matched(one.at, other.at, WITHIN * period), rate)
