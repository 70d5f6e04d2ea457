"""zhang1995: where the joint loses contact, by Earles-Wu, by the critical points, by the run of the mechanism itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from model.mechanisms.four_bar import Config
from model.mechanisms.four_bar.correction import corrected
from model.mechanisms.four_bar.ideal import ideal
from model.separation.criteria import critical_points, minima, validity
from model.separation.full_contact import run
from model.separation.substitution import substituted_force
from rig.config.experiment import Experiment
from rig.reproduction.study import Computed, Conditions, Panel, Statement, Study

GRAVITIES = {"lying": 0.0, "upright": 9.81}  # m/s^2, which the paper does not give
SIMULTANEOUS = math.radians(3.0)
FLAGGED = 1.0  # Earles-Wu value from which contact is lost
CLEARANCES, SPEEDS = (0.1, 0.2, 0.4), (200.0, 300.0, 400.0)  # mm, r/min
REVOLUTIONS, LONG = 6.0, 30.0
AROUND_90 = np.radians(np.arange(70.0, 110.01, 0.25))
SUBSTITUTED = (0.1, 0.2, 0.4, 1.0)  # mm


def _experiment(study: Study, posture: str, *conditions: str) -> Experiment:
    return study.experiment("four_bar", f"mechanism.gravity={GRAVITIES[posture]} m/s^2", *conditions)


def _degrees(angle: float) -> float:
    """In 180 to 540, so that neighbours of the whole turn stay neighbours."""
    return 180.0 + (math.degrees(angle) - 180.0) % 360.0


def _conditions(experiment: Experiment) -> Conditions:
    mechanism = experiment.mechanism_as(Config)
    return {"gravity": mechanism.gravity, "clearance": mechanism.clearance, "speed": mechanism.speed}


def _earles_wu(posture: str, *conditions: str) -> Statement:
    """Crank angles that the rule flags, degrees."""

    def statement(study: Study) -> Computed:
        experiment = _experiment(study, posture, *conditions)
        flagged = [one for one in minima(experiment.mechanism_as(Config)) if one.earles_wu >= FLAGGED]
        remark = "values " + ", ".join(f"{one.earles_wu:.4g}" for one in flagged)
        told = {**_conditions(experiment), "inertia": experiment.mechanism_as(Config).coupler_inertia}
        return Computed([math.degrees(one.angle) % 360.0 for one in flagged], told, remark)

    return statement


def _critical(posture: str) -> Statement:
    """Crank angles where aq and br vanish together, degrees."""

    def statement(study: Study) -> Computed:
        experiment = _experiment(study, posture)
        found = critical_points(experiment.mechanism_as(Config), SIMULTANEOUS)
        valid = validity(experiment.mechanism_as(Config))
        told = {**_conditions(experiment), "simultaneity_tolerance": SIMULTANEOUS}
        aq, br = found.nearest or (math.nan, math.nan)
        nearest = f"nearest zeros: aq {math.degrees(aq) % 360.0:.3f}, br {math.degrees(br) % 360.0:.3f} deg"
        remark = f"{nearest}; the expansion is not valid there (Rc alpha_1 up to {valid.Rc_alpha1_max:.3g} rad)"
        return Computed([math.degrees(angle) % 360.0 for angle in found.angles], told, remark)

    return statement


def _substituted(posture: str) -> Statement:
    """Least force around 90 degrees by the way of Li, Li and Bai, over clearances up to 1 mm."""

    def statement(study: Study) -> Computed:
        least = [
            float(substituted_force(_experiment(study, posture, f"mechanism.clearance={c} mm").mechanism_as(Config), AROUND_90).min())
            for c in SUBSTITUTED
        ]
        return Computed(min(least), {"gravity": GRAVITIES[posture], "clearance": [c * 1e-3 for c in SUBSTITUTED]})

    return statement


def _rates_differ(posture: str) -> Statement:
    """Where the corrected rate of the force's direction is furthest from the ideal one, degrees."""

    def statement(study: Study) -> Computed:
        experiment = _experiment(study, posture)
        angles = np.radians(np.arange(0.0, 360.0, 0.5))
        found = ideal(experiment.mechanism_as(Config), angles)
        apart = np.abs(corrected(experiment.mechanism_as(Config), found).alpha.rate().value - found.alpha.rate().value)
        worst = int(apart.argmax())
        remark = f"{apart[worst]:.3g} rad/s there, {np.median(apart):.3g} rad/s at half of the angles"
        return Computed(_degrees(angles[worst]), _conditions(experiment), remark)

    return statement


