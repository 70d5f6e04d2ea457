"""How far test and model agree on where contact is lost: the share of the angle where both say so, and how much later the model has it.

A flight is a stretch of the angle from the loss of contact to the first impact after it. Of a turn

    agreement = angle in which both have a flight / angle in which at least one has

which is 1 where they are alike and 0 where they have none in common (the Jaccard index); a turn without a flight on either side has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.impacts.spikes import Indices, matched
from rig.comparison.series import Floats
from rig.comparison.uncertainty import intervals
from rig.comparison.uncertainty.interval import Interval

TURN = 2.0 * np.pi
NEAR = np.radians(15.0)
"""Onsets that are farther apart do not belong together."""
STEP = 1e-6
"""rad to which angles are matched."""
LISTED = 1000
"""Turns in JSON."""
BOTH, EITHER, MEASURED, PREDICTED, PAIRS, OF_MEASURED, OF_PREDICTED, LATE, END_LATE = range(9)
"""Columns of a turn's sums: angles in which both, at least one, measured, predicted have a flight; pairs; flights of both sides; and of
pairs by how much later the model's begin and end, rad."""


@dataclass(frozen=True)
class Flights:
    """begin, end (m,): rad, going on over turns; in order, and apart from each other."""

    begin: Floats
    end: Floats

    def __len__(self) -> int:
        return len(self.begin)

    @property
    def lasting(self) -> Floats:
        """(m,) rad."""
        return self.end - self.begin


@dataclass(frozen=True)
class TurnFlights:
    """One turn, counted from 0: angles (deg) in which measured, predicted, both and at least one have a flight."""

    turn: int
    measured_deg: float
    predicted_deg: float
    both_deg: float
    either_deg: float


@dataclass(frozen=True)
class FlightAgreement:
    """turns that were looked at; shares of the angle in which measured, predicted, both, and at least one have a flight; agreement: both /
    at least one. matched, missed (measured alone), extra (predicted alone): flights. late_deg, late_s: by how much later the model's begin,
    of those matched, and its scatter; end_late_deg: by how much later they end. None where there are none."""

    turns: int
    measured: float
    predicted: float
    both: float
    either: float
    agreement: float | None
    matched: int
    missed: int
    extra: int
    late_deg: float | None
    late_scatter_deg: float | None
    late_s: float | None
    end_late_deg: float | None
    each: tuple[TurnFlights, ...] = ()
    intervals: Mapping[str, Interval] | None = None

    def to_json(self) -> dict[str, Json]:
        """Plain values; of more than LISTED turns the first ones."""
        data = {name: value for name, value in vars(self).items() if name not in ("each", "intervals")}
        sure = {name: one.to_json() for name, one in (self.intervals or {}).items()}
        return {**data, "intervals": sure, "each": [asdict(one) for one in self.each[:LISTED]]}


def flight_agreement(measured: Flights, predicted: Flights, start: float, turns: int, speed: float) -> FlightAgreement:
    """Of flights in so many turns from the angle `start` (rad) on; speed: mean, rad/s, by which an angle is a time."""
    rows = np.zeros((turns, 9))
    for k in range(turns):
        low, high = start + TURN * k, start + TURN * (k + 1)
        one, other = (_within(side, low, high) for side in (measured, predicted))
        rows[k, MEASURED], rows[k, PREDICTED] = float(np.sum(one.lasting)), float(np.sum(other.lasting))
        rows[k, BOTH] = _common(one, other)
        rows[k, EITHER] = rows[k, MEASURED] + rows[k, PREDICTED] - rows[k, BOTH]
    pairs = _pairs(measured, predicted)
    late, end_late = predicted.begin[pairs[1]] - measured.begin[pairs[0]], predicted.end[pairs[1]] - measured.end[pairs[0]]
    own = [_turn(side.begin, start, turns) for side in (measured, predicted)]
    for column, at in ((OF_MEASURED, own[0]), (OF_PREDICTED, own[1])):
        np.add.at(rows[:, column], at[at >= 0], 1.0)
    at = own[0][pairs[0]]
    for column, values in ((PAIRS, np.ones(len(late))), (LATE, late), (END_LATE, end_late)):
        np.add.at(rows[:, column], at[at >= 0], values[at >= 0])
    return _told(rows, late[at >= 0], speed)


def _told(rows: Floats, late: Floats, speed: float) -> FlightAgreement:
    whole, turns = np.sum(rows, axis=0), len(rows)
    share = whole[: PREDICTED + 1] / (TURN * turns) if turns else np.zeros(PREDICTED + 1)
    mean = float(np.mean(late)) if len(late) else None
    # One over several turns begins in one of them; a turn may have the end of one alone.
    sure = {
        "agreement": intervals.of_sums(rows, lambda sums: _ratio(sums[BOTH], sums[EITHER])),
        "late_rad": intervals.of_sums(rows, lambda sums: _ratio(sums[LATE], sums[PAIRS])),
    }
    return FlightAgreement(
        turns=turns,
        measured=float(share[MEASURED]),
        predicted=float(share[PREDICTED]),
        both=float(share[BOTH]),
        either=float(share[EITHER]),
        agreement=float(whole[BOTH] / whole[EITHER]) if whole[EITHER] else None,
        matched=int(whole[PAIRS]),
        missed=int(whole[OF_MEASURED] - whole[PAIRS]),
        extra=int(whole[OF_PREDICTED] - whole[PAIRS]),
        late_deg=None if mean is None else float(np.degrees(mean)),
        late_scatter_deg=float(np.degrees(np.std(late, ddof=1))) if len(late) > 1 else None,
        late_s=None if mean is None or not speed else mean / abs(speed),
        end_late_deg=float(np.degrees(whole[END_LATE] / whole[PAIRS])) if whole[PAIRS] else None,
        each=tuple(_each(k, row) for k, row in enumerate(rows)),
        intervals={name: one for name, one in sure.items() if one is not None},
    )


def _each(turn: int, row: Floats) -> TurnFlights:
    return TurnFlights(turn, *(float(np.degrees(row[k])) for k in (MEASURED, PREDICTED, BOTH, EITHER)))


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else np.nan


def _within(side: Flights, low: float, high: float) -> Flights:
    """What of them lies between two angles."""
    there = (side.end > low) & (side.begin < high)
    return Flights(np.maximum(side.begin[there], low), np.minimum(side.end[there], high))


def _common(one: Flights, other: Flights) -> float:
    """Angle in which both have one."""
    begin, end = np.maximum.outer(one.begin, other.begin), np.minimum.outer(one.end, other.end)
    return float(np.sum(np.maximum(0.0, end - begin)))


def _pairs(measured: Flights, predicted: Flights) -> tuple[Indices, Indices]:
    """Places of those that begin near to each other, one to one."""
    at = [np.round(side.begin / STEP).astype(np.int64) for side in (measured, predicted)]
    return matched(at[0], at[1], NEAR / STEP)


def _turn(begin: Floats, start: float, turns: int) -> Indices:
    """Number of the turn (m,) from 0 on; -1 for one outside."""
    at = np.floor((begin - start) / TURN).astype(np.int64)
    return np.where((at >= 0) & (at < turns), at, -1)
