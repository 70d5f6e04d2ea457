"""Where the bodies stand about, before the joints are closed: along the chains of joints from the ground, at the angles that are given."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from model.assembly import layout as at
from model.assembly.description import Body
from model.assembly.elements import Constraint, End
from model.floats import Floats


def placed(bodies: Sequence[Body], constraints: Sequence[Constraint]) -> Floats:
    """(bodies, 3): x and y of the mass centre, m, angle, rad; the ground is a last row."""
    ground = len(bodies)
    q = np.array([[0.0, 0.0, body.angle or 0.0] for body in bodies] + [[0.0, 0.0, 0.0]])
    _turn(q, [c for c in constraints if c.kind == at.ANGLE], ground)
    known = {ground}
    for number, body in enumerate(bodies):
        if body.x is not None and body.y is not None:
            q[number, :2] = np.array([body.x, body.y]) + _turned(q[number, 2], body.centre.x, body.centre.y)
            known.add(number)
    pins = [c for c in constraints if c.kind == at.COINCIDENT]
    slides = [c for c in constraints if c.kind == at.LINE]
    while (c := next((c for c in pins + slides if (c.i.body in known) != (c.j.body in known)), None)) is not None:
        fixed, loose = (c.i, c.j) if c.i.body in known else (c.j, c.i)
        q[loose.body, :2] = _place(q, fixed) - _turned(q[loose.body, 2], loose.x, loose.y)
        known.add(loose.body)
    return q


def _turn(q: Floats, angles: Sequence[Constraint], ground: int) -> None:
    """Angles that a slide or a drive gives, outwards from the ground."""
    known, rest = {ground}, list(angles)
    while (c := next((c for c in rest if c.i.body in known or c.j.body in known), None)) is not None:
        rest.remove(c)
        if c.i.body in known:
            q[c.j.body, 2] = q[c.i.body, 2] + c.begins
        else:
            q[c.i.body, 2] = q[c.j.body, 2] - c.begins
        known |= {c.i.body, c.j.body}


def _turned(angle: float, x: float, y: float) -> Floats:
    return np.array([math.cos(angle) * x - math.sin(angle) * y, math.sin(angle) * x + math.cos(angle) * y])


def _place(q: Floats, end: End) -> Floats:
    return np.asarray(q[end.body, :2] + _turned(q[end.body, 2], end.x, end.y))
