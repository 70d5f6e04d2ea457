"""zhang1995, section 2: where the joint loses contact by the ideal mechanism and its first-order correction."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.four_bar import Config
from model.mechanisms.four_bar.correction import corrected
from model.mechanisms.four_bar.ideal import ideal
from model.separation.criteria import critical_points, minima, validity
from model.separation.substitution import substituted_force
from rig.config.experiment import Experiment
from rig.reproduction.study import Computed, Conditions, Statement, Study

Floats = NDArray[np.float64]

GRAVITIES = {"lying": 0.0, "upright": 9.81}  # m/s^2, which the paper does not give
SIMULTANEOUS = math.radians(3.0)
FLAGGED = 1.0  # Earles-Wu value from which contact is lost
AROUND_90 = np.radians(np.arange(70.0, 110.01, 0.25))
SUBSTITUTED = (0.1, 0.2, 0.4, 1.0)  # mm
DIFFERENCE = 1e-4  # rad
PRINTED_INERTIA = ("mechanism.coupler_inertia=884e-6 kg*m^2", "mechanism.rocker_inertia=884e-6 kg*m^2")  # as the paper's section 2 has it


def experiment_of(study: Study, posture: str, *conditions: str) -> Experiment:
    return study.experiment("four_bar", f"mechanism.gravity={GRAVITIES[posture]} m/s^2", *conditions)


def degrees(angle: float) -> float:
    """In 180 to 540, so that neighbours of the whole turn stay neighbours."""
    return 180.0 + (math.degrees(angle) - 180.0) % 360.0


def conditions_of(experiment: Experiment) -> Conditions:
    mechanism = experiment.mechanism_as(Config)
    return {"gravity": mechanism.gravity, "clearance": mechanism.clearance, "speed": mechanism.speed}


def _earles_wu(posture: str, *conditions: str) -> Statement:
    """Crank angles that the rule flags, degrees."""

    def statement(study: Study) -> Computed:
        experiment = experiment_of(study, posture, *conditions)
        flagged = [one for one in minima(experiment.mechanism_as(Config)) if one.earles_wu >= FLAGGED]
        remark = "values " + ", ".join(f"{one.earles_wu:.4g}" for one in flagged)
        told = {**conditions_of(experiment), "inertia": experiment.mechanism_as(Config).coupler_inertia}
        return Computed([math.degrees(one.angle) % 360.0 for one in flagged], told, remark)

    return statement


def _critical(posture: str) -> Statement:
    """Crank angles where aq and br vanish together, degrees."""

    def statement(study: Study) -> Computed:
        experiment = experiment_of(study, posture)
        found = critical_points(experiment.mechanism_as(Config), SIMULTANEOUS)
        valid = validity(experiment.mechanism_as(Config))
        told = {**conditions_of(experiment), "simultaneity_tolerance": SIMULTANEOUS}
        aq, br = found.nearest or (math.nan, math.nan)
        nearest = f"nearest zeros: aq {math.degrees(aq) % 360.0:.3f}, br {math.degrees(br) % 360.0:.3f} deg"
        remark = f"{nearest}; the expansion is not valid there (Rc alpha_1 up to {valid.Rc_alpha1_max:.3g} rad)"
        return Computed([math.degrees(angle) % 360.0 for angle in found.angles], told, remark)

    return statement


def _substituted_least(study: Study, posture: str) -> list[float]:
    """Least force around 90 degrees by the way of Li, Li and Bai, N, over clearances up to 1 mm."""
    return [float(substituted_force(mechanism_at(study, posture, clearance), AROUND_90).min()) for clearance in SUBSTITUTED]


def _substituted(posture: str) -> Statement:
    def statement(study: Study) -> Computed:
        told: Conditions = {"gravity": GRAVITIES[posture], "clearance": [c * 1e-3 for c in SUBSTITUTED]}
        return Computed(min(_substituted_least(study, posture)), told)

    return statement


def _substituted_falls(posture: str) -> Statement:
    def statement(study: Study) -> Computed:
        told: Conditions = {"gravity": GRAVITIES[posture], "clearance": [c * 1e-3 for c in SUBSTITUTED]}
        return Computed(_substituted_least(study, posture), told)

    return statement


def _rate_apart(config: Config, angles: Floats) -> Floats:
    """By how much the corrected rate of the force's direction differs from the ideal one, rad/s."""
    found = ideal(config, angles)
    apart: Floats = corrected(config, found).alpha.rate().value - found.alpha.rate().value
    return apart


def _acceleration_apart(config: Config, angles: Floats) -> Floats:
    """The same of its second rate, rad/s^2: the first rate's difference over a small turn of the crank."""
    return config.speed * (_rate_apart(config, angles + DIFFERENCE) - _rate_apart(config, angles - DIFFERENCE)) / (2.0 * DIFFERENCE)


def _differ(posture: str, measure: Callable[[Config, Floats], Floats], unit: str) -> Statement:
    """Where that is furthest apart, degrees."""

    def statement(study: Study) -> Computed:
        experiment = experiment_of(study, posture)
        angles = np.radians(np.arange(0.0, 360.0, 0.5))
        apart = np.abs(measure(experiment.mechanism_as(Config), angles))
        worst = int(apart.argmax())
        remark = f"{apart[worst]:.3g} {unit} there, {np.median(apart):.3g} {unit} at half of the angles"
        return Computed(degrees(angles[worst]), conditions_of(experiment), remark)

    return statement


def _expansion(posture: str) -> Statement:
    """Largest first-order terms of the revolution: of the direction, rad, and of the force, of the ideal one."""

    def statement(study: Study) -> Computed:
        experiment = experiment_of(study, posture)
        found = validity(experiment.mechanism_as(Config))
        return Computed([found.Rc_alpha1_max, found.Rc_F1_over_F_max], conditions_of(experiment))

    return statement


def mechanism_at(study: Study, posture: str, clearance: float) -> Config:
    return experiment_of(study, posture, f"mechanism.clearance={clearance} mm").mechanism_as(Config)


def statements_of(posture: str) -> dict[str, Statement]:
    """By their ids, for one posture."""
    return {
        f"expansion_{posture}": _expansion(posture),
        f"earles_wu_{posture}": _earles_wu(posture),
        f"printed_inertia_{posture}": _earles_wu(posture, *PRINTED_INERTIA),
        f"rates_differ_{posture}": _differ(posture, _rate_apart, "rad/s"),
        f"accelerations_differ_{posture}": _differ(posture, _acceleration_apart, "rad/s^2"),
        f"critical_{posture}": _critical(posture),
        f"substituted_{posture}": _substituted(posture),
        f"substituted_falls_{posture}": _substituted_falls(posture),
    }
