"""The filter of delta-sigma converters against aliases, on what an output of a device puts out on a wire to their input.

What an output puts out is a staircase, so that the filter is worked out exactly and not on samples: each step adds itself times the step
response of the filter at its distance in time. The filter is a sinc under a Kaiser window of 24 samples to either side: flat to 1e-5 up to
0.43 of the sample rate, 100 dB down from 0.57 of it, half at half of it, with a delay that does not depend on frequency and is made up for.
The stop band of the modules begins at 0.5465 (DSA) and 0.5466 to 0.55 of the rate (bridges, "NI PXIe-4330/4331 User Manual", Analog Input
Filters, says what pass band and stop band are): that much steeper they are.

What has no alias needs none of it: the sine on an input to which nothing is connected (10 Hz), a plant's signals, which are sampled where
the plant says, the sample code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Block = NDArray[np.float64]

REACH = 24
"""Samples to either side that the filter looks at."""
BETA = 10.06
"""Of the window: 100 dB."""
FINE = 512
"""Points of the tabled step response a sample."""
PAIRS = 2**19
"""Most pairs of a sample and a step worked out at once."""


def _step_response() -> Block:
    x = np.arange(-REACH * FINE, REACH * FINE + 1) / FINE
    kernel = np.sinc(x) * np.i0(BETA * np.sqrt(np.clip(1.0 - (x / REACH) ** 2, 0.0, None))) / np.i0(BETA)
    total = np.concatenate(([0.0], np.cumsum((kernel[1:] + kernel[:-1]) / 2.0)))
    return np.asarray(total / total[-1])


RESPONSE = _step_response()
RISE = np.append(np.diff(RESPONSE), 0.0)


class Staircase:
    """Levels (V) of one output: `before` the first step that is kept, and behind each of the steps at `times` (s)."""

    def __init__(self, level: float) -> None:
        self.before = self.last = level
        self.times, self.levels = np.empty(0), np.empty(0)

    def add(self, times: Block, levels: Block) -> None:
        """Further steps, in order."""
        if len(levels):
            self.times, self.levels = np.append(self.times, times), np.append(self.levels, levels)
            self.last = float(levels[-1])

    def forget(self, until: float) -> None:
        """Steps at or before `until` (s) are not needed any more."""
        gone = int(np.searchsorted(self.times, until, side="right"))
        if gone:
            self.before = float(self.levels[gone - 1])
            self.times, self.levels = self.times[gone:], self.levels[gone:]

    def filtered(self, at: Block, rate: float) -> Block:
        """What the filter makes of it at the instants `at` (k,), in order, for samples at `rate` (S/s)."""
        if not len(self.times):
            return np.full(len(at), self.before)
        reach = REACH / rate
        first, end = np.searchsorted(self.times, at - reach, side="right"), np.searchsorted(self.times, at + reach)
        levels = np.concatenate(([self.before], self.levels))
        out = levels[first]
        most = int((end - first).max(initial=0))
        if most == 0:
            return out
        steps, rows = np.diff(levels), max(1, PAIRS // most)
        for start in range(0, len(at), rows):
            part = slice(start, start + rows)
            which = first[part, None] + np.arange(most)
            there = which < end[part, None]
            which = np.minimum(which, len(steps) - 1)
            place = (at[part, None] - self.times[which] + reach) * (rate * FINE)
            np.clip(place, 0.0, 2 * REACH * FINE, out=place)
            index = place.astype(np.intp)
            share = RESPONSE[index] + (place - index) * RISE[index]
            out[part] += np.where(there, steps[which] * share, 0.0).sum(axis=1)
        return out


class AliasFilter:
    """What is on its way through the filters of a task: the outputs that its inputs are wired to, and the instants that are not out yet.

    `columns`: terminal of an output -> columns of the task that see it. `early`: rows that come out before the first sample.
    """

    def __init__(self, columns: Mapping[str, Sequence[int]], levels: Mapping[str, float], rate: float, early: int) -> None:
        self.columns = columns
        self._stairs = {name: Staircase(levels[name]) for name in columns}
        self._rate, self._early = rate, early
        self._waiting = np.empty(0)
        self._begun = False

    def follow(self, name: str, now: float, level: float, times: Block, levels: Block) -> None:
        """An output was at `level` at `now` (s), and took steps behind that."""
        stairs = self._stairs[name]
        if level != stairs.last:
            stairs.add(np.array([now]), np.array([level]))
        stairs.add(times, levels)

    def sample(self, at: Block) -> None:
        """Samples were taken at the instants `at` (s)."""
        if len(at) and not self._begun:
            self._waiting = at[0] - np.arange(self._early, 0, -1) / self._rate
            self._begun = True
        self._waiting = np.append(self._waiting, at)

    def out(self, count: int) -> dict[str, Block]:
        """The next `count` samples of each output, filtered, by its terminal."""
        at, self._waiting = self._waiting[:count], self._waiting[count:]
        found = {name: stairs.filtered(at, self._rate) for name, stairs in self._stairs.items()}
        if len(at):
            for stairs in self._stairs.values():
                stairs.forget(float(at[-1]) - (REACH + 1) / self._rate)
        return found
