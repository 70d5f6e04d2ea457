"""What the counts of an encoder that leads the model have to do with a figure, by the same figure of predictions over other counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rig.comparison.uncertainty.interval import LEAST, Interval, Raised

NRMS, LEVEL = "nrms", "band_level"
ROOTS = {NRMS: 0.0, LEVEL: 1.0}
"""Figures that are the root of a mean square, less so much: what shakes the model moves them to one side."""


def redrawn(found: Mapping[str, Interval], begin: Mapping[str, Interval], drawn: Sequence[Mapping[str, Interval]]) -> dict[str, Interval]:
    """The intervals `found`, by metric, with what the counts add to them.

    drawn: the same figures of predictions over the recorded angle with the error of other counts beside its own, each over other ones;
    begin: over the recorded angle alone, in the same cycles. What tells these apart beyond what cycles tell (the components of variance of
    a one-way layout) is by the counts, and no cycle shows it where counts fall alike in each. By how much the added error raises a mean
    square its own has raised it already (simulation and extrapolation: Cook and Stefanski, Journal of the American Statistical Association
    89 (1994) 1314): the figure is open below by that, as far as it is more than cycles may do. A level may go down as well, where the
    shaking keeps joints from knocking, and is open above then.
    """
    return {name: _redrawn(name, one, begin, drawn) for name, one in found.items()}


def _redrawn(name: str, found: Interval, begin: Mapping[str, Interval], drawn: Sequence[Mapping[str, Interval]]) -> Interval:
    of = [one[name] for one in drawn if name in one]
    if name not in begin or len(of) < max(LEAST, len(drawn)):
        return found
    result = _with(_moved(name, found, begin[name], of) if name in ROOTS else found, of)
    squares = [one.square for one in (begin[name], *of) if isinstance(one, Raised)]
    if not isinstance(result, Raised) or len(squares) <= len(of):
        return result
    raised = float(np.mean([one.value for one in squares[1:]])) - squares[0].value
    square = _with(result.square, squares[1:])
    return replace(result, square=replace(square, below=square.below + max(0.0, raised - _chance(squares[0], squares[1:]))))


def _moved(name: str, found: Interval, begin: Interval, of: Sequence[Interval]) -> Interval:
    power = (begin.value + ROOTS[name]) ** 2
    raised = float(np.mean([(one.value + ROOTS[name]) ** 2 for one in of])) - power
    less, chance = begin.value + ROOTS[name] - math.sqrt(max(0.0, power - raised)), _chance(begin, of)
    above = max(0.0, -less - chance) if name == LEVEL else 0.0
    return replace(found, below=found.below + max(0.0, less - chance), above=found.above + above)


def _chance(begin: Interval, of: Sequence[Interval]) -> float:
    """Standard deviation of the difference of `begin` and the mean of the others by what cycles do otherwise."""
    return math.sqrt(begin.std**2 + _scatter(of) / len(of))


def _scatter(of: Sequence[Interval]) -> float:
    return float(np.mean([one.std**2 for one in of]))


def _with(found: Interval, of: Sequence[Interval]) -> Interval:
    counts = max(0.0, float(np.var([one.value for one in of], ddof=1)) - _scatter(of))
    if not counts > 0.0:
        return found
    variance = found.std**2 + counts
    # Degrees of freedom by Welch and Satterthwaite.
    dof = variance**2 / (found.std**4 / found.dof + counts**2 / (len(of) - 1))
    return replace(found, std=math.sqrt(variance), dof=dof, of_counts=counts / variance)
