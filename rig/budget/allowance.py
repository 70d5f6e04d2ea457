"""What a criterion has to allow so that specimens which are as they should be pass, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from rig.budget.errors import Judged, sizes
from rig.comparison import METRICS
from rig.comparison.verdicts import Criterion

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Allowance:
    """Of one criterion, in its metric's own measure. needed: None where some specimen's error could not be told.

    recorded: error of the test itself.
    """

    channel: str
    metric: str
    tolerance: float
    needed: float | None
    median: float | None
    untold: int
    recorded: float | None = None

    @property
    def surpassed(self) -> bool:
        """Whether the test itself was further off than any specimen."""
        if self.needed is None or self.recorded is None:
            return False
        return self.recorded < self.needed if METRICS[self.metric].at_least else abs(self.recorded) > self.needed

    @property
    def holds(self) -> bool:
        """Whether the tolerance of the file allows all that specimens need."""
        if self.needed is None:
            return False
        return self.tolerance <= self.needed if METRICS[self.metric].at_least else self.tolerance >= self.needed


def allowance(criterion: Criterion, found: list[Judged], index: int, recorded: float | None = None) -> Allowance:
    """The largest error of all specimens (of a share that must be reached, the smallest), beside that of the recorded test."""
    errors = np.array(list(sizes(found, index)))
    told = errors[np.isfinite(errors)]
    size = told if METRICS[criterion.metric].at_least else np.abs(told)
    worst = None if len(told) < len(errors) else float(size.min() if METRICS[criterion.metric].at_least else size.max())
    median = float(np.median(size)) if len(size) else None
    return Allowance(criterion.channel, criterion.metric, criterion.tolerance, worst, median, len(errors) - len(told), recorded)


def covered(specimens: int, criteria: int) -> float:
    """Share of all such specimens that pass all criteria at once, with CONFIDENCE, if each allows the largest error of those drawn.

    Each bound leaves out one of n + 1 equally likely blocks, whatever the errors' distribution is (Wilks, Ann. Math. Stat. 12 (1941) 91;
    Tukey, Ann. Math. Stat. 18 (1947) 529): the share is Beta(n + 1 - m, m) of m criteria.
    """
    return float(betaincinv(specimens + 1 - criteria, criteria, 1.0 - CONFIDENCE)) if criteria <= specimens else 0.0
