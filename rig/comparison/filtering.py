"""The low-pass that measured and predicted share, and what lost samples do to it."""

from __future__ import annotations

import cmath

import numpy as np

from rig.comparison.gap_filling import GapFilled
from rig.comparison.series import Flags, Floats, Series, ends
from rig.signals import butterworth
from rig.signals.butterworth import Cascade

SETTLING = 2.0
"""A 2-pole Butterworth has forgotten a disturbance to 0.1 % after 2 / corner seconds."""
FORGOTTEN = 10.0
"""After 10 / corner seconds to 1e-19: nothing that a float64 could hold."""


class Lowpassed:
    """A signal (N,) behind a causal 2-pole Butterworth low-pass; None, or a corner the rate cannot hold, leaves it as it is.

    Causal, because the same filter must be possible while the test runs; its delay is the same on both sides of a comparison.
    The state starts as if the first sample had lasted for ever. Samples that are not finite are bridged by a straight line first.
    Slices in order give the same bits as the whole at once; a slice from elsewhere begins FORGOTTEN / corner before it.
    """

    def __init__(self, x: Series, rate: float, corner: float | None) -> None:
        self._x = GapFilled(x)
        self._sections: butterworth.Sections | None = None
        if (below := passable(corner, rate)) is not None:
            self._sections, self._memory = self._design(rate, below)
        self._restart(0)

    def _design(self, rate: float, corner: float) -> tuple[butterworth.Sections, int]:
        """(sections, samples after which what was is forgotten)."""
        return butterworth.lowpass(2, corner, rate), int(np.ceil(FORGOTTEN / corner * rate))

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Floats:
        first, last = ends(part, len(self))
        if self._sections is None or first == last:
            return self._x[first:last]
        if not self._first <= first <= self._end:
            self._restart(max(0, first - self._memory))
        if last > self._end:
            self._advance(first, last)
        return self._held[first - self._first : last - self._first]

    def _restart(self, first: int) -> None:
        """Begin anew at a sample."""
        self._first = self._end = first  # of what is held
        self._held: Floats = np.empty(0)
        self._cascade = None if self._sections is None else Cascade(self._sections)

    def _advance(self, first: int, last: int) -> None:
        """Filter on up to `last`; what comes before `first` is forgotten."""
        assert self._cascade is not None
        new = self._cascade.apply(self._x[self._end : last])
        kept_from = min(first, self._end)
        held = self._held[kept_from - self._first :]
        both = np.concatenate((held, new)) if len(held) else new
        self._held = both[first - kept_from :]
        self._first, self._end = first, last


class Bandpassed(Lowpassed):
    """The same with a band-pass of 2 poles at each of the edges (Hz) of `band`, the upper one below half the rate."""

    def __init__(self, x: Series, rate: float, band: tuple[float, float]) -> None:
        self._high = band[1]
        super().__init__(x, rate, band[0])

    def _design(self, rate: float, corner: float) -> tuple[butterworth.Sections, int]:
        return butterworth.bandpass((corner, self._high), rate), int(np.ceil(FORGOTTEN / slowest((corner, self._high)) * rate))


def slowest(band: tuple[float, float]) -> float:
    """Corner (Hz) of the low-pass that forgets as slowly as a band-pass.

    About half its width where it is narrow, and its lower edge where it is wide: by the slower pole, s^2 - p width s + low high = 0
    with the prototype's p at -1/sqrt(2) +- j/sqrt(2), beside that of a low-pass, which decays with corner/sqrt(2).
    """
    low, high = band
    half = complex(-(0.5**0.5), 0.5**0.5) * (high - low) / 2.0
    slower = half + cmath.sqrt(half * half - low * high)  # this root is the one with a real part above zero
    return float(-(2.0**0.5) * slower.real)


def passable(corner: float | None, rate: float) -> float | None:
    """Corner (Hz) of the low-pass that there is at `rate` (Hz): from half the rate on there is none."""
    return corner if corner is not None and corner < 0.5 * rate else None


class Usable:
    """(N,) true where the filtered x owes nothing to a missing sample: from `SETTLING` / corner after each on."""

    def __init__(self, x: Series, rate: float, corner: float | None) -> None:
        self._x = x
        self._memory = 0 if corner is None else int(np.ceil(SETTLING / corner * rate))
        self._end, self._missing = 0, -self._memory - 1  # n behind the last slice; last missing sample before it, if it matters

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Flags:
        first, last = ends(part, len(self))
        if first != self._end:
            self._look_back(first)
        finite: Flags = np.isfinite(self._x[first:last])
        if first == last or (finite.all() and first - self._missing > self._memory):
            self._end = last
            return finite
        n = np.arange(first, last)
        latest = np.maximum.accumulate(np.where(finite, self._missing, n))
        self._end, self._missing = last, int(latest[-1])
        return np.asarray(n - latest > self._memory, dtype=np.bool_)

    def _look_back(self, first: int) -> None:
        begin = max(0, first - self._memory)
        missing = np.flatnonzero(~np.isfinite(self._x[begin:first]))
        self._missing = begin + int(missing[-1]) if len(missing) else first - self._memory - 1


def lowpass(x: Floats, rate: float, corner: float | None) -> Floats:
    """Return x (N,) as `Lowpassed` has it, as a whole."""
    return Lowpassed(x, rate, corner)[:]


def usable(x: Floats, rate: float, corner: float | None) -> Flags:
    """Return (N,) as `Usable` has it, as a whole."""
    return Usable(x, rate, corner)[:]


def bridged(x: Floats) -> Floats:
    """Return x (N,) as `GapFilled` has it, as a whole."""
    return GapFilled(x)[:]
