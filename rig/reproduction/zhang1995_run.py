"""zhang1995, sections 2 and 3: where the mechanism itself loses contact, its joint elastic."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from model.mechanisms.four_bar import Config
from model.separation.criteria import critical_points, minima
from model.separation.full_contact import run
from rig.config.experiment import Experiment
from rig.reproduction.study import Computed, Statement, Study
from rig.reproduction.zhang1995_criteria import FLAGGED, GRAVITIES, SIMULTANEOUS, conditions_of, degrees, experiment_of

CLEARANCES, SPEEDS = (0.1, 0.2, 0.4), (200.0, 300.0, 400.0)  # mm, r/min
REVOLUTIONS, LONG = 6.0, 30.0
WIDE = "mechanism.clearance=0.2 mm"  # that of the test
NEAR = 10.0  # degrees


def _first(experiment: Experiment) -> float:
    """Crank angle of the first loss after smooth contact, degrees in 180 to 540."""
    found = run(experiment.mechanism_as(Config), experiment.integrator, REVOLUTIONS)
    return degrees(found.losses[0]) if found.losses else math.nan


def _first_loss(posture: str, *conditions: str) -> Statement:
    def statement(study: Study) -> Computed:
        experiment = experiment_of(study, posture, *conditions)
        told = {**conditions_of(experiment), "start_angle": experiment.mechanism_as(Config).start_angle}
        return Computed(_first(experiment), told)

    return statement


def _over(posture: str, key: str, unit: str, values: Sequence[float], *conditions: str) -> Statement:
    """First losses over a series."""

    def statement(study: Study) -> Computed:
        experiments = [experiment_of(study, posture, *conditions, f"mechanism.{key}={value} {unit}") for value in values]
        return Computed([_first(one) for one in experiments], {**conditions_of(experiments[0]), key: list(values), "unit": unit})

    return statement


def _losses_at_90(posture: str) -> Statement:
    """Losses of contact between 70 and 110 degrees, of those of a long run, share."""

    def statement(study: Study) -> Computed:
        experiment = experiment_of(study, posture)
        losses = run(experiment.mechanism_as(Config), experiment.integrator, LONG if study.full else REVOLUTIONS).losses
        inside = [1.0 for angle in losses if 70.0 <= math.degrees(angle) % 360.0 <= 110.0]
        return Computed(len(inside) / len(losses) if losses else math.nan, conditions_of(experiment), f"{len(losses)} losses in all")

    return statement


def _apart(one: float, other: float) -> float:
    """Between two angles in degrees, whole turns aside."""
    return abs((one - other + 180.0) % 360.0 - 180.0)


def _only_there(posture: str) -> Statement:
    """Of the losses of a run, those more than NEAR from the first one after smooth contact, share."""

    def statement(study: Study) -> Computed:
        experiment = experiment_of(study, posture, WIDE)
        losses = run(experiment.mechanism_as(Config), experiment.integrator, LONG if study.full else REVOLUTIONS).losses
        elsewhere = [angle for angle in losses if _apart(math.degrees(angle), math.degrees(losses[0])) > NEAR]
        remark = f"{len(losses)} losses in all"
        return Computed(len(elsewhere) / len(losses) if losses else math.nan, conditions_of(experiment), remark)

    return statement


def _burst(posture: str) -> Statement:
    """Crank angle of the largest acceleration of the coupler's end, degrees."""

    def statement(study: Study) -> Computed:
        gravity = f"mechanism.gravity={GRAVITIES[posture]} m/s^2"
        experiment = experiment_of(study, posture, WIDE)
        turn = 2.0 * math.pi / experiment.mechanism_as(Config).speed
        found = study.simulated("four_bar", gravity, WIDE, f"simulate.duration={REVOLUTIONS * turn!r} s")
        column = [name for name, _ in found.channels].index("acceleration")
        largest = np.maximum(np.abs(found.low[:, column]), np.abs(found.high[:, column]))
        worst = int(largest.argmax())
        remark = f"{largest[worst]:.3g} m/s^2 there, {np.median(largest):.3g} m/s^2 half of the time"
        return Computed(degrees(float(found.values[worst, 0])), conditions_of(experiment), remark)

    return statement


def _more_exact(posture: str) -> Statement:
    """How far the farthest place that a criterion predicts is from the run's first loss, degrees: Earles-Wu, critical points."""

    def statement(study: Study) -> Computed:
        experiment = experiment_of(study, posture)
        mechanism, first = experiment.mechanism_as(Config), _first(experiment)
        flagged = [one.angle for one in minima(mechanism) if one.earles_wu >= FLAGGED]
        predicted = (flagged, critical_points(mechanism, SIMULTANEOUS).angles)
        farthest = [max((_apart(math.degrees(angle), first) for angle in angles), default=math.nan) for angles in predicted]
        return Computed(farthest, {**conditions_of(experiment), "criteria": ["earles_wu", "critical_points"]})

    return statement


def statements_of(posture: str) -> dict[str, Statement]:
    """By their ids, for one posture."""
    return {
        f"more_exact_{posture}": _more_exact(posture),
        f"first_loss_{posture}": _first_loss(posture),
        f"first_loss_wide_{posture}": _first_loss(posture, WIDE),
        f"losses_at_90_{posture}": _losses_at_90(posture),
        f"only_there_{posture}": _only_there(posture),
        f"burst_{posture}": _burst(posture),
        f"clearances_{posture}": _over(posture, "clearance", "mm", CLEARANCES),
        f"speeds_{posture}": _over(posture, "speed", "rpm", SPEEDS, WIDE),
    }
