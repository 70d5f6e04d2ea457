"""The budget of a recorded test: what each criterion needs, and which wrong models it finds."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from drivers.files.plain_values import Json
from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.budget.allowance import CONFIDENCE, Allowance, allowance, covered
from rig.budget.errors import Bench, Judged, judged
from rig.budget.specimens import specimens
from rig.comparison import METRICS, Settings
from rig.comparison.filtering import passable
from rig.config.experiment import Budget, Doubt
from rig.config.plan import Plan
from rig.config.spreads import doubted, values_of
from rig.config.units.quantities import QuantityError
from rig.errors import ConfigError
from rig.prediction.stepper import counted
from rig.recorder.folders import RECORD
from rig.recorder.reading import read_run
from rig.report.signals import signals
from rig.sensors.uncertainty import share_of_reading


@dataclass(frozen=True)
class Found:
    """One wrong model beside all specimens. by: criterion -> in how many it fails."""

    doubt: Doubt
    values: dict[str, float]
    found: int
    found_as_needed: int
    by: dict[tuple[str, str], int]
    medians: dict[tuple[str, str], float | None]


@dataclass(frozen=True)
class Findings:
    """All of it. covered: share of specimens that pass all criteria at once if they allow what is needed, with CONFIDENCE."""

    specimens: int
    seed: int
    covered: float
    allowances: list[Allowance]
    doubts: list[Found]
    silent: list[str]
    """Judged channels whose sensors say nothing of their uncertainty."""
    follows: str = ""
    """The channel of the encoder that led the model; empty for a model that none leads."""

    @property
    def too_tight(self) -> list[Allowance]:
        """Criteria that a specimen which is as it should be does not pass."""
        return [one for one in self.allowances if not one.holds]

    def to_json(self) -> dict[str, Json]:
        """Plain values, in each metric's own measure (share, deg, s)."""
        return {
            "specimens": self.specimens, "budget_seed": self.seed, "covered": self.covered, "confidence": CONFIDENCE,
            "criteria": [
                {
                    "channel": one.channel, "metric": one.metric, "tolerance": one.tolerance, "needed": one.needed, "median": one.median,
                    "untold": one.untold, "holds": one.holds, "recorded": one.recorded,
                }
                for one in self.allowances
            ],
            "doubts": [
                {
                    "keys": list(one.doubt.keys), "values": dict(one.values), "found": one.found, "found_as_needed": one.found_as_needed,
                    "by": [{"channel": c, "metric": m, "fails": n, "median": one.medians[c, m]} for (c, m), n in one.by.items()],
                }
                for one in self.doubts
            ],
        }  # fmt: skip


def findings(run_dir: Path, plan: Plan, told: Callable[[int], None] = lambda done: None) -> Findings:
    """Of the record in `run_dir`. told: how many of `motions` are computed, from 0 on.

    Raises ConfigError where the experiment has no budget or no criteria, or a specimen cannot make the test's motion.
    """
    comparison, mechanism = plan.experiment.comparison, plan.experiment.mechanism
    budget = need(plan)
    record = read_run(run_dir / RECORD)
    found = signals(record, plan)
    settings = Settings(passable(comparison.lowpass, found.rate), comparison.discard_cycles, comparison.remove_delay, band=comparison.band)
    try:
        drawn = specimens(mechanism, budget, plan.bench.channels)
        wrong = [doubted(mechanism, doubt) for doubt in budget.doubt]
    except (ModelError, QuantityError) as error:
        raise ConfigError(f"comparison.budget: {str(error).removeprefix('ensemble: ')}") from error
    told(0)
    bench = Bench(plan, record, found, settings)
    done = judged(bench, mechanism, drawn, wrong, os.cpu_count() or 1, told)
    recorded = bench.recorded() or [None] * len(comparison.criteria)
    allowances = [
        allowance(criterion, done, k, error) for k, (criterion, error) in enumerate(zip(comparison.criteria, recorded, strict=True))
    ]
    channels = {channel.name: channel for channel in plan.bench.channels}
    silent = sorted({one.channel for one in comparison.criteria if share_of_reading(channels[one.channel].sensor) is None})
    doubts = [_found(mechanism, doubt, k, done, allowances) for k, doubt in enumerate(budget.doubt)]
    follows = plan.experiment.predictor.source if counted(plan.experiment, plan.bench) else ""
    return Findings(budget.specimens, budget.seed, covered(budget.specimens, len(allowances)), allowances, doubts, silent, follows)


def need(plan: Plan) -> Budget:
    """The budget that the experiment states. Raises ConfigError where it states none, or nothing that a budget could be of."""
    comparison = plan.experiment.comparison
    if comparison.budget is None:
        raise ConfigError(
            "comparison.budget: missing; expected [comparison.budget] with [[comparison.budget.spread]] (key, relative or absolute): "
            "how specimens may differ from the drawing. The record has the file as it was at the test; where the budget was written "
            "since, give the file with --experiment"
        )
    if not comparison.criteria:
        raise ConfigError("comparison.criteria: missing; expected [[comparison.criteria]]: a budget is of what is judged")
    return comparison.budget


def _found(mechanism: Mechanism, doubt: Doubt, index: int, done: list[Judged], allowances: list[Allowance]) -> Found:
    verdicts = [one.doubts[index] for one in done]
    by, medians = {}, {}
    for k, one in enumerate(allowances):
        by[one.channel, one.metric] = sum(found.lines[k].failed for found in verdicts)
        errors = sorted(e for found in verdicts if (e := found.lines[k].error) is not None)
        medians[one.channel, one.metric] = errors[len(errors) // 2] if errors else None
    as_needed = sum(any(_beyond(one, found.lines[k].error) for k, one in enumerate(allowances)) for found in verdicts)
    return Found(doubt, values_of(mechanism, doubt), sum(found.result == "fail" for found in verdicts), as_needed, by, medians)


def _beyond(one: Allowance, error: float | None) -> bool:
    """Whether the error is more than specimens that are as they should be have."""
    if one.needed is None:
        return False
    if error is None or not math.isfinite(error):
        return True
    return error < one.needed if METRICS[one.metric].at_least else abs(error) > one.needed
