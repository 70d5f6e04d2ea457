"""A planar mechanism as its user describes it: bodies, joints, drives and forces; nothing is derived or compiled for it.

The equations are in model.mechanisms.planar.kernel, the kinds of joints, drives and forces in model.assembly (a file each).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from model.assembly import layout as at
from model.assembly.description import Accelerometer, Body, Contact, Point
from model.assembly.elements import Constraint, Frame, Part
from model.assembly.pushing import Pushed
from model.assembly.rods.frames import Rods
from model.assembly.rods.rod import Rod
from model.contact import laws
from model.errors import ModelError
from model.floats import Floats
from model.mechanisms.mechanism import Channel, Mechanism
from model.paths.course import Course

EQUATIONS = ("generated", "tables")
STROKE = "stroke"
TURNS = 2.0  # of the first drive that turns, in a simulation for which nothing else is said


@dataclass(frozen=True)
class LedDrive:
    """A drive that moves, and how far it goes for one of the course; `row.begins` is where it stands at the start."""

    name: str
    row: Constraint
    ratio: float

    @property
    def unit(self) -> str:
        """Of its setpoint."""
        return "rad" if self.row.kind == at.ANGLE else "m"


@dataclass(frozen=True)
class Config(Mechanism):
    """Bodies, joints, drives and forces. Points are written "BODY.POINT"; the ground is a body called ground that does not move.

    clearance, contact and friction hold for every joint with clearance that says nothing itself.
    outputs: names of the channels, in order; none: angle and mass centre of the bodies, joint forces, penetrations, drives. Those of the
    accelerometers follow, each with what its direction has upwards.
    """

    bodies: tuple[Body, ...] = ()
    joints: tuple[Part, ...] = field(default=(), metadata={"kinds": "model.assembly.joints"})
    drives: tuple[Part, ...] = field(default=(), metadata={"kinds": "model.assembly.drives"})
    forces: tuple[Part, ...] = field(default=(), metadata={"kinds": "model.assembly.forces"})
    ground: tuple[Point, ...] = field(default=(), metadata={"doc": "points that do not move"})
    gravity: float = field(default=0.0, metadata={"unit": "m/s^2", "doc": "none unless given"})
    gravity_direction: float = field(default=-0.5 * math.pi, metadata={"unit": "rad", "doc": "from x; -90 deg: against y"})
    clearance: float | None = field(default=None, metadata={"unit": "m", "at_least": 0.0, "doc": "radial"})
    contact: Contact = field(default_factory=Contact)
    friction: float = field(default=0.0, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient"})
    friction_none_below: float = field(default=1e-4, metadata={"unit": "m/s", "at_least": 0.0, "doc": "sliding speed; assumed"})
    friction_whole_above: float = field(default=1e-3, metadata={"unit": "m/s", "over": 0.0, "doc": "sliding speed; assumed"})
    equations: str = field(
        default="generated",
        metadata={"choices": EQUATIONS, "doc": "generated: compiled for this mechanism, where they can be; else by tables"},
    )
    outputs: tuple[str, ...] = ()
    accelerometers: tuple[Accelerometer, ...] = field(default=(), metadata={"doc": "channels of their own"})
    rods: tuple[Rod, ...] = field(default=(), metadata={"doc": "bodies that give way"})

    def __post_init__(self) -> None:
        for keys in (("bodies", "rods"), ("joints", "drives"), ("forces",), ("accelerometers",)):
            self._check_names(keys)
        if self.equations not in EQUATIONS:
            raise ValueError(f"equations: expected one of {', '.join(EQUATIONS)}, got {self.equations!r}")
        if not self.bodies and not self.rods:
            raise ValueError("bodies: expected at least one")
        if not 0.0 <= self.friction < math.inf:
            raise ValueError(f"friction: expected at least 0, got {self.friction:g}")
        if self.friction_none_below >= self.friction_whole_above:
            above = f"friction_whole_above, {self.friction_whole_above:g} m/s"
            raise ValueError(f"friction_none_below: expected less than {above}; got {self.friction_none_below:g} m/s")
        frame = self.frame
        for key in ("joints", "drives", "forces"):
            for number, item in enumerate(getattr(self, key)):
                try:
                    self.flexible.elements(item.elements(frame))
                except ValueError as error:
                    raise ValueError(f"{key}.{number}: {item.name}: {error}") from None

        for number, sensor in enumerate(self.accelerometers):
            try:
                end = self.flexible.end(frame.end(sensor.on))
            except ValueError as error:
                raise ValueError(f"accelerometers.{number}.on: {sensor.name}: {error}") from None
            if end.body == len(self.bodies):
                raise ValueError(f"accelerometers.{number}.on: {sensor.name}: expected a point of a body that moves, got {sensor.on!r}")

    def _check_names(self, keys: tuple[str, ...]) -> None:
        names: list[str] = []
        for key in keys:
            for number, item in enumerate(getattr(self, key)):
                if not item.name.strip():  # channels, messages and keys go by it
                    raise ValueError(f"{key}.{number}.name: expected a name such as crank, got {item.name!r}")
                if item.name in names:
                    raise ValueError(f"{key}.{number}.name: {item.name!r} is the name of another one already")
                names.append(item.name)

    @property
    def frame(self) -> Frame:
        """What joints, drives and forces are described against."""
        joints = {joint.name: joint for joint in self.joints}
        friction = (self.friction, self.friction_none_below, self.friction_whole_above)
        return Frame(self.as_bodies, self.ground, joints, self.clearance, self.contact, friction, len(self.rods))

    @property
    def as_bodies(self) -> tuple[Body, ...]:
        """The bodies, then the rods as they are without load."""
        return (*self.bodies, *(rod.body for rod in self.rods))

    @property
    def flexible(self) -> Rods:
        """The rods, and where they are met; what is described against `frame` is carried over to them by it."""
        return Rods(self.rods, len(self.bodies))

    @property
    def led(self) -> tuple[LedDrive, ...]:
        """The drives that move, in their order; the first is the one whose way is the course."""
        rows = [(drive.name, row) for drive in self.drives for row in drive.elements(self.frame).constraints if row.moves]
        first = rows[0][1].rate if rows else 0.0
        return tuple(LedDrive(name, row, row.rate / first if row.rate and first else 1.0) for name, row in rows)

    @property
    def pushed(self) -> Config:
        """The same with its only drive that moves led by a force or torque. Raises ModelError where there are several."""
        if len(self.led) != 1:
            names = ", ".join(drive.name for drive in self.led) or "none"
            raise ModelError(f"drives: a force or torque leads a linkage with one drive that moves, and the rest follows; got {names}")
        name = self.led[0].name
        return replace(self, drives=tuple(Pushed(drive) if drive.name == name else drive for drive in self.drives))

    def refuse_leading(self) -> None:
        """Raise ModelError where samples cannot lead it: what goes by time beside another drive, motors that have states of their own."""
        by_time = [drive.name for drive in self.led if drive.row.functions]
        if by_time and len(self.led) > 1:
            raise ModelError(
                f"drives: {', '.join(by_time)} goes by time; on a rig several drives go in proportion to their speeds, which it has not; "
                "give it a speed (kind angle or position), or leave it the only drive that moves"
            )
        if motors := [force.name for force in self.forces for one in force.elements(self.frame).actuators if one.own]:
            raise ModelError(
                f"forces: {', '.join(motors)}: a motor with a current or an integral of its own is for `rig simulate`, as it has no state "
                "of rest to begin from; on a rig the drives are led"
            )

    @property
    def course_unit(self) -> str:
        """How far the first drive that moves has gone since the start; the others go along in proportion to their speeds."""
        return self.led[0].unit if self.led else ""

    @property
    def setpoint_channels(self) -> tuple[Channel, ...]:
        """Of each drive that moves: the angle, or the place on its line, at which it stands."""
        return tuple((drive.name, drive.unit) for drive in self.led)

    @property
    def course_sources(self) -> tuple[str, ...]:
        """The command, and the measured angle of the body that the first drive turns from the ground."""
        if self.course_unit != "rad":
            return ()
        row, bodies = self.led[0].row, self.as_bodies
        ground = len(bodies)
        measured = (f"{bodies[row.j.body].name}_angle",) if row.kind == at.ANGLE and row.i.body == ground else ()
        return "command", *measured

    @property
    def loader_sources(self) -> tuple[str, ...]:
        """Of a linkage whose first drive moves along a slide: the command (N, or m in stroke mode), how far that has come since the start
        (m), and where it is the only drive that moves its force (N)."""
        return ("command", STROKE, *self.effort_sources) if self.course_unit == "m" else ()

    @property
    def effort_sources(self) -> tuple[str, ...]:
        """See `Mechanism`: the force or torque of the only drive that moves; rods that give way are led by their way alone."""
        if self.rods:
            return ()
        return tuple(f"{drive.name}_{'torque' if drive.unit == 'rad' else 'force'}" for drive in self.led) if len(self.led) == 1 else ()

    def setpoints(self, s: Floats, path: Course | None = None) -> tuple[Floats, Floats]:
        """See `Mechanism`: start + ratio s of each drive that moves."""
        course, drives = np.asarray(s, dtype=np.float64)[:, None], self.led
        ratios = np.array([drive.ratio for drive in drives])
        return np.array([drive.row.begins for drive in drives]) + ratios * course, np.broadcast_to(ratios, (len(course), len(drives)))

    @property
    def weight(self) -> tuple[float, float]:
        """Acceleration of what falls, m/s^2."""
        down = self.gravity_direction
        return (0.0, -self.gravity) if down == -0.5 * math.pi else (self.gravity * math.cos(down), self.gravity * math.sin(down))

    def own_duration(self) -> float:
        """Default length of a simulation, s."""
        rows = [row for drive in self.drives for row in drive.elements(self.frame).constraints]
        speeds = [abs(row.rate) for row in rows if row.kind == at.ANGLE and row.rate != 0.0]
        lasting = [float(getattr(drive, "lasting", 0.0)) for drive in self.drives]
        return TURNS * 2.0 * math.pi / speeds[0] if speeds else max(lasting, default=0.0) or 1.0

    @property
    def play(self) -> float | None:
        """See `Mechanism`."""
        return self.clearance

    @property
    def contact_law(self) -> str:
        """See `Mechanism`."""
        return self.contact.law

    def with_contact_law(self, law: str) -> Config:
        """See `Mechanism`."""
        laws.need(law)
        return replace(self, contact=replace(self.contact, law=law))
