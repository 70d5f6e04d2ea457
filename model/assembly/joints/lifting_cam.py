"""A cam and its follower that may lift off, and lands again: a roller or a flat face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from model.assembly import layout as at
from model.assembly.description import Contact
from model.assembly.elements import Elements, Frame, Touch
from model.assembly.joints import cam
from model.contact.laws import damping
from model.joints import translational

USUAL = 1e-3  # of the base radius: a small but usual distance from the cam


@dataclass(frozen=True)
class Config(cam.Config):
    """As `cam`, but the cam pushes and never pulls: something else, as a spring, keeps the follower on it. At the start it lies there.

    Where it says nothing itself, the contact is that of the mechanism; its stiffness is that of a ball of the radius of roller and base
    circle together, unless it is given. Without friction: the roller rolls, the face is oiled.
    """

    contact: Contact | None = None

    def elements(self, frame: Frame) -> Elements:
        """A contact."""
        row = self.row(frame)
        if self.follower == cam.ROLLER and self.roller_radius == 0.0:
            raise ValueError("roller_radius: missing; an edge has no contact that could be computed")
        radius = 1.0 / (1.0 / self.base_radius + (1.0 / self.roller_radius if self.follower == cam.ROLLER else 0.0))
        contact = self.contact or frame.contact
        law = (contact.on_flat(radius), contact.exponent, damping(contact.law, contact.restitution))
        guide = np.zeros(translational.PARAMETERS)
        guide[translational.CLEARANCE] = USUAL * self.base_radius
        own: dict[int, ArrayLike] = {at.C_FRICTION: (0.0, 0.0, 1.0), at.C_SIZE: (0.0, 0.0), at.C_LINE: row.e, at.C_GUIDE: guide}
        kind = at.ON_ROLLER if self.follower == cam.ROLLER else at.ON_FACE
        touch = Touch(row.i, row.j, self.name, kind, law, contact.approach_floor, own, row.functions)
        return Elements(closed=(row,), contacts=(touch,))
