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
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Block = NDArray[np.float64]

REACH = 24
"""Samples to either side that the filter looks at."""
BETA = 10.06
"""Of the window: 100 dB."""
FINE = 512
"""Points of the tabled step response a sample."""
PAIRS, ROWS = 2**19, 4096
"""Most pairs of a sample and a step, and most samples, worked out at once."""


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

    def filtered(self, at: Block, shares: Shares) -> Block:
        """What the filter makes of it at the instants `at` (k,), of which each step has its share."""
        if not shares.most:
            return np.full(len(at), self.before) if not len(self.times) else self._before(shares.first)
        steps = np.append(np.diff(self.levels, prepend=self.before), np.zeros(shares.most))
        windows = sliding_window_view(steps, shares.most)[shares.first]
        out: Block = self._before(shares.first) + np.einsum("ij,ij->i", windows, shares.of_steps)
        return out

    def _before(self, first: NDArray[np.intp]) -> Block:
        return np.concatenate(([self.before], self.levels))[first]


class Shares:
    """Shares of steps at `times` (s) in samples at `at` (k,) and `rate` (S/s): of each sample's `first` step, and the `most` on from it."""

    def __init__(self, times: Block, at: Block, rate: float) -> None:
        reach = REACH / rate
        self.times = times
        self.first = np.searchsorted(times, at - reach, side="right")
        self.most = int((np.searchsorted(times, at + reach) - self.first).max(initial=0))
        if not self.most:
            return
        later = np.append(times, np.full(self.most, times[-1] + 1e6))
        place = sliding_window_view(later, self.most)[self.first]
        np.subtract(at[:, None] + reach, place, out=place)
        place *= rate * FINE
        np.clip(place, 0.0, 2 * REACH * FINE, out=place)
        index = place.astype(np.int32)
        place -= index
        place *= RISE[index]
        place += RESPONSE[index]
        self.of_steps = place


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
        found: dict[str, list[Block]] = {name: [] for name in self._stairs}
        rows = self._rows(at)
        for start in range(0, count, rows):
            self._part(at[start : start + rows], found)
        if len(at):
            for stairs in self._stairs.values():
                stairs.forget(float(at[-1]) - (REACH + 1) / self._rate)
        return {name: np.concatenate(parts) for name, parts in found.items()}

    def _rows(self, at: Block) -> int:
        """Samples to be worked out at once, so that memory stays small where there are many steps to each."""
        reach = REACH / self._rate
        most = [
            int((np.searchsorted(stairs.times, at + reach) - np.searchsorted(stairs.times, at - reach)).max(initial=1))
            for stairs in self._stairs.values()
        ]
        return max(1, min(ROWS, PAIRS // max(most, default=1)))

    def _part(self, at: Block, found: dict[str, list[Block]]) -> None:
        """Outputs that step at the same instants, those of one task, have the same shares."""
        known: list[Shares] = []
        for name, stairs in self._stairs.items():
            shares = next((one for one in known if one.times is stairs.times or np.array_equal(one.times, stairs.times)), None)
            if shares is None:
                shares = Shares(stairs.times, at, self._rate)
                known.append(shares)
            found[name].append(stairs.filtered(at, shares))
