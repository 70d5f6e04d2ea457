"""A planar mechanism whose drives samples lead: its parameters, and how it stands where the first sample has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from model.assembly import layout as at
from model.assembly.description import Body
from model.assembly.elements import Constraint
from model.assembly.start import positions, velocities
from model.assembly.system import System, assembled
from model.compiled.signatures import ContactLaw
from model.errors import InconsistentStart, ModelError
from model.floats import Floats
from model.mechanisms.planar.balance import Balance
from model.mechanisms.planar.config import LedDrive
from model.mechanisms.planar.resting import STILL, settle
from model.stepping import inputs

PIECE = 0.1  # rad, or share of the mechanism's size: how far the drives go at once on the way to the first sample
STEPS, PER_STEP = 1_000_000, 0.3  # in which it comes to rest; of the longest stable step
FIRST = 100_000  # of them: after so many the balance of forces is solved, which takes no longer where something is stiff
FINER = (1.0, 10.0, 100.0)  # by so much shorter are steps taken where a load presses contacts harder than the longest one bears
ROUNDS = 2  # what constraints are off by after the first, some 1e-10 m, is worth newtons in a contact
RESTED = 1e-3  # of the acceleration that the loads alone would give: what may be left
NEVER = 0.01  # s: a step where nothing is elastic


def parameters(system: System, drives: Sequence[LedDrive], longest: float) -> Floats:
    """p of the kernel with the course in the place of time; longest: step, s.

    The accelerations follow the second derivative of the cubic through the samples, which jumps from one to the next. What that leaves
    is taken back as fast as the steps can, so that the drives are where the samples have them, however slow the description is.
    """
    p, ratios = system.p.copy(), {drive.row.said: drive.ratio for drive in drives}
    k = int(p[at.AT_CONSTRAINTS])
    for constraint in system.constraints:
        if constraint.drives:
            p[k + at.VALUE], p[k + at.FUNCTION] = constraint.begins, 0.0
            p[k + at.RATE] = ratios.get(constraint.said, 0.0)
        k += at.CONSTRAINT_COLUMNS
    p[at.LED], p[at.STABILISATION] = 1.0, 1.0 / longest
    return p


@dataclass(frozen=True)
class Rest:
    """How it stands at the first sample. `bodies`: then the rods as such; `closed`: the constraints between all of these, every joint
    without its clearance; `q`: (3 bodies,) there, where the course is 0; `step`: the longest stable one, s."""

    bodies: Sequence[Body]
    closed: Sequence[Constraint]
    near: Sequence[Constraint]
    drives: Sequence[LedDrive]
    system: System
    q: Floats
    size: float
    step: float
    law: ContactLaw
    parameters: Floats
    pushed: bool = False
    """The samples are a force or torque: it is where the course is 0, and rests under the first of them."""

    def state(self, samples: Floats, rate: float) -> tuple[Floats, Floats]:
        """(y, s) at the first of the samples: as weight and springs have it at rest there, moving with the samples if they move.

        Raises InconsistentStart where the linkage cannot close, or finds no rest.
        """
        course, speed = (0.0, 0.0) if self.pushed else inputs.course(inputs.window(0.0, rate, samples[:4]), 0.0)[:2]
        (q, near), rods = self._closed(course), self.system.rods
        window = inputs.window(-1.0, rate, np.full(8, samples[0] if self.pushed else course))
        for finer in FINER:
            y, s, left = self._settled(q, near, course, window, PER_STEP * min(self.step, NEVER) / finer)
            if left <= RESTED:
                break
        else:
            raise InconsistentStart(
                f"start: the linkage finds no rest where its drives {'push' if self.pushed else 'stand'}; "
                "give what is free a weight, a spring or a stop to lie against"
            )
        masses = np.array([[body.mass, body.mass, body.inertia] for body in self.bodies]).ravel()
        z, v = self.system.parted(y)[0], velocities(self._at(course, speed), q, np.zeros_like(q), masses)
        if not rods.rods:
            return self.system.renewed(y, z, v), s
        return self.system.renewed(y, z, velocities(self._own(course, speed), z, rods.turning(z, v), self.system.masses)), s

    def _settled(self, q: Floats, near: Sequence[Constraint], course: float, window: Floats, step: float) -> tuple[Floats, Floats, float]:
        """(y, s, what is left of the acceleration) once it has come to rest from q in steps of that length, s.

        near: bushings that are not strained in q.
        """
        z = self.system.rods.straight(q)
        still = np.zeros_like(z)
        y = self.system.joined(z, still, np.zeros(0), self.system.rods.angles(q))
        s, p = self.system.s.copy(), self.parameters.copy()
        p[at.RUBS] = 0.0  # what would stick on the way holds it where it need not be
        left = 0.0
        held, stiff = self._own(course, 0.0), self._own(course, 0.0, near)
        for _ in range(ROUNDS):
            y = self.system.renewed(y, positions(held, self.system.parted(y)[0], self.size), still)
            begin, contacts = y.copy(), s.copy()
            left = self._relaxed(y, p, s, window, step, FIRST)
            if not left <= STILL:
                balance = Balance(self.system, (stiff, held) if near else (held,), self.size, p, window, self.law)
                found, touching, unbalanced = balance.rest(begin, contacts, step)
                if not left <= unbalanced:
                    y, s, left = found, touching, unbalanced
            if not left <= RESTED:
                left = self._relaxed(y, p, s, window, step, STEPS - FIRST)
            if not left <= RESTED:
                break
        return y, s, left

    def _relaxed(self, y: Floats, p: Floats, s: Floats, window: Floats, step: float, steps: int) -> float:
        """What is left of the acceleration after so many steps; y and s follow."""
        guards = int(p[at.CONTACTS]) + 1
        return float(settle(y, np.zeros_like(y), np.zeros(guards), np.zeros(guards), p, s, window, step, steps, self.law))

    def _closed(self, course: float) -> tuple[Floats, list[Constraint]]:
        """(q (3 bodies,) without clearance where the course is, followed from where it is 0; the bushings that do not give way there, as
        many as can be)."""
        farthest = (
            max(abs(drive.ratio) * (1.0 if drive.unit == "rad" else 1.0 / self.size) for drive in self.drives) if self.drives else 0.0
        )
        parts = np.linspace(0.0, course, 1 + max(1, math.ceil(abs(course) * farthest / PIECE)))[1:]
        near: list[Constraint] = []
        q = self._followed(parts, near)
        for bushing in self.near:  # of those that are strained from the outset not all can be closed
            try:
                q = self._followed(parts, (*near, bushing))
            except ModelError:  # nor any that leaves the drives nothing to move
                continue
            near.append(bushing)
        return q, near

    def _followed(self, courses: Floats, near: Sequence[Constraint]) -> Floats:
        """q (3 bodies,) at the last of the courses, by way of the others."""
        q = self.q
        for course in courses:
            q = positions(self._at(float(course), 0.0, near), q, self.size)
        return q

    def _at(self, course: float, speed: float, near: Sequence[Constraint] = ()) -> System:
        """The constraints without clearance there."""
        ratios = {drive.row.said: drive.ratio for drive in self.drives}
        return assembled(self.bodies, [_moved(c, ratios.get(c.said, 0.0), course, speed) for c in (*self.closed, *near)])

    def _own(self, course: float, speed: float, near: Sequence[Constraint] = ()) -> System:
        """The constraints there; joints have their clearance, rods give way, bushings other than `near` too."""
        ratios, rods = {drive.row.said: drive.ratio for drive in self.drives}, self.system.rods
        held = [_moved(c, ratios.get(c.said, 0.0), course, speed) for c in self.system.constraints]
        held += [rods.constraint(c) for c in near]
        return assembled(self.bodies[: rods.bodies], held, rods=rods)


def _moved(constraint: Constraint, ratio: float, course: float, speed: float) -> Constraint:
    if not constraint.drives:
        return replace(constraint, drift=(0.0, 0.0))  # a test begins at rest
    return replace(constraint, value=constraint.begins + ratio * course, rate=ratio * speed, functions=())
