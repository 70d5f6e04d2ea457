"""Slider-crank with a flexible rod, clearance in one pin and in the guide, crank of constant speed (wang2017)."""

from __future__ import annotations

from dataclasses import dataclass

from model.integrators.method import Integrator
from model.mechanisms.slider_crank_flexible import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A stepper at `rate` (Hz): the crank at constant speed, or turned by the samples (rad) of `source`, one of self.DRIVEN.

        Driven, it starts at the first sample: in equilibrium under gravity, or without any with journal and slider in the middle.

        Raises ModelError for another source, an integrator that does not suit, or a fixed step above the stability limit, which it names.
        """
        self.refuse_other("flexible slider-crank", source)
        from model.mechanisms.slider_crank_flexible.stepper import stepper  # compiled code only when something is to move

        return stepper(self, integrator, rate, driven=bool(source))
