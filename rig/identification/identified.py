"""`identify`: from records of one bench to the numbers of its specimen."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from model.errors import ModelError
from rig.config.experiment import Budget, Identify
from rig.config.spreads import FreeNumber
from rig.errors import ConfigError
from rig.identification.force_loop import Loop
from rig.identification.intervals import Estimate, estimated, gains, left_p
from rig.identification.joined_tests import JoinedTests
from rig.identification.profiles import Profile, profiles
from rig.identification.recorded_test import RecordedTest
from rig.identification.sampled import Sampled, sampled
from rig.identification.search import derivatives, searched
from rig.identification.surface import Region, Surface, SurfaceFit
from rig.identification.weighting import Weighting

Floats = NDArray[np.float64]

REFUSED = 0.01
"""Share of right specimens at which a model is refused that leaves as much."""
AT_BOUND = 1e-3
"""Of a number's range: a fit that ends so close to a bound has ended on it."""
WIDE = 0.01
"""Of a number's range, for derivatives of smooth figures."""
REACH, RADII = 5.0, (2e-3, 0.5)
"""Of a surface: deviations of what smooth figures tell, and least and most of a number's range."""
MOVES, MIDDLE = 4, 0.3
"""A fit in the outer part of its surface gets another one about it, and specimens there; how often, and from where on."""
POINTS = 720
"""Of a cycle, in a picture."""
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
class Curve:
    """Mean cycle of a channel of the first test, (points,) over the phase: measured, of the fitted model and of the file's, and between
    what 95 % of right specimens differ from their model."""

    channel: str
    unit: str
    measured: Floats
    fitted: Floats
    filed: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class ByHand:
    """What the loop of the first test shows without any fit, and what that of the file's model does; units of displacement and force."""

    displacement: str
    force: str
    units: tuple[str, str]
    measured: Loop
    filed: Loop

    def to_json(self) -> dict[str, Json]:
        """Plain values."""
        return {
            "displacement": self.displacement, "force": self.force,
            **{side: dict(one._asdict()) for side, one in (("measured", self.measured), ("model_of_the_file", self.filed))},
        }  # fmt: skip


@dataclass(frozen=True)
class Identified:
    """Fitted numbers in SI units, with their 95 % intervals."""

    free: tuple[FreeNumber, ...]
    values: Floats
    low: Floats
    high: Floats
    deviations: Floats
    at_bound: tuple[bool, ...]
    correlations: Floats
    training: Agreement
    validation: Agreement | None
    profiles: tuple[Profile, ...]
    curves: tuple[Curve, ...]
    by_hand: ByHand | None
    sampled: Sampled | None
    """Shares; None where it was not asked for."""
    runs: int
    """Of the model."""

    def profile_ends(self, k: int) -> tuple[float | None, float | None]:
        """Between which values of number k the misfit is no worse than that of right specimens; None where it is not to the end."""
        low, high = (None if share is None else self.free[k].value(share) for share in self.profiles[k].ends)
        return low, high

    @property
    def reason(self) -> str:
        """Why the model is refused, in words; empty where it is not."""
        for what, one in (("training", self.training), ("validation", self.validation)):
            if one is not None and one.left_p < REFUSED:
                prior = ", or a prior that is wrong" if any(number.prior is not None for number in self.free) else ""
                return (
                    f"what the fitted model leaves unexplained in {what} is more than right specimens leave (p = {one.left_p:.1g}, refused "
                    f"below {REFUSED:g}): another law, a part that the model has not, sensors other than their records say{prior}"
                )
        return ""

    def of_draws(self, k: int) -> tuple[float, float, float]:
        """Median of number k, and between what 95 % of the draws of the posterior lie, SI."""
        assert self.sampled is not None
        median, low, high = (self.free[k].value(float(of[k])) for of in (self.sampled.median, self.sampled.low, self.sampled.high))
        return median, low, high

    def to_json(self) -> dict[str, Json]:
        """Plain values."""
        return {
            "sampled": None if self.sampled is None else {
                "draws": self.sampled.draws, "settled": self.sampled.settled,
                **{one.key: dict(zip(("median", "low_95", "high_95"), self.of_draws(k), strict=True)) for k, one in enumerate(self.free)},
            },
            "parameters": {
                one.key: {
                    "unit": one.unit, "value": float(self.values[k]), "low_95": float(self.low[k]), "high_95": float(self.high[k]),
                    "std": float(self.deviations[k]), "at_bound": self.at_bound[k],
                }
                for k, one in enumerate(self.free)
            },
            "profiles": {
                one.key: dict(zip(("low_95", "high_95"), self.profile_ends(k), strict=True)) for k, one in enumerate(self.free)
            },
            "correlations": [[float(value) for value in row] for row in self.correlations],
            "training": self.training.to_json(),
            "validation": None if self.validation is None else self.validation.to_json(),
            "by_hand": None if self.by_hand is None else self.by_hand.to_json(),
            "refused": bool(self.reason), "reason": self.reason,
        }  # fmt: skip


