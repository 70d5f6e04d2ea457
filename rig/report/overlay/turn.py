"""One turn of a motor rig, or once along its path, in the middle of what counts: every channel that is measured and predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.comparison import Settings
from rig.comparison.gap_filling import GapFilled
from rig.comparison.preparation import prepare
from rig.comparison.series import Series
from rig.config.checks.axes import AXES_MODES
from rig.config.plan import Plan
from rig.report.names import words
from rig.report.signals import Floats, Signals, measured_angle
from rig.trajectory.drives import Drives

MOST_ROWS = 6
"""Channels that fit on the page; those that are judged come first."""
ROUND = 2.0 * np.pi


@dataclass(frozen=True)
class Row:
    """One channel over the turn, as compared, (k,) each in SI; predicted is nan where there is no prediction."""

    name: str
    unit: str
    measured: Floats
    predicted: Floats


@dataclass(frozen=True)
class Turn:
    """along (k,): angle or phase in deg, named by `label`, from `begin` on over one round."""

    title: str
    label: str
    begin: float
    before: float
    """rad that it had turned in whole rounds before."""
    along: Floats
    rows: tuple[Row, ...]


def turn(plan: Plan, found: Signals, settings: Settings, counts: range, wanted: Sequence[float] = ()) -> Turn | None:
    """The turn in the middle, or of those in which an angle (rad) lies that is `wanted` the nearest to it.

    None for a rig without axes, and where nothing counts.
    """
    mode = plan.experiment.command.mode
    if mode not in AXES_MODES or not len(counts) or not found.command.frequency:
        return None
    angle, label = drawn_over(plan, found)
    begin = 0.0 if mode == "path" else _begin(plan)
    middle = (counts.start + counts.stop) // 2
    now = float(angle[slice(middle, middle + 1)][0])
    nearest = min(wanted, key=lambda at: abs(at - now), default=now)
    reach = (1.5 + abs(nearest - now) / ROUND) * found.rate / found.command.frequency
    around = slice(max(counts.start, round(middle - reach)), min(counts.stop, round(middle + reach)))
    rounds = (angle[around] - begin) / ROUND
    there = np.flatnonzero(np.floor(rounds) == np.floor((nearest - begin) / ROUND))
    if not len(there):
        return None
    part = slice(around.start + int(there[0]), around.start + int(there[-1]) + 1)
    cycle = int(found.command.cycle[part][len(there) // 2])
    title = f"{'Once along the path' if mode == 'path' else 'One turn'}, cycle {cycle}"
    along = np.degrees(angle[part] - ROUND * np.floor((nearest - begin) / ROUND))
    return Turn(
        title,
        label,
        float(np.degrees(begin)),
        ROUND * float(np.floor((nearest - begin) / ROUND)),
        along,
        tuple(_rows(plan, found, settings, part)),
    )


def drawn_over(plan: Plan, found: Signals) -> tuple[Series, str]:
    """What a turn is drawn over, (N,) rad, and its name: the angle of a crank or bar, or the phase of a path or of a load."""
    mode = plan.experiment.command.mode
    if mode in AXES_MODES and mode != "path":
        return _angle(plan, found)
    return _phase(found) if mode == "path" else (found.command.phase, "phase of the command, deg")


def _begin(plan: Plan) -> float:
    """Where the first drive stands at the start, rad: a turn is shown from there on."""
    return float(Drives(plan.experiment.mechanism, plan.experiment.trajectory).evaluate(np.zeros(1))[0][0, 0])


def _phase(found: Signals) -> tuple[Series, str]:
    seconds = 1.0 / (found.command.frequency or 1.0)
    return found.command.phase, f"phase of the path, deg (360 deg take {seconds:.4g} s)"


def _angle(plan: Plan, found: Signals) -> tuple[Series, str]:
    """As measured where it is."""
    if (name := measured_angle(plan)) and name in found.measured:
        return GapFilled(found.measured[name]), f"{words(name).lower()} as measured, deg"
    drives = Drives(plan.experiment.mechanism, plan.experiment.trajectory)
    return _Driven(drives, found.command.value), f"{drives.names[0]} angle as commanded, deg"


class _Driven:
    """(N,) position of the first drive."""

    def __init__(self, drives: Drives, course: Series) -> None:
        self._drives, self._course = drives, course

    def __len__(self) -> int:
        return len(self._course)

    def __getitem__(self, part: slice) -> Floats:
        return np.asarray(self._drives.evaluate(np.asarray(self._course[part]))[0][:, 0])


def _rows(plan: Plan, found: Signals, settings: Settings, part: slice) -> list[Row]:
    judged = [criterion.channel for criterion in plan.experiment.comparison.criteria]
    there = [name for name in found.measured if name in found.predicted and name != measured_angle(plan)]
    names = list(dict.fromkeys([name for name in (found.feedback, *judged) if name in there] + there)) or [found.feedback]
    return [_row(found, name, settings, part) for name in names[:MOST_ROWS]]


def _row(found: Signals, name: str, settings: Settings, part: slice) -> Row:
    """As compared: filters are run from a little before the turn on."""
    measured = found.measured[name]
    predicted = found.predicted.get(name, np.broadcast_to(np.nan, len(measured)))
    ready = prepare(measured, predicted, found.rate, settings)
    known = np.isfinite(predicted[part])
    return Row(name, found.units.get(name, ""), ready.measured[part], np.where(known, ready.predicted[part], np.nan))
