"""Whether a value within a doubtful parameter's bounds reproduces a statement, and which do.

First a grid over the bounds; where nothing on it does, the bounded minimiser of SciPy (Brent's) between the neighbours of the nearest one.
A motion with impacts makes rough figures, so that the minimiser alone would end at the next dent. Ends of intervals are halved down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from scipy.optimize import minimize_scalar

from rig.reproduction.doubts import Doubt
from rig.reproduction.trials import Trial, Trials

REFINED = 5  # evaluations of the minimiser
HALVINGS = 3  # of the step between a value that reproduces and its neighbour that does not
REACH = 2.0  # times the steepest slope on the grid: what cannot get there by it is not refined


class Interval(NamedTuple):
    """Of values that reproduce a statement, both ends among those that were computed."""

    low: float
    high: float


class Searched(NamedTuple):
    """trials: of one statement, in order; intervals: of those that reproduce it, none for words; best: the one to name."""

    trials: list[Trial]
    intervals: list[Interval]
    best: Trial
    depends: bool


def search(trials: Trials, name: str) -> Searched:
    """Of one statement of which the grid is computed."""
    if not trials.doubt.choices:
        if not any(trial.held for trial in trials.of(name)):
            _refine(trials, name)
        _sharpen(trials, name)
    found = trials.of(name)
    return Searched(found, _intervals(found), _best(found), depends(found))


def depends(found: Sequence[Trial]) -> bool:
    """Whether anything about the statement changes with the parameter."""
    return any(trial.computed != found[0].computed for trial in found)


def _refine(trials: Trials, name: str) -> None:
    """Ask the minimiser between the neighbours of the nearest, where a slope of the grid could lead there."""
    doubt, grid = trials.doubt, [trial for trial in trials.of(name) if math.isfinite(trial.short)]
    if len(grid) < 2:
        return
    places = [_place(doubt, float(trial.value)) for trial in grid]
    slope = max(abs(b.short - a.short) / (y - x) for (a, x), (b, y) in pairwise(zip(grid, places, strict=True)))
    nearest = min(range(len(grid)), key=lambda k: grid[k].short)
    low, high = places[max(nearest - 1, 0)], places[min(nearest + 1, len(grid) - 1)]
    if slope == 0.0 or grid[nearest].short > REACH * slope * max(places[nearest] - low, high - places[nearest]):
        return
    least = math.inf

    def short(place: float) -> float:
        nonlocal least
        if least > 0.0:  # once there, nothing nearer is looked for
            least = trials.at(name, _value(doubt, place)).short
            return least if math.isfinite(least) else 1e300
        return 0.0

    minimize_scalar(short, bounds=(low, high), method="bounded", options={"maxiter": REFINED, "xatol": 1e-3 * (high - low)})


def _sharpen(trials: Trials, name: str) -> None:
    """Move the ends of what reproduces towards its neighbours that do not."""
    for one, other in pairwise(trials.of(name)):
        if one.held == other.held:
            continue
        inside, outside = (float(one.value), float(other.value)) if one.held else (float(other.value), float(one.value))
        for _ in range(HALVINGS):
            middle = trials.doubt.between(inside, outside)
            if trials.at(name, middle).held:
                inside = middle
            else:
                outside = middle


def _intervals(found: Sequence[Trial]) -> list[Interval]:
    made: list[Interval] = []
    before = False
    for trial in found:
        if isinstance(trial.value, str):
            return []
        if trial.held:
            made = [*made[:-1], Interval(made[-1].low, trial.value)] if before else [*made, Interval(trial.value, trial.value)]
        before = trial.held
    return made


def _best(found: Sequence[Trial]) -> Trial:
    """Of those that reproduce, the one nearest the middle of the widest interval; else the nearest to it, the first of equals."""
    good = [trial for trial in found if trial.held]
    if not good:
        return min(found, key=lambda trial: trial.short)
    if not (intervals := _intervals(found)):
        return good[0]
    widest = max(intervals, key=lambda one: one.high - one.low)
    inside = [trial for trial in good if widest.low <= float(trial.value) <= widest.high]
    return min(inside, key=lambda trial: abs(float(trial.value) - 0.5 * (widest.low + widest.high)))


def _place(doubt: Doubt, value: float) -> float:
    return math.log(value) if doubt.scale == "log" else value


def _value(doubt: Doubt, place: float) -> float:
    low, high = doubt.bounds()
    return min(max(math.exp(place) if doubt.scale == "log" else place, low), high)
