"""How a position follows its command: gain at rest, from a motion that never comes to rest.

A servo loop that acts on the error with a proportional and an integral part moves as y' = a (G u - y) + b int (G u - y). Integrated
once, only sums of what was sent and measured are left, and no waiting: a loop with integral action overshoots for seconds, and its
gain would otherwise be known only afterwards. A third term, in the command itself, takes up what comes late: valve, filter, the time at
which a value really went out. It is bounded: without a bound, a position that follows within a step, and so equals its command, would be
all lateness, and any gain would do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LARGEST = 50.0
_LARGE = np.geomspace(4.0, LARGEST, 128)[1:]
GAINS = np.concatenate([-_LARGE[::-1], np.linspace(-4.0, 4.0, 401), _LARGE])
COARSE = 0.02  # between two of them, of a large one as a share
REFINED = np.linspace(-1.0, 1.0, 41)  # of the step before it, and of the steps that this makes
FINENESS = 1e-5  # likewise
STEP = 0.07  # what a fit may miss (1 % of the motion) by the largest step that a gap is likely to make (15 %)
RAMP = 0.02  # s; the same of a ramp: the step times the largest share of an integral part, 3 1/s
ENOUGH = 2  # steps for each number that is fitted
LATEST = 5.0  # steps that a position may answer late
EARLIEST = 0.5  # and early: the mean command of a step is as old as its middle
ROUGH = 0.05  # a misfit above which a position may be so fast that it shows where in a step its command changed

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Following:
    """`gain`: steady-state share of the command that the position takes; `misfit`: rms error of the fit by the motion's rms."""

    gain: float
    misfit: float


def following(
    command: Floats, mean: Floats, end: Floats, step: Floats | float, sure: Bools | None = None, last: Floats | None = None
) -> Following:
    """Gain of a position that was at rest at its command before.

    command (m,), mean (m,): means over m steps of `step` s, one number or (m,); end (m,): the position at the end of each. All are
    deviations from the rest before. Gains from -LARGEST to LARGEST are looked for; larger ones misfit. sure (m,): False for
    steps whose command is not known, as a value went out at some time of it: they are left out, and what the integral of the command is
    wrong by after them is found with the rest. A motion with more gaps than that allows has no gain (NaN), and an infinite misfit.
    last (m,): the command at the end of each step; a position that is faster than a step follows this rather than the mean.
    """
    sure = np.ones(len(end), dtype=bool) if sure is None else sure
    gaps = np.flatnonzero(sure[1:] & ~sure[:-1]) + 1  # the steps after them
    if len(gaps) and np.count_nonzero(sure) < ENOUGH * (3 + 2 * len(gaps)):
        return Following(np.nan, np.inf)
    steps = np.broadcast_to(step, len(end))
    usual = float(np.median(steps))
    found = _searched(_triangle(command, command, mean, end, steps, sure, gaps), usual, end[sure])
    if last is None or found.misfit <= ROUGH:
        return found
    fast = _searched(_triangle(command, last, mean, end, steps, sure, gaps), usual, end[sure])
    return fast if fast.misfit < found.misfit else found


def _searched(triangle: Floats, step: float, end: Floats) -> Following:
    """The gain that misfits least, coarse and then finer and finer."""
    gains, misfits, apart = GAINS, _misfits(GAINS, triangle, step), COARSE
    while apart > FINENESS:
        near = gains[np.argmin(misfits)]
        gains = np.clip(near + max(1.0, abs(near)) * apart * REFINED, -LARGEST, LARGEST)
        misfits, apart = _misfits(gains, triangle, step), apart * (REFINED[1] - REFINED[0])
    best = np.argmin(misfits)
    moved = float(np.linalg.norm(end))
    return Following(float(gains[best]), float(misfits[best]) / moved if moved > 0.0 else np.inf)


def _triangle(command: Floats, answered: Floats, mean: Floats, end: Floats, step: Floats, sure: Bools, gaps: Ints) -> Floats:
    """(6, 6), of fewer steps fewer rows: all that a fit needs to know of the steps, however many, as the triangle of a QR.

    Its columns: first integrals of command and position, the command that is `answered` at the end, second integrals, position. For each
    of k gaps there are a step and a ramp after it as well, in front, so that the rest of the triangle is what they leave over. The last
    rows hold these to what is likely:
    left to themselves, those of several gaps would fit anything. The bench goes on while this is fitted.
    """
    u, y = np.cumsum(step * command), np.cumsum(step * mean)
    after = (np.arange(len(end))[:, np.newaxis] >= gaps).astype(float)
    ramps = np.cumsum(step[:, np.newaxis] * after, axis=0)
    k = len(gaps)
    columns = np.column_stack([after, ramps, u, y, answered, _trapezia(u, step), _trapezia(y, step), end])
    likely = np.eye(2 * k, columns.shape[1]) * ([STEP] * k + [RAMP] * k + [0.0] * 6)
    triangle: Floats = np.asarray(np.linalg.qr(np.concatenate([columns[sure], likely]), mode="r"))
    return triangle[2 * k :, 2 * k :]


def _trapezia(values: Floats, step: Floats | float) -> Floats:
    return np.asarray(np.cumsum(step * 0.5 * (values + np.concatenate([[0.0], values[:-1]]))))


def _misfits(gains: Floats, triangle: Floats, step: float) -> Floats:
    """(n,), for each gain: norm of the error of the best a, b and lateness.

    With an integral part of the wrong sign no loop would stand; with a proportional one, a gain would be taken for its opposite. Where the
    lateness is out of bounds, it is one of the bounds.
    """
    best = np.full(len(gains), np.linalg.norm(triangle[:, -1]))
    for integral in (True, False):
        error, late = _fitted(gains, triangle, None, integral)
        within = (late >= -EARLIEST * step) & (late <= LATEST * step)
        best[within] = np.minimum(best, error)[within]
        for bound in (-EARLIEST * step, LATEST * step):
            best[~within] = np.minimum(best[~within], _fitted(gains[~within], triangle, bound, integral)[0])
    return best


def _fitted(gains: Floats, triangle: Floats, late: float | None, integral: bool) -> tuple[Floats, Floats]:
    """Norms of the errors (n,) with that lateness (s), or the best, infinite where no loop would stand so; and the lateness, NaN there.

    Of least squares of columns (n, rows, k); the shortest where they are not independent.
    """
    u, y, command, uu, yy, end = triangle.T
    g = gains[:, np.newaxis]
    columns = [g * u - y, g * command] if late is None else [g * (u - late * command) - y]
    matrix = np.stack([*columns, g * uu - yy] if integral else columns, axis=-1)
    found = np.linalg.pinv(matrix, rcond=np.finfo(float).eps * matrix.shape[-2]) @ end
    error = np.linalg.norm(np.einsum("nrk,nk->nr", matrix, found) - end, axis=-1)
    stands = (found[:, 0] > 0.0) & (found[:, -1] >= 0.0 if integral else True)
    lateness = -found[:, 1] / np.where(stands, found[:, 0], np.nan) if late is None else np.full(len(gains), late)
    return np.where(stands, error, np.inf), lateness
