"""A flexible bar that hangs on a ball joint at its beginning and falls: spatial ANCF elements (model.bodies.ancf_beam3d.beam)."""

from __future__ import annotations

from dataclasses import dataclass

from model.integrators.method import Integrator
from model.mechanisms.flexible_pendulum import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A stepper at `rate` (Hz); its input samples are not read. Raises ModelError for an integrator other than generalized_alpha."""
        from model.mechanisms.flexible_pendulum.stepper import stepper  # compiled code only when something is to move

        return stepper(self, integrator, rate)
