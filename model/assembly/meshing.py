"""How wheels mesh at the start: what is not said of them is as the other joints have put them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from model.assembly import layout as at
from model.assembly.description import Body
from model.assembly.elements import Constraint, End
from model.assembly.start import positions
from model.assembly.system import assembled
from model.floats import Floats

OFF = 0.01  # share of a distance by which wheels may stand too near or too far without a remark


def meshed(
    bodies: Sequence[Body], constraints: Sequence[Constraint], closed: Sequence[Constraint], guess: Floats, size: float
) -> tuple[list[Constraint], list[str]]:
    """(the constraints with their values, remarks), `closed` being those of the joints with clearance. guess: (3 bodies,), near the start.

    Raises InconsistentStart where the others cannot close.
    """
    if not any(c.as_it_stands for c in constraints):
        return list(constraints), []
    others = [c for c in (*constraints, *closed) if not c.as_it_stands]
    q = positions(assembled(bodies, others), guess, size)
    made = [_as_it_stands(bodies, c, q) if c.as_it_stands else c for c in constraints]
    return made, [said for c in constraints if c.apart is not None and (said := _too_near(c, q))]


def _as_it_stands(bodies: Sequence[Body], c: Constraint, q: Floats) -> Constraint:
    return replace(c, value=float(assembled(bodies, [replace(c, value=0.0)]).violated(0.0, q, np.zeros_like(q))[0][0]))


def _too_near(c: Constraint, q: Floats) -> str:
    distance = float(np.linalg.norm(_place(q, c.j) - _place(q, c.i)))
    assert c.apart is not None
    if abs(distance - c.apart) <= OFF * c.apart:
        return ""
    return f"joints.{c.said}: the middles stand {distance * 1e3:.4g} mm from each other, the radii want {c.apart * 1e3:.4g} mm"


def _place(q: Floats, end: End) -> Floats:
    x, y, angle = (*q, 0.0, 0.0, 0.0)[at.TRIPLE * end.body :][:3]
    c, sine = np.cos(angle), np.sin(angle)
    return np.array([x + c * end.x - sine * end.y, y + sine * end.x + c * end.y])
