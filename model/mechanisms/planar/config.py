"""A planar mechanism as its user describes it: bodies, joints, drives and forces; nothing is derived or compiled for it.

The equations are in model.mechanisms.planar.kernel, the kinds of joints, drives and forces in model.assembly (a file each).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from model.assembly import layout as at
from model.assembly.description import Body, Contact, Point
from model.assembly.elements import Frame, Part
from model.contact import laws
from model.mechanisms.mechanism import Mechanism

TURNS = 2.0  # of the first drive that turns, in a simulation for which nothing else is said


@dataclass(frozen=True)
class Config(Mechanism):
    """Bodies, joints, drives and forces. Points are written "BODY.POINT"; the ground is a body called ground that does not move.

    clearance, contact and friction hold for every joint with clearance that says nothing itself.
    outputs: names of the channels, in order; none: angle and mass centre of the bodies, joint forces, penetrations, drives.
    """

    bodies: tuple[Body, ...]
    joints: tuple[Part, ...] = field(metadata={"kinds": "model.assembly.joints"})
    drives: tuple[Part, ...] = field(default=(), metadata={"kinds": "model.assembly.drives"})
    forces: tuple[Part, ...] = field(default=(), metadata={"kinds": "model.assembly.forces"})
    ground: tuple[Point, ...] = field(default=(), metadata={"doc": "points that do not move"})
    gravity: float = field(default=0.0, metadata={"unit": "m/s^2", "doc": "against y"})
    clearance: float | None = field(default=None, metadata={"unit": "m", "at_least": 0.0, "doc": "radial"})
    contact: Contact = field(default_factory=Contact)
    friction: float = field(default=0.0, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient"})
    friction_none_below: float = field(default=1e-4, metadata={"unit": "m/s", "at_least": 0.0, "doc": "sliding speed; assumed"})
    friction_whole_above: float = field(default=1e-3, metadata={"unit": "m/s", "over": 0.0, "doc": "sliding speed; assumed"})
    outputs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for keys in (("bodies",), ("joints", "drives"), ("forces",)):
            self._check_names(keys)
        if not self.bodies:
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
                    item.elements(frame)
                except ValueError as error:
                    raise ValueError(f"{key}.{number}: {item.name}: {error}") from None

    def _check_names(self, keys: tuple[str, ...]) -> None:
        names: list[str] = []
        for key in keys:
            for number, item in enumerate(getattr(self, key)):
                if item.name in names:
                    raise ValueError(f"{key}.{number}.name: {item.name!r} is the name of another one already")
                names.append(item.name)

    @property
    def frame(self) -> Frame:
        """What joints, drives and forces are described against."""
        joints = {joint.name: joint for joint in self.joints}
        friction = (self.friction, self.friction_none_below, self.friction_whole_above)
        return Frame(self.bodies, self.ground, joints, self.clearance, self.contact, friction)

    def own_duration(self) -> float:
        """Default length of a simulation, s."""
        rows = [row for drive in self.drives for row in drive.elements(self.frame).constraints]
        speeds = [abs(row.rate) for row in rows if row.kind == at.ANGLE and row.rate != 0.0]
        return TURNS * 2.0 * math.pi / speeds[0] if speeds else 1.0

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
