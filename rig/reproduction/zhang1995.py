"""zhang1995: where the joint loses contact, by Earles-Wu, by the critical points, by the run of the mechanism itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.mechanisms.four_bar import Config
from model.mechanisms.four_bar.ideal import ideal
from model.separation.full_contact import run
from model.separation.substitution import substituted_force
from rig.reproduction import zhang1995_criteria, zhang1995_run
from rig.reproduction.study import Panel, Statement, Study
from rig.reproduction.zhang1995_criteria import GRAVITIES, SUBSTITUTED, experiment_of, mechanism_at

STATEMENTS: dict[str, Statement] = {
    name: statement
    for posture in GRAVITIES
    for part in (zhang1995_criteria, zhang1995_run)
    for name, statement in part.statements_of(posture).items()
}


def picture(study: Study) -> Sequence[Panel]:
    """Panels: ideal force, the critical-point numbers, force of the mechanism with clearance, for both postures."""
    panels: list[Panel] = []
    angles = np.radians(np.arange(0.0, 360.01, 0.5))
    for posture, gravity in GRAVITIES.items():
        experiment = experiment_of(study, posture)
        found = ideal(experiment.mechanism_as(Config), angles)
        degrees = np.degrees(angles)
        lines = [(f"{rc} mm", degrees, substituted_force(mechanism_at(study, posture, rc), angles)) for rc in SUBSTITUTED[1:]]
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
