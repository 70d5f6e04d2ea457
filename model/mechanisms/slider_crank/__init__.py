"""Slider-crank with clearance in one pin and in the guide, rigid rod, crank of constant speed (wang2017)."""

from __future__ import annotations

from dataclasses import dataclass

from model.integrators.method import Integrator
from model.mechanisms.slider_crank import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A Stepper at `rate` (Hz): the crank at constant speed, or turned by the samples (rad) of `source`, one of self.DRIVEN.

        Driven, it starts at the first sample: in equilibrium under gravity, or without any with journal and slider in the middle; with the
        speeds of the ideal linkage where the samples move from the beginning on. At constant speed it starts in the middle in any case.

        Raises ModelError for another source, an integrator that does not suit, or a fixed step above the stability limit, which it names;
        InconsistentStart where gravity would crush the joint.
        """
        self.refuse_other("slider-crank", source)
        from model.mechanisms.slider_crank.stepper import stepper  # compiled code only when something is to move

        return stepper(self, integrator, rate, driven=bool(source))
