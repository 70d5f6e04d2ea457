"""The driven slider of model.mechanisms.slider_bar with a flexible slider: plane-stress triangles, nodes in penalty contact (karnopp)."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors import ModelError
from model.integrators.method import Integrator
from model.mechanisms.slider_bar_flexible import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A stepper at `rate` (Hz), which reads no input.

        Raises ModelError for a source, an integrator that does not suit, a fixed step above the stability limit, or a hinge without nodes.
        """
        if source:
            raise ModelError(f"unknown input {source!r} of the driven slider; its motor turns by itself, expected none")
        from model.mechanisms.slider_bar_flexible.stepper import stepper  # compiled code only when something is to move

        return stepper(self, integrator, rate)