def _first(experiment: Experiment) -> float:
    """Crank angle of the first loss after smooth contact, degrees in 180 to 540."""
    found = run(experiment.mechanism_as(Config), experiment.integrator, REVOLUTIONS)
    return _degrees(found.losses[0]) if found.losses else math.nan


def _first_loss(posture: str, *conditions: str) -> Statement:
    def statement(study: Study) -> Computed:
        experiment = _experiment(study, posture, *conditions)
        told = {**_conditions(experiment), "start_angle": experiment.mechanism_as(Config).start_angle}
        return Computed(_first(experiment), told)

    return statement


def _over(posture: str, key: str, unit: str, values: Sequence[float], *conditions: str) -> Statement:
    """First losses over a series."""

    def statement(study: Study) -> Computed:
        experiments = [_experiment(study, posture, *conditions, f"mechanism.{key}={value} {unit}") for value in values]
        return Computed([_first(one) for one in experiments], {**_conditions(experiments[0]), key: list(values), "unit": unit})

    return statement


def _losses_at_90(posture: str) -> Statement:
    """Losses of contact between 70 and 110 degrees, of those of a long run, share."""

    def statement(study: Study) -> Computed:
        experiment = _experiment(study, posture)
        losses = run(experiment.mechanism_as(Config), experiment.integrator, LONG if study.full else REVOLUTIONS).losses
        inside = [1.0 for angle in losses if 70.0 <= math.degrees(angle) % 360.0 <= 110.0]
        return Computed(len(inside) / len(losses) if losses else math.nan, _conditions(experiment), f"{len(losses)} losses in all")

    return statement


PRINTED_INERTIA = ("mechanism.coupler_inertia=884e-6 kg*m^2", "mechanism.rocker_inertia=884e-6 kg*m^2")  # as the paper's section 2 has it


def _every() -> dict[str, Statement]:
    statements: dict[str, Statement] = {}
    for posture in GRAVITIES:
        statements |= {
            f"earles_wu_{posture}": _earles_wu(posture),
            f"printed_inertia_{posture}": _earles_wu(posture, *PRINTED_INERTIA),
            f"rates_differ_{posture}": _rates_differ(posture),
            f"critical_{posture}": _critical(posture),
            f"substituted_{posture}": _substituted(posture),
            f"first_loss_{posture}": _first_loss(posture),
            f"first_loss_wide_{posture}": _first_loss(posture, "mechanism.clearance=0.2 mm"),
            f"losses_at_90_{posture}": _losses_at_90(posture),
            f"clearances_{posture}": _over(posture, "clearance", "mm", CLEARANCES),
            f"speeds_{posture}": _over(posture, "speed", "rpm", SPEEDS, "mechanism.clearance=0.2 mm"),
        }
    return statements


STATEMENTS = _every()


def picture(study: Study) -> Sequence[Panel]:
    """Panels: ideal force, the critical-point numbers, force of the mechanism with clearance, for both postures."""
    panels: list[Panel] = []
    angles = np.radians(np.arange(0.0, 360.01, 0.5))
    for posture, gravity in GRAVITIES.items():
        experiment = _experiment(study, posture)
        found = ideal(experiment.mechanism_as(Config), angles)
        degrees = np.degrees(angles)
        lines = [(f"{rc} mm", degrees, substituted_force(_at(study, posture, rc), angles)) for rc in SUBSTITUTED[1:]]
        force = run(experiment.mechanism_as(Config), experiment.integrator, 1.0)
        panels += [
            {
                "title": f"g = {gravity:g}: ideal force, and by substitution", "x": "crank, deg", "y": "N",
                "lines": [("ideal", degrees, found.F.value), *lines],
            },
            {
                "title": f"g = {gravity:g}: A and B of the ideal linkage", "x": "crank, deg", "y": "N m",
                "lines": [("A", degrees, found.A.value), ("B", degrees, found.B.value)],
            },
            {
                "title": f"g = {gravity:g}: force with clearance", "x": "crank, deg", "y": "N",
                "lines": [("run", np.degrees(force.angle), force.force)],
            },
        ]  # fmt: skip
    return panels


def _at(study: Study, posture: str, clearance: float) -> Config:
    return _experiment(study, posture, f"mechanism.clearance={clearance} mm").mechanism_as(Config)
