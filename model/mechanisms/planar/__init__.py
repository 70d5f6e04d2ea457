"""Planar mechanism of the user's own description: bodies, joints, drives and forces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from model.floats import Floats
from model.integrators.method import Integrator
from model.mechanisms.mechanism import Channel, Event
from model.mechanisms.planar import config
from model.mechanisms.planar.lead import Lead
from model.paths.course import Course
from model.stepping.contract import Stepper

EXTREME_UNITS = ("N", "N*m", "m/s^2", "rad/s^2")


@dataclass(frozen=True)
class Config(config.Config):
    """See `config.Config`, with what makes it move. Channels, extremes and names of events go by the description."""

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """See `Mechanism`. Kept, as the whole drawing is assembled for them: who shows an accelerometer's weight asks in each block."""
        from model.mechanisms.planar.outputs import outputs  # compiled code, which who only reads a configuration need not wait for

        return tuple((output.name, output.unit) for output in outputs(self))

    @property
    def extremes(self) -> tuple[str, ...]:
        """See `Mechanism`."""
        from model.assembly.layout import CONTACT_DEPTH
        from model.mechanisms.planar.outputs import outputs

        return tuple(output.name for output in outputs(self) if output.unit in EXTREME_UNITS or output.code == CONTACT_DEPTH)

    def weighs(self, channel: str) -> bool:
        """See `Mechanism`."""
        return any(one.name == channel for one in self.accelerometers)

    def shown_weight(self, values: Floats) -> dict[str, Floats]:
        """See `Mechanism`: of the description's accelerometers."""
        from model.mechanisms.planar.outputs import up

        names = [name for name, _ in self.channels]
        return {one.name: self.gravity * values[:, names.index(up(one.name))] for one in self.accelerometers}

    def felt_inertia(self, courses: Floats) -> Floats:
        """See `Mechanism`."""
        from model.mechanisms.planar.felt_inertia import felt_inertia

        return felt_inertia(self, courses)

    def hung_inertia(self, courses: Floats) -> Floats:
        """See `Mechanism`."""
        from model.mechanisms.planar.felt_inertia import hung_inertia

        return hung_inertia(self, courses)

    @property
    def start_remarks(self) -> tuple[str, ...]:
        """See `Mechanism`."""
        from model.mechanisms.planar.stepper import assemble

        return assemble(self).remarks

    @property
    def sprung_drives(self) -> tuple[str, ...]:
        """See `Mechanism`."""
        from model.mechanisms.planar.felt_inertia import sprung_drives

        return tuple(sprung_drives(self))

    def event(self, guard: int, noted: float) -> Event | None:
        """See `Mechanism`."""
        from model.mechanisms.planar.outputs import contacts

        names = contacts(self)
        if guard >= len(names):
            return None
        return ("contact_start", names[guard], noted) if noted > 0.0 else ("contact_end", names[guard], None)

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """A PlanarStepper at `rate` (Hz): its drives at constant speed, or led by the samples of `source`, one of `course_sources`,
        `effort_sources` or `loader_sources`. Samples of a loader's command are forces (N).

        Raises InconsistentStart for a linkage that cannot close, ModelError for a dead point, drives too many, an output that there is not,
        an integrator that is not explicit, or a fixed step above the stability limit.
        """
        from model.mechanisms.planar.generated import stepper  # compiled code only when something is to move

        self.refuse_other("planar mechanism", source)
        if source:
            self.refuse_leading()
        pushed = source in self.effort_sources or (source == "command" and self.course_unit == "m")
        return stepper(self, integrator, rate, Lead.EFFORT if pushed else Lead.WAY if source else Lead.NONE)
