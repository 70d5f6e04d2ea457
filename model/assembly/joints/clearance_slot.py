"""A pin with clearance in a straight slot: it touches the one wall, the other, or none."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from model.assembly import layout as at
from model.assembly.description import Contact
from model.assembly.elements import Constraint, Elements, Frame, Touch
from model.contact.laws import damping
from model.joints import translational


@dataclass(frozen=True)
class Config:
    """The second point is the pin's middle, the first lies on the middle line of the slot. Without friction: the pin is a roller.

    Where it says nothing itself, clearance (to each side, with the pin in the middle; 0: a slot without clearance) and contact are those
    of the mechanism; its stiffness is that of a ball of the pin's radius on a flat wall, unless it is given. Force: sum of both walls'.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT" of the slot, "BODY.POINT" of the pin]'})
    pin_radius: float = field(metadata={"unit": "m", "over": 0.0})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the slot, in the first body's axes"})
    clearance: float | None = field(default=None, metadata={"unit": "m", "at_least": 0.0})
    contact: Contact | None = None

    def elements(self, frame: Frame) -> Elements:
        """A contact for each wall; one row while it is to have no clearance."""
        i, j = frame.pair(self.between)
        clearance = frame.gap(self.clearance)
        along = (math.cos(self.direction), math.sin(self.direction))
        row = Constraint(at.LINE, i, j, self.name, e=(-along[1], along[0]))
        if clearance == 0.0:
            return Elements(constraints=(row,))
        contact = self.contact or frame.contact
        law = (contact.on_flat(self.pin_radius), contact.exponent, damping(contact.law, contact.restitution))
        guide = np.zeros(translational.PARAMETERS)
        guide[translational.CLEARANCE] = clearance
        own: dict[int, ArrayLike] = {at.C_LINE: along, at.C_AXIS: (0.0, 0.0), at.C_GUIDE: guide}
        columns = {at.C_FRICTION: (0.0, 0.0, 1.0), at.C_SIZE: (0.0, 0.0)} | own
        walls = ((at.LEFT_WALL, "left wall"), (at.RIGHT_WALL, "right wall"))
        touches = (Touch(i, j, f"{self.name} {side}", kind, law, contact.approach_floor, columns) for kind, side in walls)
        return Elements(closed=(row,), contacts=tuple(touches))
