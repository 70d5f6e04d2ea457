"""Both signals of one channel after the reversals that count: those with the first 3T/8 wholly in what is compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rig.comparison.responses import Found, Responses
from rig.comparison.result import ChannelAgreement
from rig.comparison.reversals import Inside, Rows
from rig.comparison.series import Flags, Floats
from rig.comparison.uncertainty.interval import Interval, interval

RAISED = 2.0
"""Standard deviations by which the largest of some twenty independent samples of noise lies above their mean: 1.87, of sixty 2.32."""


class AfterReversals:
    """Gathered while the samples pass by. Which reversals count is known when all of their windows have passed."""

    def __init__(self, turns: Rows, count: int, rate: float) -> None:
        """turns: all zeros of the command. count: N, all samples there are. rate: Hz."""
        self._turns, self._inside, self._rate = turns, Inside(turns, count), rate
        self._measured, self._predicted = Responses(turns, rate), Responses(turns, rate)

    def add(self, first: int, kept: Flags, command: Floats, measured: Floats, predicted: Floats) -> None:
        """Samples first .., (k,) each, k > 0, in order."""
        self._inside.add(first, kept)
        self._measured.add(first, measured, command)
        self._predicted.add(first, predicted, command)

    def put_into(self, result: ChannelAgreement) -> ChannelAgreement:
        """Means over the half cycles; a mean over the impacts that there are, and their number."""
        counting = self._inside.flags
        turns, measured, predicted = self._turns[counting], self._measured.choose(counting), self._predicted.choose(counting)
        period = result.period_s
        if period is None and len(turns):
            period = float(np.mean(turns["period"])) / self._rate
        scales = {"first_impact": period, "impact_peak": result.amplitude, "overshoot": result.amplitude}
        sure = {name: _interval(measured, predicted, name, scale, result) for name, scale in scales.items()}
        return replace(
            result,
            intervals={**result.intervals, **{name: one for name, one in sure.items() if one is not None}},
            period_s=period,
            half_cycles=len(turns),
            impacts_measured=measured.impacts,
            impacts_predicted=predicted.impacts,
            reversal_peak_measured=measured.mean("reversal_peak"),
            reversal_peak_predicted=predicted.mean("reversal_peak"),
            overshoot_measured=measured.mean("overshoot"),
            overshoot_predicted=predicted.mean("overshoot"),
            first_impact_measured_s=measured.mean("first_impact"),
            first_impact_predicted_s=predicted.mean("first_impact"),
            impact_peak_measured=measured.mean("impact_peak"),
            impact_peak_predicted=predicted.mean("impact_peak"),
        )


def _interval(measured: Found, predicted: Found, name: str, scale: float | None, result: ChannelAgreement) -> Interval | None:
    """Of the mean difference (predicted - measured) / scale. The largest of some samples is raised by the noise in them: how far that may
    have lifted measured is open above."""
    if not scale:
        return None
    apart = (predicted.rows[name] - measured.rows[name])[np.isfinite(predicted.rows[name]) & np.isfinite(measured.rows[name])] / scale
    if not len(apart) or (found := interval(float(np.mean(apart)), apart)) is None:
        return None
    lifted = 0.0 if name == "first_impact" else RAISED * (result.scatter or 0.0) / scale
    return replace(found, above=lifted)
