"""Curves over the last seconds before the moment that is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from rig.display.panels.interruption_marks import InterruptionMarks
from rig.display.panels.plot import Line, Plot
from rig.display.quantities import Shown
from rig.display.sources.reduction import zigzag
from rig.display.sources.source import Floats, Source, Trace
from rig.display.theme import Theme
from rig.streaming.interruptions import Interruption

DASH = 7  # bins, that is pixels
LIES_ON = 2.0  # pixels
MARKS = 5  # numbers on the axis, at most, besides "now"

Bins = tuple[int, int, Floats, Floats]  # n of the first, step, smallest, largest


class TimePlot(Plot):
    """Traces of one unit against the time before the newest sample."""

    def __init__(self, title: str, shown: Shown, minimum: float, traces: Mapping[Line, Trace], below: str,
        interruptions: Sequence[Interruption] = (), words: bool = False,
    ) -> None:  # fmt: skip
        """interruptions: of the test, which are marked; in words, where wanted."""
        super().__init__(title, shown, minimum, list(traces), below)
        self._marks = InterruptionMarks(self.area.getViewBox(), interruptions, words)
        self.traces = {line.role: trace for line, trace in traces.items()}
        self.extremes: dict[str, tuple[float, float]] = {}  # role -> smallest and largest shown, SI

    def span(self, seconds: float) -> None:
        """Show this much time, on an axis that stands still while the curves move under it: it need not be drawn anew."""
        self.area.setXRange(-seconds, 0.0, padding=1e-4)  # the marks at both ends are inside by a hair
        step = step_for(seconds)
        marks = [-i * step for i in range(math.floor(seconds / step + 1e-6) + 1)]
        texts = [(mark, f"−{-mark:g}" if mark else "now") for mark in marks]
        halves = [(mark - step / 2.0, "") for mark in marks if seconds + mark >= step / 2.0]
        for side in ("bottom", "top"):
            self.area.getAxis(side).setTicks([texts, halves])

    def theme(self, theme: Theme) -> None:
        super().theme(theme)
        self._marks.theme(theme)

    def refresh(self, source: Source, now: int, seconds: float) -> None:
        """Draw what lies in the last `seconds` before sample `now`."""
        count = max(2, round(seconds * source.rate))
        step = max(1, count // self.pixels())
        bins = {role: source.bounds(trace, now - count, now, step) for role, trace in self.traces.items()}
        self.extremes = {role: _extremes(low, high) for role, (_, _, low, high) in bins.items()}
        for role, (begin, used, low, high) in self._dashed(bins).items():
            middle = np.minimum(begin + used * (np.arange(len(low)) + 0.5), now) - now
            self.draw(role, np.repeat(middle / source.rate, 2), zigzag(low, high) * np.float32(self.shown.factor))
        beyond = self.draw_beneath(source, now, count, step)
        ends = np.array([*self.extremes.values(), *beyond]) * self.shown.factor
        self.hold_height(float(np.fmin.reduce(ends[:, 0])), float(np.fmax.reduce(ends[:, 1])))
        self._marks.refresh(now / source.rate, seconds)

    def draw_beneath(self, source: Source, now: int, count: int, step: int) -> Sequence[tuple[float, float]]:
        """What stands behind the curves, of the last `count` samples in bins of `step`; its smallest and largest (SI), if there is any."""
        return ()

    def _dashed(self, bins: dict[str, Bins]) -> dict[str, Bins]:
        """Break the predicted curve where it lies on the measured one, which would be hidden, and nowhere else."""
        if "measured" not in bins or "predicted" not in bins:
            return bins
        tolerance = LIES_ON * self.pixel() / self.shown.factor
        return bins | {"predicted": broken(bins["predicted"], bins["measured"], tolerance)}


def step_for(seconds: float) -> float:
    """A round distance between two numbers on an axis of this length."""
    power = 10.0 ** math.floor(math.log10(seconds / MARKS))
    return next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if seconds / (power * factor) <= MARKS + 1e-9)


def broken(upper: Bins, under: Bins, tolerance: float) -> Bins:
    """`upper` with every other run of DASH bins left out where both its bounds are within `tolerance` of those of `under`.

    The pattern is fixed to n and scrolls with the curve.
    """
    begin, used, low, high = upper
    first, last = max(begin, under[0]), min(begin + used * len(low), under[0] + used * len(under[2]))
    if under[1] != used or last <= first:
        return upper
    mine, other = (slice((first - start) // used, (last - start) // used) for start in (begin, under[0]))
    apart = np.maximum(np.abs(low[mine] - under[2][other]), np.abs(high[mine] - under[3][other]))
    off = (np.arange(first // used, last // used) // DASH) % 2 == 1
    left_out = np.zeros(len(low), dtype=bool)
    left_out[mine] = off & (apart <= tolerance)
    nothing = np.float32(np.nan)
    return begin, used, np.where(left_out, nothing, low), np.where(left_out, nothing, high)


def _extremes(low: Floats, high: Floats) -> tuple[float, float]:
    """Smallest and largest of all; NaN when there are none."""
    return (float(np.fmin.reduce(low)), float(np.fmax.reduce(high))) if len(low) else (math.nan, math.nan)
