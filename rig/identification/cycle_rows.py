"""What a fit looks at in one cycle: its first harmonics below the low-pass, the level in the band, play and compliances of a loop.

Each cycle is laid on a grid of its phase and transformed; so impacts that come a little sooner or later in every cycle scatter about a
mean, as noise does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.comparison import Settings
from rig.comparison.filtering import Bandpassed, Lowpassed
from rig.comparison.series import Series
from rig.identification.force_loop import Loop, loop

Floats = NDArray[np.float64]

TURN = 2.0 * np.pi
MOST, SMOOTH = 40, 20
"""Harmonics that are looked at, and those that change smoothly with the numbers: the higher, the more they are of single impacts, which
change places. More than 40 of the linkage's told its clearance no better (of 40 specimens 4.3 to 9 um off, as with 40), but jumped."""


@dataclass(frozen=True)
class Span:
    """Samples first .. end - 1 are one cycle; phase (end - first,) within it, rad."""

    first: int
    end: int
    phase: Floats


@dataclass(frozen=True)
class CycleRows:
    """Figures of cycles of `channels` at `rate` Hz, as `settings` prepare them; points: of the grid of the phase."""

    rate: float
    settings: Settings
    channels: tuple[str, ...]
    loop: tuple[str, str] | None
    points: int
    harmonics: int

    @classmethod
    def like(
        cls, spans: Sequence[Span], rate: float, settings: Settings, channels: Sequence[str], loop: tuple[str, str] | None
    ) -> CycleRows:
        """For cycles of this length."""
        points = 1 << int(np.ceil(np.log2(max(span.end - span.first for span in spans))))
        period = float(np.median([span.end - span.first for span in spans])) / rate
        harmonics = max(1, min(MOST, int((settings.lowpass or 0.25 * rate) * period)))
        return cls(rate, settings, tuple(channels), loop, points, harmonics)

    def __len__(self) -> int:
        """Figures a cycle."""
        return len(self.channels) * self._each + (0 if self.loop is None else len(Loop._fields))

    @property
    def _each(self) -> int:
        """Figures of a channel."""
        return 2 * self.harmonics + 1 + (self.settings.band is not None)

    @property
    def needed(self) -> tuple[str, ...]:
        """Channels that the figures are of, those of the loop included."""
        return tuple(dict.fromkeys((*self.channels, *(self.loop or ()))))

    @property
    def smooth(self) -> NDArray[np.bool_]:
        """(figures,) which of them change smoothly with the numbers of a mechanism: low harmonics, level in the band, loop."""
        order = np.concatenate((np.arange(self.harmonics + 1), np.arange(1, self.harmonics + 1)))
        one = np.concatenate((order <= SMOOTH, np.full(int(self.settings.band is not None), True)))
        return np.concatenate((np.tile(one, len(self.channels)), np.full(len(self) - len(one) * len(self.channels), True)))

    def of(self, series: Mapping[str, Series], spans: Sequence[Span]) -> Floats:
        """(cycles, figures): of each channel the mean, then cosine and sine parts of the harmonics, then log of the level in the band; then
        play and compliances of the loop. Raises ValueError where a loop is not loaded to both sides."""
        found = [part for channel in self.channels for part in self._of(series[channel], spans)]
        if self.loop is not None:
            displacement, force = (self._low(series[name], spans) for name in self.loop)
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

    def transformed(self, x: Floats, phase: Floats) -> Floats:
        """(2 harmonics + 1,) of one cycle x (n,) at its phase (n,): mean, cosine and sine parts."""
        grid = TURN * np.arange(self.points) / self.points
        parts = np.fft.rfft(np.interp(grid, phase, x))[: self.harmonics + 1] / self.points
        return np.concatenate((parts.real, parts.imag[1:]))

    def _of(self, series: Series, spans: Sequence[Span]) -> list[Floats]:
        first, end = spans[0].first, spans[-1].end
        found = [np.array([self.transformed(x, span.phase) for x, span in zip(self._low(series, spans), spans, strict=True)])]
        if self.settings.band is not None:
            band = Bandpassed(series, self.rate, self.settings.band)[first:end]
            levels = [np.sqrt(np.mean(band[span.first - first : span.end - first] ** 2)) for span in spans]
            found.append(np.log(np.maximum(levels, np.finfo(float).tiny))[:, None])
        return found

    def _low(self, series: Series, spans: Sequence[Span]) -> list[Floats]:
        """Each cycle behind the low-pass."""
        first, end = spans[0].first, spans[-1].end
        low = Lowpassed(series, self.rate, self.settings.lowpass)[first:end]
        return [low[span.first - first : span.end - first] for span in spans]
