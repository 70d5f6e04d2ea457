"""`identify`: from records of one bench to the numbers of its specimen."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.config.experiment import Budget, Identify
from rig.errors import ConfigError
from rig.identification.fit import Fit, Search, steps_of
from rig.identification.intervals import Estimate, Gains, estimated, left_p
from rig.identification.parameters import Parameter, with_values
from rig.identification.recorded_test import RecordedTest
from rig.identification.weighting import Weighting

Floats = NDArray[np.float64]

REFUSED = 0.01
"""Share of right specimens at which a model is refused that leaves as much."""
STARTS = 24
"""Of a search, for each number: a model with impacts has many places from which no small step leads nearer."""
FOR_SEARCH, FOR_WEIGHTS, FOR_INTERVAL, FOR_VALIDATION = range(4)
"""Of the seeds: specimens of different purposes are different ones."""


@dataclass(frozen=True)
class Agreement:
    """Of the fitted model with the tests of one purpose: NRMS, the worst; left_p: share of right specimens that leave more."""

    nrms: float
    left_p: float

    def to_json(self) -> dict[str, Json]:
        """Plain values."""
        return {"nrms": self.nrms, "residual_test_p": self.left_p}


@dataclass(frozen=True)
class Identified:
    """Fitted numbers in SI units, with their 95 % intervals."""

    free: tuple[Parameter, ...]
    values: Floats
    low: Floats
    high: Floats
    deviations: Floats
    at_bound: tuple[bool, ...]
    correlations: Floats
    training: Agreement
    validation: Agreement | None
    runs: int
    """Of the model."""

    @property
    def reason(self) -> str:
        """Why the model is refused, in words; empty where it is not."""
        for what, one in (("training", self.training), ("validation", self.validation)):
            if one is not None and one.left_p < REFUSED:
                return (
                    f"what the fitted model leaves unexplained in {what} is more than right specimens leave (p = {one.left_p:.1g}, refused "
                    f"below {REFUSED:g}): another law, a part that the model has not, or sensors other than their records say"
                )
        return ""

    def to_json(self) -> dict[str, Json]:
        """Plain values."""
        return {
            "parameters": {
                one.key: {
                    "unit": one.unit, "value": float(self.values[k]), "low_95": float(self.low[k]), "high_95": float(self.high[k]),
                    "std": float(self.deviations[k]), "at_bound": self.at_bound[k],
                }
                for k, one in enumerate(self.free)
            },
            "correlations": [[float(value) for value in row] for row in self.correlations],
            "training": self.training.to_json(),
            "validation": None if self.validation is None else self.validation.to_json(),
            "refused": bool(self.reason), "reason": self.reason,
        }  # fmt: skip


class _Tests:
    """Several tests of one bench as one row of figures; every run of the model is counted."""

    def __init__(self, tests: Sequence[RecordedTest], free: list[Parameter], folder: Path, told: Callable[[int], None]) -> None:
        self._tests, self._free, self._folder, self._told = tests, free, folder, told
        self.measured: Floats = np.concatenate([one.measured for one in tests])
        self.scatter: Floats = np.concatenate([one.scatter for one in tests])
        self.runs = 0

    def values(self, shares: Floats) -> Floats:
        """SI."""
        return np.array([one.value(float(share)) for one, share in zip(self._free, shares, strict=True)])

    def predicted(self, shares: Floats) -> Floats:
        """Figures of the model. Raises ModelError."""
        mechanism, values = self._model(shares)
        found = np.concatenate([one.predicted(mechanism, self._free, values, self._folder) for one in self._tests])
        self._count(1)
        return found

    def specimens(self, shares: Floats, budget: Budget, count: int, seed: int, pool: ThreadPoolExecutor) -> tuple[Floats, Floats]:
        """Figures (count, d) of specimens about these numbers, and the mean variance (d,) of their means. Raises ModelError."""
        mechanism, values = self._model(shares)
        drawn = [one.drawn(mechanism, budget, count, seed) for one in self._tests]

        def shown(k: int) -> tuple[Floats, Floats]:
            parts = [one.specimen(its[k], self._free, values, self._folder) for one, its in zip(self._tests, drawn, strict=True)]
            self._count(1)
            return np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])

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


def identified(
    training: Sequence[RecordedTest],
    validation: Sequence[RecordedTest],
    free: list[Parameter],
    given: Identify,
    told: Callable[[int], None] = lambda done: None,
) -> Identified:
    """Fit the free numbers to the tests of training. told: how many runs of the model are done.

    Raises ConfigError for tests of different mechanisms, numbers that cannot be told apart, and specimens that cannot make the motion.
    """
    budget = _without(training[0].plan.experiment.comparison.budget or Budget(), free)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="model") as pool:
        tests = _Tests(training, free, Path(name), told)
        try:
            fit, estimate = _fitted(tests, free, budget, given, pool)
            agreed = Agreement(tests.nrms(np.clip(estimate.shares, 0.0, 1.0)), estimate.left_p)
            checked = _validated(_Tests(validation, free, Path(name), told), estimate, budget, given, pool) if validation else None
        except ModelError as error:
            raise ConfigError(f"identify: a specimen or a fitted model cannot make the motion of this test: {error}") from error
    span = np.array([one.high - one.low for one in free])
    low, high = (
        np.array([one.value(float(share)) for one, share in zip(free, side, strict=True)]) for side in (estimate.low, estimate.high)
    )
    return Identified(
        tuple(free), tests.values(estimate.shares), low, high, estimate.deviations * span, tuple(bool(one) for one in fit.at_bound),
        estimate.correlations, agreed, checked, tests.runs,
    )  # fmt: skip


def _without(budget: Budget, free: Sequence[Parameter]) -> Budget:
    """What is free does not lie about the drawing as well."""
    keys = {one.key for one in free}
    spread = tuple(replace(one, following=tuple(k for k in one.following if k not in keys)) for one in budget.spread if one.key not in keys)
    return replace(budget, spread=spread)


def _fitted(tests: _Tests, free: list[Parameter], budget: Budget, given: Identify, pool: ThreadPoolExecutor) -> tuple[Fit, Estimate]:
    """First by specimens about the file's own numbers, from starts all over the bounds; then by specimens about what was found."""
    nominal = np.clip([(one.nominal - one.low) / (one.high - one.low) for one in free], 0.0, 1.0)
    count = max(2, given.specimens // 2)
    search, _, _ = _search(tests, nominal, budget, count, given.seed + FOR_SEARCH, pool)
    found = search.from_anywhere(len(free), given.starts or STARTS * len(free), given.seed, [nominal])
    search, weighting, off = _search(tests, found.shares, budget, count, given.seed + FOR_WEIGHTS, pool)
    fit = search.from_start(found.shares, steps_of(Gains(found, weighting).deviations))
    shown, variance = tests.specimens(fit.shares, budget, count, given.seed + FOR_INTERVAL, pool)
    gains = Gains(fit, weighting)
    more = np.maximum(tests.scatter - variance, 0.0)
    return fit, estimated(fit, gains, shown - fit.predicted - off, tests.measured - fit.predicted - off, more)


def _search(
    tests: _Tests, shares: Floats, budget: Budget, count: int, seed: int, pool: ThreadPoolExecutor
) -> tuple[Search, Weighting, Floats]:
    """With specimens about `shares`; (d,): what they are off by on average, as where a motion is late."""
    shown, variance = tests.specimens(shares, budget, count, seed, pool)
    errors = shown - tests.predicted(shares)
    weighting = Weighting(errors, np.maximum(tests.scatter - variance, 0.0))
    off = np.asarray(errors.mean(axis=0))
    return Search(tests.measured - off, weighting, tests.predicted, pool), weighting, off


def _validated(tests: _Tests, estimate: Estimate, budget: Budget, given: Identify, pool: ThreadPoolExecutor) -> Agreement:
    """Tests that were not fitted beside the fitted model, and beside specimens about it."""
    shares, count = np.clip(estimate.shares, 0.0, 1.0), max(2, given.specimens // 2)
    predicted = tests.predicted(shares)
    by, variance = tests.specimens(shares, budget, count, given.seed + FOR_WEIGHTS, pool)
    weighting = Weighting(by - predicted, np.maximum(tests.scatter - variance, 0.0))
    shown, _ = tests.specimens(shares, budget, count, given.seed + FOR_VALIDATION, pool)
    off = by.mean(axis=0)
    left = [float(np.sum(weighting.whitened(one - off) ** 2)) for one in (*shown, tests.measured)]
    return Agreement(tests.nrms(shares), left_p(np.array(left[:-1]), left[-1]))
