"""Slider in a guide with Karnopp friction, and a bar on it that a motor turns at constant speed; rigid (karnopp section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from model.integrators.method import Integrator
from model.mechanisms.slider_bar import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A Stepper at `rate` (Hz): the bar at constant speed, or turned by the samples (rad) of `source`, one of self.DRIVEN.

        Driven, the force on the slider follows the angle too (`drives`); it starts at the first sample, and a slider that friction holds
        there sticks.

        Raises ModelError for another source, an integrator that does not suit, or a fixed step above the stability limit, which it names.
        """
        self.refuse_other("driven slider", source)
        from model.mechanisms.slider_bar.stepper import stepper  # compiled code only when something is to move

        return stepper(self, integrator, rate, driven=bool(source))
