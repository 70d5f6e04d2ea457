"""What every criterion of a test says of specimens that are as they should be, and of the same specimens beside wrong models."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.budget.followed import Followed
from rig.budget.specimens import Specimen
from rig.comparison import Line, Settings, Verdict, verdict
from rig.comparison.preparation import Counted
from rig.comparison.series import Series
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.prediction.stepper import counted
from rig.recorder.reading import RunData
from rig.report.agreement import agreed, with_losses
from rig.report.alternative import predicted_by, recorded_input
from rig.report.impacts.agreement import with_impacts
from rig.report.overlay.loss_angles import ANGLE, CONTACT, LossAngles, loss_angles
from rig.report.signals import Signals

Predicted = Mapping[str, Series]


@dataclass(frozen=True)
class Judged:
    """Of one specimen: the verdict's lines beside the model as it is, and the verdict beside each wrong model."""

    lines: tuple[Line, ...]
    doubts: tuple[Verdict, ...]


class Bench:
    """One recorded test in which specimens take the place of the one that was there: its input, its command, its criteria."""

    def __init__(self, plan: Plan, record: RunData, found: Signals, settings: Settings) -> None:
        self._plan, self._found = plan, found
        metrics = {criterion.metric for criterion in plan.experiment.comparison.criteria}
        self._as_compared = settings
        self._settings = replace(settings, remove_delay=0.0, delay="delay" in metrics)  # no line has delayed what a specimen reads
        counts = Counted(found.command.cycle, settings.discard_cycles).extent
        self._losses: LossAngles | None = loss_angles(plan, record, counts, settings.remove_delay)
        followed = plan.bench.showing(plan.experiment.predictor.source)
        self._source = "" if followed is None else followed.name
        count, bandwidth = counted(plan.experiment, plan.bench), plan.experiment.predictor.measured_bandwidth
        self._followed = Followed(recorded_input(plan, found), count, bandwidth, found.rate)
        self._judged = {criterion.channel for criterion in plan.experiment.comparison.criteria}

    def predicted(self, mechanism: Mechanism, folder: Path, specimen: Specimen | None = None) -> Predicted:
        """The mechanism's channels as measured, and what contact losses are found in; moved as the specimen is. Raises ModelError."""
        wanted, given = () if self._losses is None else (ANGLE, CONTACT), None
        if specimen is not None:
            given = self._followed.by(specimen.readings.get(self._source), specimen.offset, specimen.late)
        try:
            return predicted_by(mechanism, self._plan, self._found, folder, wanted, given)
        except (ValueError, LookupError) as error:
            raise ModelError(str(error)) from error

    def recorded(self) -> list[float | None]:
        """Error of each criterion in the test as it was recorded."""
        compared = with_losses(agreed(self._found, self._found.predicted, self._as_compared), self._losses)
        compared = with_impacts(compared, self._plan, self._found, self._found.predicted)
        return [line.error for line in verdict(compared, self._plan.experiment.comparison.criteria).lines]

    def verdict(self, specimen: Predicted, read: Predicted, model: Predicted) -> Verdict:
        """On the specimen (`read`: as its sensors show it) beside the model."""
        found = replace(self._found, measured={**self._found.measured, **read})
        found = replace(found, measured={name: found.measured[name] for name in found.measured if name in self._judged})
        compared = agreed(found, {name: model[name] for name in self._judged if name in model}, self._settings)
        if self._losses is not None:
            between = self._losses.between((specimen[ANGLE], specimen[CONTACT]), (model[ANGLE], model[CONTACT]), self._found.rate)
            compared = with_losses(compared, between)
        compared = with_impacts(compared, self._plan, found, model)
        comparison = self._plan.experiment.comparison
        return verdict(compared, comparison.criteria, risk=comparison.risk)


def judged(
    bench: Bench, nominal: Mechanism, specimens: list[Specimen], wrong: list[Mechanism], threads: int, told: Callable[[int], None]
) -> list[Judged]:
    """Every specimen beside the model and beside each wrong one. told: how many motions of `motions` are computed.

    Raises ConfigError for a specimen or wrong model that cannot make the test's motion.
    """
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(threads, thread_name_prefix="specimen") as pool:
        folder = Path(name)
        models: list[Predicted] = []
        for model in pool.map(lambda one: _predicted(bench, one, folder, "a wrong model"), [nominal, *wrong]):
            models.append(model)
            told(len(models))
        found: list[Judged] = []
        for one in pool.map(lambda numbered: _judged(bench, numbered, models, folder), enumerate(specimens)):
            found.append(one)
            told(len(models) + len(found))
        return found


def motions(specimens: int, wrong: int) -> int:
    """How many are computed: the model's, those of wrong models, those of the specimens."""
    return 1 + wrong + specimens


def _predicted(bench: Bench, mechanism: Mechanism, folder: Path, who: str, specimen: Specimen | None = None) -> Predicted:
    try:
        return bench.predicted(mechanism, folder, specimen)
    except ModelError as error:
        raise ConfigError(f"comparison.budget: {who} cannot make the motion of this test: {error}; choose smaller differences") from error


def _judged(bench: Bench, numbered: tuple[int, Specimen], models: list[Predicted], folder: Path) -> Judged:
    number, specimen = numbered
    true = _predicted(bench, specimen.mechanism, folder, f"specimen {number}", specimen)
    read = {name: reading.of(true[name]) for name, reading in specimen.readings.items() if name in true}
    right, *doubts = (bench.verdict(true, read, model) for model in models)
    return Judged(right.lines, tuple(doubts))


def sizes(found: list[Judged], criterion: int) -> Iterator[float]:
    """Size of the error of one criterion in every specimen; nan where it could not be told."""
    for one in found:
        error = one.lines[criterion].error if one.lines else None
        yield np.nan if error is None else error
