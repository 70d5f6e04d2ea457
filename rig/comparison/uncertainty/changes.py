"""Whether a figure of the cycles changed in the middle of a test, when, and by how much: a CUSUM with a stated rate of false alarms.

    S_k = sum over the first k of (x_i - mean) / (sigma sqrt(C)),       k = 1 .. C

Of cycles that chance alone tells apart, max |S_k| has the distribution of the largest value of a Brownian bridge, Kolmogorov's, where C is
large, and a smaller one where it is not: P(max > s) <= 2 exp(-2 s^2). sigma is that of the cycles about the two means before and after
the place of the largest |S_k|, so that a change does not hide itself; where neighbours go together it is the larger by as much as a
process of first order has it.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.series import Floats

FALSE_ALARMS = 1e-3
"""Of a figure that does not change, at the most."""
LEAST = 20
"""Cycles."""
MOST_ALIKE = 0.9


@dataclass(frozen=True)
class Change:
    """before, after: means of the cycles before `cycle`, and from it on; statistic: max |S_k|, by chance beyond `threshold` in one of
    1000."""

    cycle: int
    before: float
    after: float
    statistic: float
    threshold: float

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


def change(numbers: Floats, figures: Floats) -> Change | None:
    """Of figures (C,) of the cycles `numbers` (C,), in order; None where chance explains what differs, or too few are finite."""
    there = np.isfinite(figures)
    numbers, x = numbers[there], figures[there]
    count = len(x)
    if count < LEAST:
        return None
    sums = np.cumsum(x - np.mean(x))[:-1]
    at = int(np.argmax(np.abs(sums))) + 1
    before, after = float(np.mean(x[:at])), float(np.mean(x[at:]))
    sigma = _sigma(np.concatenate((x[:at] - before, x[at:] - after)))
    statistic = abs(float(sums[at - 1])) / (sigma * math.sqrt(count)) if sigma > 0.0 else (math.inf if before != after else 0.0)
    threshold = math.sqrt(-0.5 * math.log(FALSE_ALARMS / 2.0))
    return Change(int(numbers[at]), before, after, statistic, threshold) if statistic > threshold else None


def _sigma(left: Floats) -> float:
    """Standard deviation of what is left, as if of cycles that do not hang together. Two means and the place of the change were fitted."""
    # In units of a power of two, which changes no digit: a figure per something that is next to nothing has squares beyond a double.
    _, unit = math.frexp(float(np.max(np.abs(left))))
    left = np.ldexp(left, -unit)
    count, power = len(left), float(np.dot(left, left))
    if not power > 0.0:
        return 0.0
    alike = float(np.dot(left[1:], left[:-1])) / power + 3.0 / count  # what taking out the means takes from it
    alike = min(max(alike, 0.0), MOST_ALIKE)
    return float(np.ldexp(math.sqrt(power / (count - 3) * (1.0 + alike) / (1.0 - alike)), unit))
