"""3-RRPaR spatial parallel mechanism with six flexible long bars (chen2026, corrected)."""

from __future__ import annotations

from dataclasses import dataclass

from model.integrators.method import Integrator
from model.mechanisms.parallel_3rrpar_flexible import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A stepper at `rate` (Hz) whose arms follow `path` (model.paths) for `lasting` s: in its own time, or in that of the samples (s).

        source: one of DRIVEN for samples of the path's time, from 0 to `lasting`; it then starts at the first, its bars strained and its
        pins pressed as where the samples rest or move.

        Raises ModelError for another source, a path that cannot be followed (reach, conditioning, speed), an integrator other than
        generalized_alpha, or a step too large for the contact.
        """
        self.refuse_other("flexible 3-RRPaR", source)
        from model.mechanisms.parallel_3rrpar.reachability import followed
        from model.mechanisms.parallel_3rrpar_flexible.stepper import stepper  # compiled code only when something is to move

        path = followed(self, path)
        return stepper(self, integrator, rate, path, lasting, driven=bool(source))
