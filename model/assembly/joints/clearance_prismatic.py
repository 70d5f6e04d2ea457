"""A slide with clearance: a rectangular slider (second body) in a guide (first body), with contact at its corners."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from model.assembly import layout as at
from model.assembly.description import Contact
from model.assembly.elements import Elements, Frame, Touch
from model.assembly.joints.prismatic import slide
from model.joints.translational import CORNER_NAMES, CORNERS, parameters, refuse_overturning, stiffness

Pair = tuple[float, float]


@dataclass(frozen=True)
class Config:
    """Prismatic joint with clearance. Where it says nothing itself, clearance, contact (material) and friction are those of the mechanism.

    clearance: gap on each side while the slider is in the middle; 0: a slide without clearance. The second point is the middle of the
    slider, the first lies on the middle line of the guide. At the start the slider is in the middle. Force: sum of the corners'.
    """

    name: str
    between: tuple[str, ...] = field(metadata={"doc": '["BODY.POINT" of the guide, "BODY.POINT" of the slider]'})
    length: float = field(metadata={"unit": "m", "over": 0.0, "doc": "of the slider, along the guide"})
    height: float = field(metadata={"unit": "m", "over": 0.0, "doc": "of the slider, across the guide"})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the guide, in the first body's axes"})
    angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the second body's axes from the first's"})
    clearance: float | None = field(default=None, metadata={"unit": "m", "at_least": 0.0})
    half_perimeter: float = field(default=0.013, metadata={"unit": "m", "over": 0.0, "doc": "of the contact's patch; assumed"})
    damping: float = field(default=0.0, metadata={"unit": "s/m", "at_least": 0.0, "doc": "N = K d (1 + damping d')"})
    friction: float | None = field(default=None, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient"})
    static_friction: float | None = field(default=None, metadata={"unit": "1", "at_least": 0.0, "doc": "refused: no true sticking here"})
    contact: Contact | None = field(default=None, metadata={"doc": "only its material and stiffness_scale count"})

    def elements(self, frame: Frame) -> Elements:
        """A contact for each corner; two rows while it is to have no clearance."""
        if self.static_friction is not None:
            raise ValueError("static_friction: a guide with clearance does not stick truly; leave it out, a window of speed goes for it")
        i, j = frame.pair(self.between)
        clearance = frame.gap(self.clearance)
        rows = slide(self.name, i, j, self.direction, self.angle)
        if clearance == 0.0:
            return Elements(constraints=rows)
        refuse_overturning("clearance", clearance, self.length, self.height)
        contact = self.contact or frame.contact
        compliance = 2.0 * (1.0 - contact.poisson_ratio**2) / contact.youngs_modulus
        k = stiffness(self.half_perimeter, compliance) * contact.stiffness_scale
        line = (math.cos(self.direction), math.sin(self.direction))
        axis = (math.cos(self.direction - self.angle), math.sin(self.direction - self.angle))
        sliding, *window = frame.rubbing(self.friction)
        friction = (sliding, *window)
        guide, law = parameters(self.length, self.height, clearance, k, self.damping, friction), (k, 1.0, 0.0)
        own: dict[int, ArrayLike] = {at.C_LINE: line, at.C_AXIS: axis, at.C_GUIDE: guide}
        columns = {at.C_FRICTION: friction, at.C_SIZE: (0.0, 0.0)} | own
        floor = contact.approach_floor
        corners = tuple(Touch(i, j, f"{self.name} {CORNER_NAMES[n]}", float(n), law, floor, columns) for n in range(CORNERS))
        return Elements(closed=rows, contacts=corners)
