"""3-RRPaR spatial parallel mechanism with clearance at two platform joints (chen2026, corrected)."""

from __future__ import annotations

from dataclasses import dataclass

from model.integrators.method import Integrator
from model.mechanisms.parallel_3rrpar import config
from model.paths.course import Course
from model.stepping.contract import Stepper


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move."""

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A stepper at `rate` (Hz) whose arms follow `path` (model.paths) for `lasting` s: in its own time, or in that of the samples (s).

        source: one of DRIVEN for samples of the path's time, from 0 to `lasting`; it then starts at the first, in equilibrium under
        gravity, or without any with the pins in the middle. With ideal joints (no clearance) nothing is integrated, and the
        integrator does not count.

        Raises ModelError for another source, a path that cannot be followed (reach, conditioning, speed), an integrator that does not
        suit, or a fixed step above the stability limit; when it is started, InconsistentStart where the platform finds no rest.
        """
        from model.mechanisms.parallel_3rrpar.reachability import followed

        self.refuse_other("3-RRPaR", source)
        path = followed(self, path)
        if self.ideal:
            from model.mechanisms.parallel_3rrpar.prescribed_stepper import Prescribed

            return Prescribed(self, rate, path, driven=bool(source))
        from model.mechanisms.parallel_3rrpar.stepper import stepper  # compiled code only when something is to move

        return stepper(self, integrator, rate, path, lasting, driven=bool(source))
