"""Work against precision: of all that was run, what is worth running, and the ratio of two programs at equal error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]  # error, wall time in s


@dataclass(frozen=True)
class Ratio:
    """How many times faster, at which error, and why there if not at the error that was asked for."""

    at_error: float
    speedup: float
    remark: str


def front(points: Sequence[Point]) -> list[Point]:
    """Those of the points (error, wall) that no other one beats in both, from the largest error to the smallest."""
    kept: list[Point] = []
    for error, wall in sorted(point for point in points if math.isfinite(point[0]) and point[0] > 0.0):
        if not kept or wall < kept[-1][1]:
            kept.append((error, wall))
    return kept[::-1]


def work(points: Sequence[Point], error: float) -> float | None:
    """Wall time for `error` on a front, straight between its points on logarithmic axes.

    A larger error than any takes what the cheapest run takes. None: a smaller error than any was reached.
    """
    if not points or error < points[-1][0] * (1.0 - 1e-12):
        return None
    if error >= points[0][0]:
        return points[0][1]
    for (coarse, little), (fine, much) in pairwise(points):
        if fine <= error:
            share = math.log(coarse / error) / math.log(coarse / fine)
            return float(little * (much / little) ** share)
    return points[-1][1]


def ratio(own: Sequence[Point], other: Sequence[Point], at_error: float, peer: str) -> Ratio | None:
    """How many times faster `own` is than the peer at equal error; nothing is extrapolated.

    Where one of them never reaches `at_error`, the ratio is taken at the smallest error that both reach, and says so.
    """
    mine, theirs = front(own), front(other)
    if not mine or not theirs:
        return None
    floor = max(mine[-1][0], theirs[-1][0])
    error, remark = (at_error, "") if at_error >= floor else (floor, _unreached(mine[-1][0], theirs[-1][0], at_error, peer))
    ours, its = work(mine, error), work(theirs, error)
    if ours is None or its is None:
        return None
    if error > mine[0][0]:
        remark += f"our cheapest run has an error of {mine[0][0]:.1e}, at which it was not made coarser; "
    if error > theirs[0][0]:
        remark += f"the cheapest run of {peer} has an error of {theirs[0][0]:.1e}, at which it was not made coarser; "
    return Ratio(error, its / ours, remark.rstrip("; "))


def _unreached(own: float, other: float, at_error: float, peer: str) -> str:
    who = peer if other > own else "this program"
    return f"{who} does not reach {at_error:.1e} with the settings listed, its least is {max(own, other):.1e}; "
