"""Tests of one specimen as one row of figures: measured, of a model with given numbers, and of specimens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.mechanism import Mechanism
from rig.config.experiment import Budget
from rig.config.spreads import FreeNumber
from rig.identification.parameters import with_values
from rig.identification.recorded_test import RecordedTest

Floats = NDArray[np.float64]


class JoinedTests:
    """Several tests of one bench as one row of figures; every run of the model is counted.

    What is known of a number from elsewhere is one figure more: measured is the prior, and its variance is that of the prior.
    """

    def __init__(
        self, tests: Sequence[RecordedTest], free: list[FreeNumber], folder: Path, told: Callable[[int], None], with_priors: bool = True
    ) -> None:
        self._tests, self._free, self._folder, self._told = tests, free, folder, told
        priors = [(k, one, one.prior) for k, one in enumerate(free) if one.prior is not None] if with_priors else []
        self._known = [k for k, _, _ in priors]
        variances = [(one.prior_std / (one.high - one.low)) ** 2 for _, one, _ in priors]
        self.measured: Floats = np.concatenate([*(one.measured for one in tests), [one.share(prior) for _, one, prior in priors]])
        self.scatter: Floats = np.concatenate([*(one.scatter for one in tests), variances])
        self.smooth = np.concatenate([*(one.figures.rows.smooth for one in tests), np.full(len(priors), True)])
        self.prior: Floats = np.concatenate([np.zeros(len(self.measured) - len(priors)), variances])
        """(d,) variance of what is known from elsewhere, 0 for what was measured."""
        self.runs = 0

    def values(self, shares: Floats) -> Floats:
        """SI."""
        return np.array([one.value(float(share)) for one, share in zip(self._free, shares, strict=True)])

    def predicted(self, shares: Floats) -> Floats:
        """Figures of the model. Raises ModelError."""
        mechanism, values = self._model(shares)
        found = [one.predicted(mechanism, self._free, values, self._folder) for one in self._tests]
        self._count(1)
        return np.concatenate([*found, shares[self._known]])

    def predicted_smooth(self, shares: Floats) -> Floats:
        """Of the figures those that change smoothly. Raises ModelError."""
        return np.asarray(self.predicted(shares)[self.smooth])

    def specimens(self, shares: Floats, budget: Budget, count: int, seed: int, pool: ThreadPoolExecutor) -> tuple[Floats, Floats]:
        """Figures (count, d) of specimens about these numbers, and the mean variance (d,) of their means. Raises ModelError."""
        mechanism, values = self._model(shares)
        drawn = [one.drawn(mechanism, budget, count, seed) for one in self._tests]

        def shown(k: int) -> tuple[Floats, Floats]:
            parts = [one.specimen(its[k], self._free, values, self._folder) for one, its in zip(self._tests, drawn, strict=True)]
            self._count(1)
            nothing = np.zeros(len(self._known))
            return np.concatenate([*(a for a, _ in parts), shares[self._known]]), np.concatenate([*(b for _, b in parts), nothing])

        found = list(pool.map(shown, range(count)))
        return np.stack([a for a, _ in found]), np.mean([b for _, b in found], axis=0)

    def nrms(self, shares: Floats) -> float:
        """The worst of all tests and channels."""
        mechanism, values = self._model(shares)
        self._count(1)
        return max(one.nrms(mechanism, self._free, values, self._folder) for one in self._tests)

    def _model(self, shares: Floats) -> tuple[Mechanism, Floats]:
        values = self.values(shares)
        return with_values(self._tests[0].plan.experiment.mechanism, self._free, values), values

    def _count(self, runs: int) -> None:
        self.runs += runs
        self._told(self.runs)