def identified(
    training: Sequence[RecordedTest],
    validation: Sequence[RecordedTest],
    free: list[FreeNumber],
    given: Identify,
    told: Callable[[int], None] = lambda done: None,
) -> Identified:
    """Fit the free numbers to the tests of training. told: how many runs of the model are done.

    Raises ConfigError for tests of different mechanisms, numbers that cannot be told apart, and specimens that cannot make the motion.
    """
    budget = without(training[0].plan.experiment.comparison.budget or Budget(), free)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="model") as pool:
        tests = JoinedTests(training, free, Path(name), told)
        try:
            fit = _fitted(tests, free, budget, given, pool)
            estimate = fit.estimate
            agreed = Agreement(tests.nrms(np.clip(estimate.shares, 0.0, 1.0)), estimate.left_p)
            curves, by_hand = _shown(tests, fit, training[0], free)
            others = JoinedTests(validation, free, Path(name), told, with_priors=False) if validation else None
            checked = None if others is None else _validated(others, estimate, budget, given, pool)
        except ModelError as error:
            raise ConfigError(f"identify: a specimen or a fitted model cannot make the motion of this test: {error}") from error
    at_bound = (estimate.fitted < AT_BOUND) | (estimate.fitted > 1.0 - AT_BOUND)
    span = np.array([one.high - one.low for one in free])
    low, high = (
        np.array([one.value(float(share)) for one, share in zip(free, side, strict=True)]) for side in (estimate.low, estimate.high)
    )
    return Identified(
        tuple(free), tests.values(estimate.shares), low, high, estimate.deviations * span, tuple(bool(one) for one in at_bound),
        estimate.correlations, agreed, checked, fit.profiles, curves, by_hand, fit.sampled, tests.runs,
    )  # fmt: skip


def without(budget: Budget, free: Sequence[FreeNumber]) -> Budget:
    """The budget of specimens whose free numbers are given: what is free does not lie about the drawing as well."""
    keys = {one.key for one in free}
    spread = tuple(replace(one, following=tuple(k for k in one.following if k not in keys)) for one in budget.spread if one.key not in keys)
    return replace(budget, spread=spread)


class _Fit(NamedTuple):
    """With what right specimens (n, d) about it show; true (p,): their own shares."""

    estimate: Estimate
    profiles: tuple[Profile, ...]
    sampled: Sampled | None
    specimens: Floats
    true: Floats


