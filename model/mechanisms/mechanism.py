"""What a mechanism says of itself, and how it is set in motion: the base of every mechanism's `Config`."""

from __future__ import annotations

from dataclasses import Field
from typing import ClassVar, Protocol

from model.errors import ModelError
from model.floats import Floats
from model.integrators.method import Integrator
from model.paths.course import Course
from model.stepping.contract import Stepper

Channel = tuple[str, str]
"""Name and unit."""
Event = tuple[str, str, float | None]
"""Kind, where, and approach speed (m/s) of a contact."""


class Dataclass(Protocol):
    """Keys that may be replaced (dataclasses.replace)."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]


class Mechanism:
    """Keys of a description in capitals hold for every one of its kind; what depends on the description is a property or a method.

    Motors move a mechanism on a test rig by one number, the course s, from which everything that moves follows: how far a crank or a bar
    has turned since the start (rad), or how far a path has been gone along (s, the path's own time). A stepper that is created with a
    source is fed with samples of s, `lookahead` of them first; between them s is a cubic (model.stepping.inputs), which gives its first
    and second derivative in time. It starts at the first sample, at rest as gravity and friction have it where s rests.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    CHANNELS: ClassVar[tuple[Channel, ...]] = ()
    """Of its output samples, in their order."""
    EXTREMES: ClassVar[tuple[str, ...]] = ()
    """Channels whose largest value between two output samples is worth a column."""
    SOURCES: ClassVar[tuple[str, ...]] = ()
    """Samples by which a loader moves it; none: it brings its own drive."""
    EXCESS: ClassVar[int | None] = None
    """Column of (channel - command) among the extremes that its stepper gives."""
    CONTACT_NAMES: ClassVar[tuple[str, ...]] = ()
    """Of the contacts, in the order of the guards."""
    COURSE: ClassVar[str] = ""
    """Unit of the course s, rad or s (m of what only slides); empty: no motor moves it."""
    DRIVES: ClassVar[tuple[Channel, ...]] = ()
    """Of each drive's setpoint, in the order of `setpoints`."""
    DRIVEN: ClassVar[tuple[str, ...]] = ()
    """Samples that may move it: `command`, which is s, and perhaps the measured angle turned, with the same zero."""
    FOLLOWS_PATH: ClassVar[bool] = False
    """Whether its drives follow a Cartesian path ([trajectory] path = ...)."""
    WEIGHS: ClassVar[bool] = False
    """Whether it says what gravity adds to what accelerometers show."""

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Of the output samples, in their order. Raises ModelError for a description that has none such."""
        return self.CHANNELS

    @property
    def loader_sources(self) -> tuple[str, ...]:
        """See SOURCES."""
        return self.SOURCES

    @property
    def course_unit(self) -> str:
        """See COURSE."""
        return self.COURSE

    @property
    def setpoint_channels(self) -> tuple[Channel, ...]:
        """See DRIVES."""
        return self.DRIVES

    @property
    def course_sources(self) -> tuple[str, ...]:
        """See DRIVEN."""
        return self.DRIVEN

    @property
    def effort_sources(self) -> tuple[str, ...]:
        """Samples of a force or torque that may act in the place of what moves it, as measured."""
        return ()

    def weighs(self, channel: str) -> bool:
        """Whether it says what gravity adds to this channel of acceleration. See WEIGHS."""
        return self.WEIGHS

    @property
    def extremes(self) -> tuple[str, ...]:
        """See EXTREMES."""
        return self.EXTREMES

    @property
    def play(self) -> float | None:
        """Clearance of its joints, m, as its kind counts it; None: it has none that could be told."""
        return None

    @property
    def servo_loop(self) -> bool:
        """Whether the loop that closes on its force is a part of it."""
        return False

    @property
    def contact_law(self) -> str:
        """Name of the law of its contacts; empty: it has none."""
        return ""

    def with_contact_law(self, law: str) -> Mechanism:
        """The same with another law. Raises ValueError for one that there is not; for a kind without contacts ModelError."""
        raise ModelError("this mechanism has no contact law")

    def own_duration(self) -> float:
        """Duration of a simulation for which nothing else is said, s. Of a kind that brings its own drive and follows no path."""
        raise self._lacking("own_duration")

    def create(self, integrator: Integrator, rate: float, source: str = "", path: Course | None = None, lasting: float = 0.0) -> Stepper:
        """Return it ready to move, with output samples at `rate` (Hz): by itself, or by samples of `source`, one of SOURCES or DRIVEN.

        path: what its drives follow for `lasting` s. Raises ModelError for what it cannot do.
        """
        raise self._lacking("create")

    def setpoints(self, s: Floats, path: Course | None = None) -> tuple[Floats, Floats]:
        """(setpoints (N, drives), their derivatives by s (N, drives)) for s (N,). Raises ModelError where it cannot be.

        Of a kind with a COURSE.
        """
        raise self._lacking("setpoints")

    def felt_inertia(self, courses: Floats) -> Floats | None:
        """(N, drives) kg m^2 of the mechanism as each of its drives feels it, where the course is `courses` (N,) and the other drives
        stand still. None: its kind does not tell. Raises ModelError where it cannot be."""
        return None

    def hung_inertia(self, courses: Floats) -> Floats | None:
        """(N, drives) kg m^2 of what hangs on the shaft behind each of `sprung_drives`, NaN for other drives; None: there is none. Raises
        ModelError where it cannot be."""
        return None

    @property
    def start_remarks(self) -> tuple[str, ...]:
        """What is to be known of where it begins, as a body that its joints put elsewhere than was said. Raises ModelError where it cannot
        begin."""
        return ()

    @property
    def sprung_drives(self) -> tuple[str, ...]:
        """Names of the drives behind which it has a shaft that gives way."""
        return ()

    def event(self, guard: int, noted: float) -> Event | None:
        """Return what passed when a guard of its stepper changed sign; None for what is nobody's business."""
        if guard >= len(self.CONTACT_NAMES):
            return None
        where = self.CONTACT_NAMES[guard]
        return ("contact_start", where, noted) if noted > 0.0 else ("contact_end", where, None)

    def shown_weight(self, values: Floats) -> dict[str, Floats]:
        """What gravity adds to what an accelerometer shows, m/s^2: of each channel of acceleration (k,), for output samples `values`
        (k, channels). One at rest shows what holds it up. Of a kind that WEIGHS."""
        raise self._lacking("shown_weight")

    def _lacking(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__module__}: by what it says of itself this mechanism needs a method {method}")

    def refuse_other(self, called: str, source: str) -> None:
        """Raise ModelError for a source that is neither empty (its own drive) nor one that the mechanism, `called` so, can follow."""
        known = tuple(self.loader_sources) or (*self.course_sources, *self.effort_sources)
        if source and source not in known:
            expected = f"one of {', '.join(known)}, or none" if known else "none"
            raise ModelError(f"unknown input {source!r} of the {called}; expected {expected}, with which it drives itself")
