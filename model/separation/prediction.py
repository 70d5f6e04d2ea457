"""Every criterion's verdict on one four-bar, side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass

from model.errors import InconsistentStart
from model.integrators.method import Integrator
from model.mechanisms.four_bar import Config
from model.mechanisms.four_bar.config import doubtful_inertias
from model.mechanisms.four_bar.massless_link import Course, course
from model.separation.criteria import LIMIT, CriticalPoints, Minimum, Validity, critical_points, minima, validity
from model.separation.full_contact import Run, run


@dataclass(frozen=True)
class Prediction:
    """What each criterion found; `link` and `contact` are None where they cannot be started, and `silent` says why."""

    config: Config
    epsilon: float
    revolutions: float
    minima: list[Minimum]
    critical: CriticalPoints
    validity: Validity
    link: Course | None
    contact: Run | None
    silent: str

    @property
    def angles(self) -> dict[str, list[float]]:
        """Crank angles (rad) of predicted contact loss; those of the two runs count on from the start angle, in their order."""
        return {
            "earles_wu": [one.angle for one in self.minima if one.earles_wu >= LIMIT],
            "li_bai": [one.angle for one in self.minima if one.li_bai >= LIMIT],
            "critical_points": self.critical.angles,
            "massless_link": [self.link.loss] if self.link is not None and self.link.loss is not None else [],
            "full_contact": self.contact.losses if self.contact is not None else [],
        }


def predict(config: Config, integrator: Integrator, tolerance: float, epsilon: float = 1.0, revolutions: float = 2.0) -> Prediction:
    """tolerance: within how much (rad) zeros of aq and br count as simultaneous; epsilon: Li-Bai's factor for the clearance.

    Raises ModelError for a tolerance, epsilon or integrator that cannot be used, NotConverged when a run diverges.
    """
    found = minima(config, epsilon), critical_points(config, tolerance), validity(config)
    link, contact, silent = None, None, ""
    if config.clearance == 0.0:
        silent = "mechanism.clearance is 0: there is no massless link and no contact to follow"
    else:
        try:
            link, contact = course(config, revolutions), run(config, integrator, revolutions)
        except InconsistentStart as error:
            silent = f"neither massless link nor full contact was run: {error}"
    return Prediction(config, epsilon, revolutions, *found, link, contact, silent)


def remarks(prediction: Prediction) -> list[str]:
    """What a reader has to know before he believes it."""
    config, valid = prediction.config, prediction.validity
    said = []
    if valid.doubtful:
        where = ", ".join(f"{math.degrees(first):.0f} to {math.degrees(last):.0f}" for first, last in valid.doubtful)
        said.append(
            f"the first-order expansion behind aq and br is not valid at crank angles {where} deg: Rc |alpha_1| reaches "
            f"{valid.Rc_alpha1_max:.3g} rad and Rc |F_1|/F {valid.Rc_F1_over_F_max:.3g}, where both should be small"
        )
    said += doubtful_inertias(config)
    return said + ([prediction.silent] if prediction.silent else [])
