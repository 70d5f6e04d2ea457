"""Linkage of three links in series with two clearance pins, in a servo-hydraulic frame (hu2016 section 2, its tables are lost)."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors import ModelError
from model.integrators.method import Integrator
from model.mechanisms.linkage import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(
        self, integrator: Integrator, rate: float, source: str = "command", path: Course | None = None, lasting: float = 0.0
    ) -> Stepper:
        """A Stepper at `rate` (Hz) whose input is the samples of `source`: command (N), stroke (m) or actuator_force (N).

        Raises ModelError for an unknown source, or a fixed step above the stability limit, which it names.
        """
        if source not in self.SOURCES:
            raise ModelError(f"unknown input {source!r} of the linkage; expected one of {', '.join(self.SOURCES)}")
        from model.mechanisms.linkage.stepper import stepper  # compiled code only when something is to move

        return stepper(self, integrator, rate, source)
