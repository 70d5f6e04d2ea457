"""Coverage and sharpness of a band: the share of what was measured that lies inside against the share that is stated, and how wide it is.

With low l and high u of a band of coverage 1 - alpha, and x measured,

    score = (u - l) + 2/alpha max(0, l - x) + 2/alpha max(0, x - u)

is the interval score (Gneiting and Raftery, J. Am. Stat. Assoc. 102 (2007) 359, eq. 43), in the unit of x. It is proper: on the average no
other band has a smaller one than that of the true quantiles. A narrow band is rewarded, and each miss is punished by how far it is off.

Of M members and one more that is drawn like them, this one lies below the k-th of the others, in order, with the probability k / (M + 1).
So between the quantiles (1 -+ c)/2, which lie at the places (1 -+ c)/2 (M - 1) + 1, it is with c (M - 1) / (M + 1), and not with c: that
is the nominal share. Samples of a cycle go together; cycles tell how sure a share is.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.series import Flags, Floats
from rig.comparison.uncertainty import intervals
from rig.comparison.uncertainty.interval import Interval

AS_STATED, TOO_NARROW, TOO_WIDE, OPEN = "as_stated", "too_narrow", "too_wide", "cannot_be_judged"
LISTED = 1000
"""Cycles in JSON."""
SAMPLES, INSIDE, BELOW, WIDTH, SCORE, HIGHEST, LEAST, MOST = range(8)
"""Columns of a cycle: samples; how many are inside, and below; sums of width and score; largest |measured|, and its least and most by the
band."""


@dataclass(frozen=True)
class Stated:
    """What an ensemble says of its band: `coverage` of so many members."""

    members: int
    coverage: float

    @property
    def nominal(self) -> float:
        """Share of the time in which one more member lies inside."""
        return self.coverage * (self.members - 1.0) / (self.members + 1.0)


@dataclass(frozen=True)
class CycleBand:
    """One cycle: share of its samples inside, mean width and mean score (unit of the channel), whether its largest |value| lies inside."""

    cycle: int
    inside: float
    width: float
    score: float
    peak_inside: bool


@dataclass(frozen=True)
class BandAgreement:
    """One channel. nominal: share that one more member has inside. inside: share of the samples; below, above: of the others. peaks:
    share of the cycles whose largest |value| lies inside. width, score: means, unit of the channel; width_share: of A.

    said: by the samples, and peaks_said: by the cycles' largest values, whether the band keeps what it states, beyond chance.
    """

    members: int
    coverage: float
    nominal: float
    samples: int
    inside: float
    below: float
    above: float
    peaks: float
    width: float
    width_share: float | None
    score: float
    said: str
    peaks_said: str
    inside_interval: Interval | None = None
    peaks_interval: Interval | None = None
    cycles: tuple[CycleBand, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Plain values; of more than LISTED cycles the first ones."""
        data = {name: value for name, value in vars(self).items() if not name.endswith("_interval") and name != "cycles"}
        sure = {"inside": self.inside_interval, "peaks": self.peaks_interval}
        return {
            **data,
            "intervals": {name: one.to_json() for name, one in sure.items() if one is not None},
            "cycles": [asdict(one) for one in self.cycles[:LISTED]],
        }


def band_agreement(
    measured: Floats,
    low: Floats,
    high: Floats,
    cycle: Floats,
    known: Flags,
    stated: Stated,
    *,
    amplitude: float | None = None,
    apart: float = 1.0,
    risk: float = 0.05,
) -> BandAgreement | None:
    """Of measured and both ends of a band (N,), where `known` (N,), in cycles (N,) of which those below 0 do not count.

    amplitude: A, of which the width is a share. apart: samples that tell as much as one. risk: probability, to either side, with which a
    band that is as stated is said not to be. None where no sample is left.
    """
    there = known & (cycle >= 0.0) & np.isfinite(measured) & np.isfinite(low) & np.isfinite(high)
    if not there.any():
        return None
    numbers, rows = _rows(measured[there], low[there], high[there], cycle[there], 1.0 - stated.coverage)
    whole = np.sum(rows, axis=0)
    hit = (rows[:, LEAST] <= rows[:, HIGHEST]) & (rows[:, HIGHEST] <= rows[:, MOST])
    of_samples = intervals.share(np.column_stack((numbers, rows[:, SAMPLES], rows[:, INSIDE])), apart)
    of_peaks = intervals.share(np.column_stack((numbers, np.ones(len(numbers)), hit)), 1.0)
    width = float(whole[WIDTH] / whole[SAMPLES])
    return BandAgreement(
        members=stated.members,
        coverage=stated.coverage,
        nominal=stated.nominal,
        samples=int(whole[SAMPLES]),
        inside=float(whole[INSIDE] / whole[SAMPLES]),
        below=float(whole[BELOW] / whole[SAMPLES]),
        above=float((whole[SAMPLES] - whole[INSIDE] - whole[BELOW]) / whole[SAMPLES]),
        peaks=float(np.mean(hit)),
        width=width,
        width_share=width / amplitude if amplitude else None,
        score=float(whole[SCORE] / whole[SAMPLES]),
        said=_said(of_samples, stated.nominal, risk),
        peaks_said=_said(of_peaks, stated.nominal, risk),
        inside_interval=of_samples,
        peaks_interval=of_peaks,
        cycles=tuple(_cycle(int(number), row, bool(one)) for number, row, one in zip(numbers, rows, hit, strict=True)),
    )


def _rows(measured: Floats, low: Floats, high: Floats, cycle: Floats, alpha: float) -> tuple[Floats, Floats]:
    """(number of each cycle, (C, 8) what is summed of it, or largest in it)."""
    begins = np.concatenate(([0], np.flatnonzero(cycle[1:] != cycle[:-1]) + 1))
    under, over = np.maximum(0.0, low - measured), np.maximum(0.0, measured - high)
    inside = (under == 0.0) & (over == 0.0)
    summed = (np.ones(len(measured)), inside.astype(np.float64), (under > 0.0).astype(np.float64), high - low)
    score = high - low + 2.0 / alpha * (under + over)
    largest = (np.abs(measured), np.maximum(0.0, np.maximum(low, -high)), np.maximum(high, -low))
    return cycle[begins], np.column_stack(
        [np.add.reduceat(x, begins) for x in (*summed, score)] + [np.maximum.reduceat(x, begins) for x in largest]
    )


def _cycle(number: int, row: Floats, hit: bool) -> CycleBand:
    count = row[SAMPLES]
    return CycleBand(number, float(row[INSIDE] / count), float(row[WIDTH] / count), float(row[SCORE] / count), hit)


def _said(share: Interval | None, nominal: float, risk: float) -> str:
    if share is None:
        return OPEN
    low, high = share.bounds(risk)
    return TOO_WIDE if low > nominal else TOO_NARROW if high < nominal else AS_STATED
