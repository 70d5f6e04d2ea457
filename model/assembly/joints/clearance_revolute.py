"""A pin with clearance: a journal (second body) in a bearing (first body), with contact and friction (model.joints.revolute)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from model.assembly import layout as at
from model.assembly.description import Contact
from model.assembly.elements import Constraint, Elements, Frame, Rub, Touch, at_rest
from model.contact.laws import damping
from model.joints.revolute import radii


@dataclass(frozen=True)
class Config:
    """Revolute joint with clearance. Where it says nothing itself, clearance, contact and friction are those of the mechanism.

    clearance: radial, bearing radius less journal radius; 0: a pin without clearance. At the start the journal stands `start_x`,
    `start_y` from the bearing's centre, and moves against it with `start_vx`, `start_vy`. With `static_friction` it sticks truly, and
    friction does not go by a window of speed; then its force is what presses, and its friction a channel of its own.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT" of the bearing, "BODY.POINT" of the journal]'})
    bearing_radius: float = field(metadata={"unit": "m", "over": 0.0})
    clearance: float | None = field(default=None, metadata={"unit": "m", "at_least": 0.0})
    friction: float | None = field(default=None, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient"})
    static_friction: float | None = field(
        default=None, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient at rest; given: it sticks truly"}
    )
    contact: Contact | None = None
    start_x: float = field(default=0.0, metadata={"unit": "m", "doc": "in the world's axes"})
    start_y: float = field(default=0.0, metadata={"unit": "m"})
    start_vx: float = field(default=0.0, metadata={"unit": "m/s", "doc": "against the bearing's centre; in `rig simulate` alone"})
    start_vy: float = field(default=0.0, metadata={"unit": "m/s"})

    def elements(self, frame: Frame) -> Elements:
        """A contact; two rows while it is to have no clearance."""
        i, j = frame.pair(self.between)
        clearance = frame.gap(self.clearance)
        if clearance == 0.0:
            return Elements(constraints=(Constraint(at.COINCIDENT, i, j, self.name),))
        bearing, journal = radii(self.bearing_radius, clearance)
        self._refuse_start(clearance)
        contact = self.contact or frame.contact
        law = (contact.hertz(bearing, journal), contact.exponent, damping(contact.law, contact.restitution))
        unused = [0.0] * (at.C_COLUMNS - at.C_LINE)
        sliding, *window = frame.rubbing(self.friction)
        sticks = self.static_friction is not None
        size, friction = (bearing, journal), (0.0 if sticks else sliding, *window)
        columns: dict[int, ArrayLike] = {at.C_FRICTION: friction, at.C_SIZE: size, at.C_LINE: unused}
        closed = Constraint(at.COINCIDENT, i, j, self.name, e=(self.start_x, self.start_y), drift=(self.start_vx, self.start_vy))
        touch = Touch(i, j, self.name, at.PIN, law, contact.approach_floor, columns)
        return Elements(closed=(closed,), contacts=(touch,), rubs=self._rubs(touch, sliding) if sticks else ())

    def _rubs(self, touch: Touch, sliding: float) -> tuple[Rub, ...]:
        stuck = Constraint(at.GRIP, touch.i, touch.j, f"{self.name} (friction)", sticks=True)
        return (Rub(stuck, (touch,), sliding, at_rest(sliding, self.static_friction)),)

    def _refuse_start(self, clearance: float) -> None:
        away = math.hypot(self.start_x, self.start_y)
        if not away <= clearance * (1.0 + 1e-12):
            name = "start_x" if not abs(self.start_x) < abs(self.start_y) else "start_y"
            raise ValueError(
                f"joints.{self.name}.{name}: the journal would begin {away * 1e3:g} mm from the bearing's centre; "
                f"expected at most the clearance, {clearance * 1e3:g} mm"
            )
