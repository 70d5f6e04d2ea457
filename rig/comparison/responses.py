"""What the force does in the play after each zero of the command.

s is the sign of the half cycle that begins at a zero of the command, A the amplitude, T the period (hu2016, corrected:
definitions for a closed force loop):

    first impact   time after the zero at which s F first exceeds 0.1 A, searched for 3T/8, interpolated between samples
    impact peak    largest s F in the 10 ms after the first impact
    overshoot      largest s (F - F_cmd) within T/4
    reversal peak  largest s F within T/8 (for open load sources; a closed force loop crosses the play later than that)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rig.comparison.reversals import IMPACT_SEARCH, Reversal, Rows
from rig.comparison.series import Flags, Floats, Series, pieces

IMPACT_LEVEL = 0.1
IMPACT_PEAK_TIME = 0.010
OVERSHOOT_SEARCH = 1.0 / 4.0
REVERSAL_SEARCH = 1.0 / 8.0


@dataclass(frozen=True)
class Response:
    """What one force signal did after one reversal; s and unit of the channel, nan where there was no impact."""

    first_impact: float
    impact_peak: float
    overshoot: float
    reversal_peak: float


FIELDS = np.dtype([(name, "<f8") for name in Response.__dataclass_fields__])


class Following:
    """One signal after one reversal, while its samples pass by: a half cycle may be longer than what fits into memory."""

    def __init__(self, reversal: Reversal, rate: float) -> None:
        self._zero, self._sign, self._rate = reversal.zero, reversal.sign, rate
        self._level = IMPACT_LEVEL * reversal.amplitude
        self._early, self._quarter, self._search = (reversal.window(s) for s in (REVERSAL_SEARCH, OVERSHOOT_SEARCH, IMPACT_SEARCH))
        self._after: slice | None = None  # the 10 ms behind the impact
        self._at = math.nan  # of the impact
        self._last = 0.0  # s F of the sample before
        self._peak = self._overshoot = self._reversal_peak = -math.inf
        self.begin = self._search.start
        self.end = max(self._early.stop, self._quarter.stop, self._search.stop)
        """n behind the last sample that is needed; an impact puts it off."""

    def add(self, first: int, force: Floats, command: Floats) -> None:
        """Samples first .., (k,) each, in order; those outside the windows do no harm."""

        def cut(window: slice) -> slice:
            return slice(max(0, window.start - first), max(0, window.stop - first))

        s = self._sign
        if len(early := force[cut(self._early)]):
            self._reversal_peak = max(self._reversal_peak, float(np.max(s * early)))
        quarter = cut(self._quarter)
        if len(force[quarter]):
            self._overshoot = max(self._overshoot, float(np.max(s * (force[quarter] - command[quarter]))))
        if self._after is None:
            searched = cut(self._search)
            self._find_impact(first + searched.start - self.begin, s * force[searched])
        if self._after is not None and len(after := force[cut(self._after)]):
            self._peak = max(self._peak, float(np.max(s * after)))

    def _find_impact(self, first: int, x: Floats) -> None:
        """x (k,) is s F from `first` samples behind the beginning of the search on; one that starts above 0.1 A has risen there."""
        above = np.flatnonzero(x > self._level)
        if len(above):
            i = int(above[0])
            before = self._last if i == 0 else float(x[i - 1])
            rise = 0.0 if first + i == 0 else first + i - 1 + (self._level - before) / (float(x[i]) - before)
            self._at = max(self._zero, self.begin + rise)
            self._after = slice(math.ceil(self._at), math.floor(self._at + IMPACT_PEAK_TIME * self._rate) + 1)
            self.end = max(self.end, self._after.stop)
        elif len(x):
            self._last = float(x[-1])

    @property
    def response(self) -> Response:
        impact = (self._at - self._zero) / self._rate
        return Response(impact, math.nan if self._after is None else self._peak, self._overshoot, self._reversal_peak)


def response(force: Series, command: Series, reversal: Reversal, rate: float) -> Response:
    """Return what `force` (N,), already low-passed, does after one reversal of `command` (N,)."""
    following = Following(reversal, rate)
    reach = following.end + math.ceil(IMPACT_PEAK_TIME * rate) + 1
    for part in pieces(following.begin, min(reach, len(force))):
        following.add(part.start, force[part], command[part])
    return following.response


class Responses:
    """One signal after many reversals, in order, while its samples pass by."""

    def __init__(self, rows: Rows, rate: float) -> None:
        self._rows, self._rate, self._next = rows, rate, 0
        self._open: dict[int, Following] = {}
        self._begins = np.ceil(rows["zero"])
        self._found = np.full(len(rows), math.nan, FIELDS)

    def add(self, first: int, force: Floats, command: Floats) -> None:
        """Samples first .., (k,) each, k > 0."""
        end = first + len(force)
        begun = int(np.searchsorted(self._begins, end))
        for i in range(self._next, begun):
            self._open[i] = Following(Reversal(*self._rows[i].tolist()), self._rate)
        self._next = begun
        for i, following in list(self._open.items()):
            following.add(first, force, command)
            found = following.response
            self._found[i] = (found.first_impact, found.impact_peak, found.overshoot, found.reversal_peak)
            if following.end <= end:
                del self._open[i]

    def choose(self, flags: Flags) -> Found:
        """Those after some of the reversals."""
        return Found(self._found[flags])


@dataclass(frozen=True)
class Found:
    """Responses, as many as there are half cycles; the fields of `rows` are those of `Response`."""

    rows: Rows

    @property
    def impacts(self) -> int:
        """Half cycles with an impact."""
        return int(np.count_nonzero(np.isfinite(self.rows["first_impact"])))

    def mean(self, name: str) -> float | None:
        """Mean of one field over the half cycles that have it; None when none has."""
        values = self.rows[name][np.isfinite(self.rows[name])]
        return float(np.mean(values)) if len(values) else None
