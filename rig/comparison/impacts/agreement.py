"""How far the impacts of model and test agree: how many belong together, and what those that do differ in, by cycle and as a whole."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.series import Floats
from rig.comparison.uncertainty import intervals
from rig.comparison.uncertainty.interval import Interval

if TYPE_CHECKING:
    from rig.comparison.impacts.pairs import Pairs

LISTED = 1000
MATCHED, TIME, STRENGTH, IMPULSE = "impacts", "impact_time", "impact_strength", "impact_impulse"
FIGURES = (MATCHED, TIME, STRENGTH, IMPULSE)
"""As criteria name them."""
COUNT, LATE, MEASURED, PREDICTED, FORCED, FORCED_PREDICTED, OF_MEASURED, OF_PREDICTED = range(8)
"""Columns of a cycle's sums: pairs; what they are late by, s; strengths of both; impulses of both; and all impacts of both sides."""


@dataclass(frozen=True)
class CycleImpacts:
    """One cycle: matched impacts, those that only the test or only the model has; of those matched how much later the model has them, s,
    and its sums of strength and of impulse as a share of those measured, less 1; None where none are matched."""

    cycle: int
    matched: int
    missed: int
    extra: int
    late_s: float | None
    strength_error: float | None
    impulse_error: float | None


@dataclass(frozen=True)
class ImpactAgreement:
    """The same of all cycles; share: of all impacts of both sides, those that are matched; None where neither side has one.

    late_scatter_s: standard deviation of how much later single impacts come in the model.
    """

    measured: int
    predicted: int
    matched: int
    missed: int
    extra: int
    share: float | None
    late_s: float | None
    late_scatter_s: float | None
    strength_error: float | None
    impulse_error: float | None
    cycles: tuple[CycleImpacts, ...] = ()

    def error(self, metric: str) -> float | None:
        """The figure that a criterion judges."""
        return {MATCHED: self.share, TIME: self.late_s, STRENGTH: self.strength_error, IMPULSE: self.impulse_error}[metric]

    def to_json(self) -> dict[str, Json]:
        """Plain values; of more than LISTED cycles the first ones."""
        return {**asdict(self), "cycles": [asdict(one) for one in self.cycles[:LISTED]]}


def agreement_of(found: Pairs, cycle: Floats) -> tuple[ImpactAgreement, dict[str, Interval]]:
    """Of impacts in signals whose cycles are (N,), -1 where they do not count; what single cycles tell of how sure it is, by metric."""
    numbers, rows = _rows(found, cycle)
    whole = np.sum(rows, axis=0)
    one = ImpactAgreement(
        measured=int(whole[OF_MEASURED]),
        predicted=int(whole[OF_PREDICTED]),
        matched=int(whole[COUNT]),
        missed=int(whole[OF_MEASURED] - whole[COUNT]),
        extra=int(whole[OF_PREDICTED] - whole[COUNT]),
        share=_share(whole) if whole[OF_MEASURED] + whole[OF_PREDICTED] else None,
        late_s=_known(_late(whole)),
        late_scatter_s=float(np.std(found.late, ddof=1)) if len(found.late) > 1 else None,
        strength_error=_known(_strength(whole)),
        impulse_error=_known(_impulse(whole)),
        cycles=tuple(_cycle(int(number), row) for number, row in zip(numbers, rows, strict=True)),
    )
    figures = zip(FIGURES, (_share, _late, _strength, _impulse), strict=True)
    sure = {name: intervals.of_sums(rows, figure) for name, figure in figures if one.error(name) is not None}
    return one, {name: interval for name, interval in sure.items() if interval is not None}


def _rows(found: Pairs, cycle: Floats) -> tuple[Floats, Floats]:
    """(number of each counted cycle, (C, 8) its sums); a pair is in the cycle of the measured one."""
    numbers = np.unique(cycle[cycle >= 0.0])
    rows = np.zeros((len(numbers), 8))
    first, second = found.pairs
    at = cycle[found.measured.at[first]]
    strengths = (found.measured.strength[first], found.predicted.strength[second])
    impulses = (found.impulse(found.measured)[first], found.impulse(found.predicted)[second])
    for column, values in enumerate((np.ones(len(first)), found.late, *strengths, *impulses)):
        _sum(rows[:, column], numbers, at, values)
    _sum(rows[:, OF_MEASURED], numbers, cycle[found.measured.at], np.ones(len(found.measured)))
    alone = np.ones(len(found.predicted))
    places = cycle[found.predicted.at]
    places[second] = at  # also where the model has it in the next cycle
    _sum(rows[:, OF_PREDICTED], numbers, places, alone)
    return numbers, rows


def _sum(into: Floats, numbers: Floats, at: Floats, values: Floats) -> None:
    counts = np.isin(at, numbers)
    np.add.at(into, np.searchsorted(numbers, at[counts]), values[counts])


def _share(sums: Floats) -> float:
    both = float(sums[OF_MEASURED] + sums[OF_PREDICTED])
    return 2.0 * float(sums[COUNT]) / both if both else np.nan


def _late(sums: Floats) -> float:
    return float(sums[LATE] / sums[COUNT]) if sums[COUNT] else np.nan


def _strength(sums: Floats) -> float:
    return float(sums[PREDICTED] / sums[MEASURED]) - 1.0 if sums[MEASURED] else np.nan


def _impulse(sums: Floats) -> float:
    return float(sums[FORCED_PREDICTED] / sums[FORCED]) - 1.0 if sums[FORCED] else np.nan


def _cycle(number: int, sums: Floats) -> CycleImpacts:
    measured, predicted, count = (int(sums[k]) for k in (OF_MEASURED, OF_PREDICTED, COUNT))
    figures = (_known(figure(sums)) for figure in (_late, _strength, _impulse))
    return CycleImpacts(number, count, measured - count, predicted - count, *figures)


def _known(x: float) -> float | None:
    return float(x) if np.isfinite(x) else None
