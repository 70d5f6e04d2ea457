"""Averaged spectrum of the chosen channel, measured and predicted, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from rig.display.panels.judged_band import across, allowed, in_words
from rig.display.panels.plot import Line, Plot
from rig.display.quantities import Shown
from rig.display.sources.averaging import AveragedSpectrum, columns
from rig.display.sources.source import Source, Trace
from rig.display.sources.view_model import PREDICTED, Subject

LOWEST = 1.0  # Hz
DECADES = 6.0  # shown below the largest line, at most
PICTURE = 6  # stretches that are transformed at once when there is time


class Spectrum(Plot):
    """What stands out at which frequency; the axes are the decimal logarithms of Hz and of the shown unit."""

    def __init__(self, what: Subject) -> None:
        lines = [Line("measured", "measured"), Line("predicted", "predicted"), Line("allowed", "accent")]
        self._what, self._channel = what, what.force
        super().__init__("Spectrum", Shown("", 1.0), 1.0, lines, "Hz")
        self._averages: dict[str, AveragedSpectrum] = {}
        self._rate = 0.0
        self.choose(what.force)

    def choose(self, name: str) -> None:
        """Show that of this channel."""
        channel = self._what.channel(name)
        self._channel, self._averages = channel.name, {}
        self._factor = self._what.shown(channel.name).factor
        self._ends = (0.0, 0.0)
        self.restart(Shown(self._what.shown(channel.name).unit, 1.0), 1.0)

    def drawn(self, role: str) -> bool:
        return role != "accent" or self._channel in self._what.levels

    def refresh(self, source: Source, now: int, new: int = 1) -> None:
        """Transform what has come before sample `now`, at most `new` stretches of each, and draw the mean."""
        if not source.rate:
            return
        if not self._averages:
            self._start(source.rate)
        changed = [average.update(source, now, new) for average in self._averages.values()]
        if not any(changed):
            return
        levels = self._levels()
        tops = [self._draw(role, average, levels.get(role)) for role, average in self._averages.items()]
        self._fit([top for top in tops if top is not None])
        self._tell(levels)

    def _levels(self) -> dict[str, float]:
        """Rms in the band that is judged, in the shown unit, by role; of those that are known."""
        if (judged := self._what.levels.get(self._channel)) is None:
            return {}
        found = {role: average.level(judged.low, judged.high) for role, average in self._averages.items()}
        return {role: level * self._factor for role, level in found.items() if level}

    def _tell(self, levels: Mapping[str, float]) -> None:
        """What is allowed as an outline, and all of it in words."""
        first, judged = self._averages["measured"], self._what.levels.get(self._channel)
        words = f"mean of {first.averaged}" if first.averaged else ""
        if judged is not None and "measured" in levels:
            self.draw("accent", *allowed(judged, levels["measured"]))
            words = in_words(judged, levels) or words
        self.figures.setText(words)

    def _start(self, rate: float) -> None:
        traces = {"measured": Trace("measured", self._channel), "predicted": Trace(PREDICTED, self._channel)}
        self._averages = {role: AveragedSpectrum(trace, rate) for role, trace in traces.items()}
        ends = math.log10(LOWEST), math.log10(rate / 2.0)
        self.area.setXRange(*ends, padding=0.0)
        marks = [(float(power), f"{10**power:g}" if power < 3 else f"{10 ** (power - 3):g} k") for power in range(round(ends[1]) + 1)]
        for side in ("bottom", "top"):
            self.area.getAxis(side).setTicks([marks, _between(0, round(ends[1]) + 1)])

    def _draw(self, role: str, average: AveragedSpectrum, level: float | None) -> tuple[float, float] | None:
        """Draw one curve, and its level across the band that is judged; returns (median, largest) as logarithms."""
        amplitudes = average.amplitudes()
        if amplitudes is None:
            self.curves[role].clear()
            return None
        starts, frequencies = columns(average.frequencies, LOWEST, self.pixels())
        largest = np.maximum.reduceat(amplitudes, starts) * self._factor
        x, y = np.log10(frequencies), np.log10(np.maximum(largest, 1e-30))
        median, highest = float(np.median(y)), float(y.max())
        if level is not None:
            more = across(self._what.levels[self._channel], level)
            x, y = np.concatenate((x, more[0])), np.concatenate((y, more[1]))
        self.draw(role, x, y)
        return median, max(highest, -math.inf if level is None else math.log10(level))

    def _fit(self, tops: list[tuple[float, float]]) -> None:
        """Whole decades that hold the curves."""
        if not tops:
            return
        high = math.ceil(max(top for _, top in tops) + 0.1)
        low = math.floor(max(min(median for median, _ in tops) - 0.5, high - DECADES))
        if (low, high) != self._ends:
            self._ends = (low, high)
            self.area.setYRange(low, high, padding=0)
            marks = [(float(power), f"{10.0**power:g}") for power in range(low, high + 1)]
            for side in ("left", "right"):
                self.area.getAxis(side).setTicks([marks, []])


def _between(low: int, high: int) -> list[tuple[float, str]]:
    return [(power + math.log10(digit), "") for power in range(low, high) for digit in range(2, 10)]
