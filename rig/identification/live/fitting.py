"""What `rig identify RUN --live FILE` makes of a record: polynomials about what was found, wide enough for numbers that change."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from model.errors import ModelError
from rig.config.experiment import Budget, Identify
from rig.config.spreads import FreeNumber
from rig.errors import ConfigError
from rig.identification.identified import Identified, without
from rig.identification.intervals import COVERAGE
from rig.identification.joined_tests import JoinedTests
from rig.identification.live.fitted import Fitted, conditions
from rig.identification.recorded_test import RecordedTest
from rig.identification.surface import Region, Surface
from rig.identification.weighting import Weighting
from rig.recorder.folders import RECORD

Floats = NDArray[np.float64]

FOR_WEIGHTS, FOR_INTERVAL = 4, 5
"""Of the seeds: specimens other than those that the identification itself draws."""
RARE = 0.01
"""Share of the cycles of right specimens that leave more than is called unexplained."""


def fitting(
    test: RecordedTest, free: list[FreeNumber], found: Identified, given: Identify, reach: float, told: Callable[[int], None]
) -> Fitted:
    """reach: how far the numbers may go from what was found, as a share of what is between their bounds.

    Raises ConfigError where a model or a specimen does not make the motion of the test.
    """
    budget = without(test.plan.experiment.comparison.budget or Budget(), free)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="model") as pool:
        tests = JoinedTests([test], free, Path(folder), told, with_priors=False)
        try:
            return _fitted(test, tests, free, found, budget, given, reach, pool)
        except ModelError as error:
            raise ConfigError(f"identify: a specimen or a model within the reach of --live cannot make this motion: {error}") from error


def _fitted(
    test: RecordedTest, tests: JoinedTests, free: list[FreeNumber], found: Identified, budget: Budget, given: Identify, reach: float,
    pool: ThreadPoolExecutor,
) -> Fitted:  # fmt: skip
    count = max(2, given.specimens // 2)
    centre = np.clip([one.share(float(value)) for one, value in zip(free, found.values, strict=True)], 0.0, 1.0)
    surface = Surface.through(Region.about(centre, np.full(len(free), reach)), tests.predicted, pool, given.seed)
    cycles = test.cycles
    single = test.scatter * len(cycles)  # of one cycle, where `scatter` is of their mean
    by, _ = tests.specimens(centre, budget, count, given.seed + FOR_WEIGHTS, pool)
    errors = by - surface.at(centre)
    off = np.asarray(errors.mean(axis=0))
    weighting = Weighting.of(errors, single + surface.beside)
    made = Fitted(
        tuple(one.key for one in free), tuple(one.unit for one in free), np.array([one.low for one in free]),
        np.array([one.high for one in free]), test.figures.rows, surface, weighting, off, np.zeros(len(free)), np.zeros(len(free)),
        np.eye(len(free)), test.command, test.period, 1.0,
        (f"{test.run_dir.resolve().name}, {RECORD} sha256 {_sha256(test.run_dir / RECORD)}",),
        conditions(test.plan.experiment, [one.key for one in free]),
    )  # fmt: skip
    fit = made.fit()
    shown, _ = tests.specimens(centre, budget, count, given.seed + FOR_INTERVAL, pool)
    beside = fit.each(shown - off)[0] - centre
    each = fit.each(cycles - off)[0]
    # A cycle of a right specimen is its mean and what a cycle of the record differs by from the record's own mean.
    chance = np.random.default_rng(given.seed)
    alone = cycles - cycles.mean(axis=0)
    left = np.log(fit.each(shown - off + alone[chance.integers(len(alone), size=len(shown))])[1])
    n = len(shown)
    wide = np.sqrt(1.0 + 1.0 / n)
    rare = float(np.exp(left.mean() + student.ppf(1.0 - RARE, n - 1) * wide * left.std(ddof=1)))
    half = student.ppf(0.5 * (1.0 + COVERAGE), n - 1) * wide * beside.std(axis=0, ddof=1)
    scatter = np.atleast_2d(np.cov(each, rowvar=False))
    return replace(made, bias=beside.mean(axis=0), half=half, scatter=scatter, unexplained=rare)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
