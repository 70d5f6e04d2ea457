"""Load reversals: what the force does in the play after each zero of the command.

s is the sign of the half cycle that begins at a zero of the command, A the amplitude, T the period (hu2016, corrected:
definitions for a closed force loop):

    first impact   time after the zero at which s F first exceeds 0.1 A, searched for 3T/8, interpolated between samples
    impact peak    largest s F in the 10 ms after the first impact
    overshoot      largest s (F - F_cmd) within T/4
    reversal peak  largest s F within T/8 (for open load sources; a closed force loop crosses the play later than that)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IMPACT_LEVEL = 0.1
IMPACT_SEARCH = 3.0 / 8.0
IMPACT_PEAK_TIME = 0.010
OVERSHOOT_SEARCH = 1.0 / 4.0
REVERSAL_SEARCH = 1.0 / 8.0
NO_COMMAND = 1e-9
"""Share of A below which a command counts as zero: rounding in sin(2 pi k)."""


@dataclass(frozen=True)
class Reversal:
    """One zero of the command, in samples, and its half cycle: sign, period in samples, amplitude, counted cycle."""

    zero: float
    sign: int
    period: float
    amplitude: float
    cycle: int

    def window(self, share: float) -> slice:
        """Samples from the zero on for this share of the period."""
        return slice(int(np.ceil(self.zero)), int(np.floor(self.zero + share * self.period)) + 1)


@dataclass(frozen=True)
class Response:
    """What one force signal did after one reversal; s and unit of the channel, nan where there was no impact."""

    first_impact: float
    impact_peak: float
    overshoot: float
    reversal_peak: float


def reversals(
    command: NDArray[np.float64],
    cycle: NDArray[np.float64],
    kept: NDArray[np.bool_],
    amplitude: float,
    period: float | None,
) -> list[Reversal]:
    """Return the zeros of `command` (N,) whose first 3T/8 lie wholly in `kept` (N,).

    period: of a pure sine, in samples; without it twice the distance to the next zero, and the half cycle's own amplitude.
    """
    signs = np.where(np.abs(command) > NO_COMMAND * amplitude, np.sign(command), 0.0)
    loaded = np.flatnonzero(signs)
    if len(loaded) == 0:
        return []
    changes = np.flatnonzero(np.diff(signs[loaded])) + 1
    firsts = loaded[changes]
    if loaded[0] > 0:
        firsts = np.concatenate((loaded[:1], firsts))
    if len(firsts) == 0:
        return []  # loaded from the first sample on, and never reversed
    zeros = [_zero_before(command, int(n)) for n in firsts]
    ends = [int(n) for n in firsts[1:]] + [int(loaded[-1]) + 1]
    found = []
    for i, (first, zero, end) in enumerate(zip(firsts, zeros, ends, strict=True)):
        length = period if period is not None else 2.0 * (zeros[i + 1] - zero if i + 1 < len(zeros) else end - zero)
        peak = amplitude if period is not None else float(np.max(np.abs(command[first:end])))
        found.append(Reversal(zero, int(signs[first]), length, peak, int(np.floor(cycle[first]))))
    return [r for r in found if _inside(kept, r.window(IMPACT_SEARCH))]


def _zero_before(command: NDArray[np.float64], first: int) -> float:
    """Zero of the straight line between sample first - 1 and `first`, in samples."""
    before, after = float(command[first - 1]), float(command[first])
    return first - 1 + before / (before - after) if before * after < 0.0 else float(first - 1)


def _inside(kept: NDArray[np.bool_], window: slice) -> bool:
    return window.stop <= len(kept) and bool(kept[window].all())


def response(force: NDArray[np.float64], command: NDArray[np.float64], reversal: Reversal, rate: float) -> Response:
    """Return what `force` (N,), already low-passed, does after one reversal of `command` (N,)."""
    s = reversal.sign
    early, quarter = reversal.window(REVERSAL_SEARCH), reversal.window(OVERSHOOT_SEARCH)
    crossing = _first_above(s * force[reversal.window(IMPACT_SEARCH)], IMPACT_LEVEL * reversal.amplitude)
    impact = peak = float("nan")
    if crossing is not None:
        at = max(reversal.zero, np.ceil(reversal.zero) + crossing)
        impact = (at - reversal.zero) / rate
        peak = float(np.max(s * force[int(np.ceil(at)) : int(np.floor(at + IMPACT_PEAK_TIME * rate)) + 1]))
    return Response(
        first_impact=impact,
        impact_peak=peak,
        overshoot=float(np.max(s * (force[quarter] - command[quarter]))),
        reversal_peak=float(np.max(s * force[early])),
    )


def _first_above(x: NDArray[np.float64], level: float) -> float | None:
    """Index, with its fraction, at which x first rises through `level`; 0 when it starts above, None when it never does."""
    above = np.flatnonzero(x > level)
    if len(above) == 0:
        return None
    n = int(above[0])
    return 0.0 if n == 0 else n - 1 + float((level - x[n - 1]) / (x[n] - x[n - 1]))


def mean(responses: Sequence[Response], name: str) -> float | None:
    """Mean of one field over the half cycles that have it; None when none has."""
    values = np.array([getattr(r, name) for r in responses], dtype=np.float64)
    values = values[np.isfinite(values)]
    return float(np.mean(values)) if len(values) else None
