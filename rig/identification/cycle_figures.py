"""What a fit looks at: the mean cycle of each channel, as its first harmonics below the low-pass, and the level in the band.

Each counted cycle is laid on a grid of its phase and transformed; so impacts that come a little sooner or later in every cycle scatter
about a mean, as noise does, and the scatter is known. One row of figures a cycle; a fit takes their mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.comparison import Settings
from rig.comparison.filtering import Bandpassed, Lowpassed
from rig.comparison.preparation import Counted, whole
from rig.comparison.series import Marks, Series
from rig.errors import ConfigError
from rig.identification.force_loop import Loop, loop
from rig.report.signals import Command

Floats = NDArray[np.float64]

TURN = 2.0 * np.pi
MOST, SMOOTH = 40, 20
"""Harmonics that are looked at, and those that change smoothly with the numbers: the higher, the more they are of single impacts, which
change places. More than 40 of the linkage's told its clearance no better (of 40 specimens 4.3 to 9 um off, as with 40), but jumped."""
LEAST_CYCLES = 3
"""Of which a scatter can be told."""


@dataclass(frozen=True)
class Span:
    """Samples first .. end - 1 are one cycle; phase (end - first,) within it, rad."""

    first: int
    end: int
    phase: Floats


class CycleFigures:
    """Figures of the first `most` counted cycles of a test at `rate` Hz, of `channels`, that are `known` throughout.

    left_out: how many cycles there are before the last of these, or in all where there are fewer, that are not.
    """

    def __init__(
        self, command: Command, rate: float, settings: Settings, channels: Sequence[str], most: int, known: Sequence[Marks] = (),
        loop: tuple[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Raises ConfigError for a record with fewer than LEAST_CYCLES whole cycles that count and are known."""
        self._rate, self._settings, self.channels, self.loop = rate, settings, tuple(channels), loop
        self.spans, self.left_out = _spans(command, settings.discard_cycles, most, known)
        if len(self.spans) < LEAST_CYCLES:
            others = f" beside {self.left_out} in which samples are missing or clipped" if self.left_out else ""
            raise ConfigError(f"identify: {len(self.spans)} whole cycles count in this record{others}; expected {LEAST_CYCLES} at least")
        longest = max(span.end - span.first for span in self.spans)
        self._points = 1 << int(np.ceil(np.log2(longest)))
        period = float(np.median([span.end - span.first for span in self.spans])) / rate
        self.harmonics = max(1, min(MOST, int((settings.lowpass or 0.25 * rate) * period)))
        self._grid = TURN * np.arange(self._points) / self._points

    def __len__(self) -> int:
        """Figures a cycle."""
        return len(self.channels) * self._each + (0 if self.loop is None else len(Loop._fields))

    @property
    def _each(self) -> int:
        """Figures of a channel."""
        return 2 * self.harmonics + 1 + (self._settings.band is not None)

    @property
    def needed(self) -> tuple[str, ...]:
        """Channels that the figures are of, those of the loop included."""
        return tuple(dict.fromkeys((*self.channels, *(self.loop or ()))))

    @property
    def smooth(self) -> NDArray[np.bool_]:
        """(figures,) which of them change smoothly with the numbers of a mechanism: low harmonics, level in the band, loop."""
        order = np.concatenate((np.arange(self.harmonics + 1), np.arange(1, self.harmonics + 1)))
        one = np.concatenate((order <= SMOOTH, np.full(int(self._settings.band is not None), True)))
        return np.concatenate((np.tile(one, len(self.channels)), np.full(len(self) - len(one) * len(self.channels), True)))

    def of(self, series: Mapping[str, Series]) -> Floats:
        """(cycles, figures): of each channel the mean, then cosine and sine parts of the harmonics, then log of the level in the band; then
        play and compliances of the loop. Raises ValueError where a loop is not loaded to both sides."""
        found = [part for channel in self.channels for part in self._of(series[channel])]
        if self.loop is not None:
            displacement, force = (self._low(series[name]) for name in self.loop)
            found.append(np.array([loop(d, f) for d, f in zip(displacement, force, strict=True)]))
        return np.concatenate(found, axis=1)

    def loop_of(self, figures: Floats) -> Loop | None:
        """What a row of figures has of the loop."""
        return None if self.loop is None else Loop(*(float(one) for one in figures[len(self) - len(Loop._fields) : len(self)]))

    def curves(self, figures: Floats, points: int) -> dict[str, Floats]:
        """Channel -> one cycle (points,) that its harmonics of a row of figures make."""
        turns = TURN * np.arange(points)[:, None] / points * np.arange(1, self.harmonics + 1)
        found = {}
        for k, channel in enumerate(self.channels):
            own = figures[k * self._each : (k + 1) * self._each]
            real, imaginary = own[1 : self.harmonics + 1], own[self.harmonics + 1 : 2 * self.harmonics + 1]
            found[channel] = own[0] + 2.0 * (np.cos(turns) @ real - np.sin(turns) @ imaginary)
        return found

    def _of(self, series: Series) -> list[Floats]:
        first, end = self.spans[0].first, self.spans[-1].end
        found = [np.array([self._row(x, span.phase) for x, span in zip(self._low(series), self.spans, strict=True)])]
        if self._settings.band is not None:
            band = Bandpassed(series, self._rate, self._settings.band)[first:end]
            levels = [np.sqrt(np.mean(band[span.first - first : span.end - first] ** 2)) for span in self.spans]
            found.append(np.log(np.maximum(levels, np.finfo(float).tiny))[:, None])
        return found

    def _low(self, series: Series) -> list[Floats]:
        """Each cycle behind the low-pass."""
        first, end = self.spans[0].first, self.spans[-1].end
        low = Lowpassed(series, self._rate, self._settings.lowpass)[first:end]
        return [low[span.first - first : span.end - first] for span in self.spans]

    def _row(self, x: Floats, phase: Floats) -> Floats:
        parts = np.fft.rfft(np.interp(self._grid, phase, x))[: self.harmonics + 1] / self._points
        return np.concatenate((parts.real, parts.imag[1:]))


def _spans(command: Command, discard: int, most: int, known: Sequence[Marks]) -> tuple[list[Span], int]:
    """Those that are taken, and how many before the last of them are not known throughout."""
    counted = Counted(command.cycle, discard)
    extent = counted.extent
    if not len(extent):
        return [], 0
    part = slice(extent.start, extent.stop)
    numbers, phase = whole(command.cycle[part]), np.asarray(command.phase[part], dtype=np.float64)
    found, left_out = list[Span](), 0
    for number in counted.numbers:
        if len(found) == most:
            break
        places = np.flatnonzero(numbers == number)
        first, end = int(places[0]), int(places[-1]) + 1
        within = phase[first:end] - TURN * np.round(phase[first] / TURN)
        if end - first != len(places) or not np.all(np.diff(within) > 0.0):
            continue
        span = Span(extent.start + first, extent.start + end, within)
        if all(np.all(marks[span.first : span.end]) for marks in known):
            found.append(span)
        else:
            left_out += 1
    return found, left_out