def _fitted(tests: JoinedTests, free: list[FreeNumber], budget: Budget, given: Identify, pool: ThreadPoolExecutor) -> _Fit:
    """Roughly by figures that are smooth in the numbers, anywhere within the bounds; then on a surface of all figures about that place."""
    count = max(2, given.specimens // 2)
    found = _anywhere(tests, free, budget, given, pool)
    for _ in range(MOVES):
        centre = found
        shown, variance = tests.specimens(centre, budget, count, given.seed + FOR_WEIGHTS, pool)
        radius = _reach(tests, centre, shown - tests.predicted(centre), pool)
        surface = Surface.through(Region.about(centre, radius), tests.predicted, pool, given.seed)
        errors = shown - surface.at(centre)
        off, more = np.asarray(errors.mean(axis=0)), np.maximum(tests.scatter - variance, 0.0)
        weighting = Weighting.of(errors, more + surface.beside)
        fit = SurfaceFit(surface, weighting, given.seed)
        found, _ = fit.of(tests.measured - off)
        if np.all(np.abs(found - centre) < MIDDLE * radius):
            break
    true = np.clip(found, AT_BOUND, 1.0 - AT_BOUND)
    shown, _ = tests.specimens(true, budget, count, given.seed + FOR_INTERVAL, pool)
    estimate = estimated(fit, weighting, tests.measured - off, shown - off, true, more)
    drawn = sampled(fit, tests.measured - off, given.seed).moved(estimate.fitted - estimate.shares) if given.sampler == "ensemble" else None
    return _Fit(estimate, profiles(fit, tests.measured - off, shown - off, true), drawn, shown, true)


def _shown(tests: JoinedTests, fit: _Fit, first: RecordedTest, free: list[FreeNumber]) -> tuple[tuple[Curve, ...], ByHand | None]:
    """Curves and loop of the first test; of the others the figures stand behind its own."""
    own = slice(0, len(first.measured))
    fitted, filed, true = (
        tests.predicted(shares)[own]
        for shares in (np.clip(fit.estimate.shares, 0.0, 1.0), np.array([one.share(one.nominal) for one in free]), fit.true)
    )
    figures = first.figures.rows
    measured, by_fit, by_file = (figures.curves(row, POINTS) for row in (first.measured, fitted, filed))
    errors = [figures.curves(one[own] - true, POINTS) for one in fit.specimens]
    found, units = [], {channel.name: channel.unit for channel in first.plan.bench.channels}
    for name in figures.channels:
        low, high = np.quantile([one[name] for one in errors], (0.025, 0.975), axis=0)
        found.append(Curve(name, units[name], measured[name], by_fit[name], by_file[name], low, high))
    by_hand, by_model = figures.loop_of(first.measured), figures.loop_of(filed)
    if figures.loop is None or by_hand is None or by_model is None:
        return tuple(found), None
    displacement, force = figures.loop
    return tuple(found), ByHand(displacement, force, (units[displacement], units[force]), by_hand, by_model)


def _anywhere(tests: JoinedTests, free: list[FreeNumber], budget: Budget, given: Identify, pool: ThreadPoolExecutor) -> Floats:
    """Shares at which the smooth figures come closest, weighed by specimens about the file's own numbers."""
    nominal = np.clip([one.share(one.nominal) for one in free], 0.0, 1.0)
    shown, _ = tests.specimens(nominal, budget, max(2, given.specimens // 2), given.seed + FOR_SEARCH, pool)
    errors = (shown - tests.predicted(nominal))[:, tests.smooth]
    if not np.any(np.ptp(errors, axis=0)):
        raise ConfigError(
            "identify: right specimens do not differ: [comparison.budget] states no spread beside what is free, and the sensors' records "
            "state neither noise nor uncertainty; expected one of them at least, as intervals come from that"
        )
    weighting = Weighting.of(errors, tests.scatter[tests.smooth], together=False)
    measured = tests.measured[tests.smooth] - errors.mean(axis=0)
    return searched(measured, weighting, tests.predicted_smooth, len(free), given.starts, given.seed, [nominal], pool)


def _reach(tests: JoinedTests, centre: Floats, errors: Floats, pool: ThreadPoolExecutor) -> Floats:
    """Radius (p,) within which the numbers surely are: by the smooth figures alone, each by itself, so that no weight has seen an error."""
    smooth = Weighting.of(errors[:, tests.smooth], tests.scatter[tests.smooth], together=False)
    by = gains(derivatives(tests.predicted_smooth, centre, WIDE, pool), smooth)
    variance = (errors[:, tests.smooth] @ by.T).var(axis=0, ddof=1) + by**2 @ tests.prior[tests.smooth]
    return np.asarray(np.clip(REACH * np.sqrt(variance), *RADII))


def _validated(tests: JoinedTests, estimate: Estimate, budget: Budget, given: Identify, pool: ThreadPoolExecutor) -> Agreement:
    """Tests that were not fitted beside the fitted model, and beside specimens about it."""
    shares, count = np.clip(estimate.shares, 0.0, 1.0), max(2, given.specimens // 2)
    predicted = tests.predicted(shares)
    by, variance = tests.specimens(shares, budget, count, given.seed + FOR_WEIGHTS, pool)
    weighting = Weighting.of(by - predicted, np.maximum(tests.scatter - variance, 0.0))
    shown, _ = tests.specimens(shares, budget, count, given.seed + FOR_VALIDATION, pool)
    off = by.mean(axis=0)
    left = [float(np.sum(weighting.whitened(one - off) ** 2)) for one in (*shown, tests.measured)]
    return Agreement(tests.nrms(shares), left_p(np.array(left[:-1]), left[-1]))
