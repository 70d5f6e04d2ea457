"""Four-bar with a clearance between coupler and rocker and a crank of constant speed (zhang1995)."""

from __future__ import annotations

from dataclasses import dataclass

from model.integrators.method import Integrator
from model.mechanisms.four_bar import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A stepper at `rate` (Hz): the crank at constant speed, or turned from rest by the samples of `source`, one of self.DRIVEN.

        Without clearance: the ideal linkage. Raises ModelError for another source, an integrator that does not suit, or a fixed step above
        the stability limit, which it names; InconsistentStart for a start angle at which there is no smooth contact.
        """
        self.refuse_other("four-bar", source)
        from model.mechanisms.four_bar.stepper import stepper  # compiled code only when something is to move

        return stepper(self, integrator, rate, driven=bool(source))
