"""What the description says of the start beside what joints and drives allow: velocities have to agree, places far off are told.

A velocity that is given is kept; those that are not follow with the least kinetic energy in what differs from rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from model.assembly.description import Body
from model.assembly.elements import Part
from model.assembly.rank import DEPENDENT
from model.assembly.start import velocities
from model.assembly.system import System
from model.errors import InconsistentStart
from model.floats import Floats

ROUNDED = 1e-3  # of the fastest speed: what a number in a file may be off
EXACT = 1e-9  # of the speeds: what is left of a rate where it is met
FAR, TURNED = 0.1, 0.5  # share of the mechanism's size, rad: a place that is no longer about the one given
QUANTITIES = (("vx", "m/s"), ("vy", "m/s"), ("angular_velocity", "rad/s"))


def given_velocities(system: System, q: Floats, bodies: Sequence[Body], size: float) -> Floats:
    """v (3 bodies,) at q (3 bodies,) with Phi' = 0. size: of the mechanism, m.

    Raises InconsistentStart for velocities that joints and drives do not allow, naming the one that is farthest off and the nearest that is
    allowed; ModelError as `model.assembly.start.velocities`.
    """
    given = np.array([[getattr(body, name) for name, _ in QUANTITIES] for body in bodies], dtype=np.float64).ravel()  # None: nan
    masses = np.array([[body.mass, body.mass, body.inertia] for body in bodies]).ravel()
    known = np.isfinite(given)
    guess = np.where(known, given, 0.0)
    nearest = velocities(system, q, guess, masses)
    kept = _kept(system, q, guess, known, masses)
    if kept is not None:
        return kept
    lengths = np.tile([1.0, 1.0, size], len(bodies))
    off = np.where(known, np.abs(nearest - guess) * lengths, 0.0)
    worst = int(np.argmax(off))
    if off[worst] <= ROUNDED * np.max(np.abs(nearest) * lengths):
        return nearest
    body, (name, unit) = bodies[worst // 3].name, QUANTITIES[worst % 3]
    raise InconsistentStart(
        f"bodies.{body}.{name}: at the start body {body} cannot have {guess[worst]:g} {unit}: joints and drives allow "
        f"{round(nearest[worst], 9) + 0.0:.6g} {unit}, "
        "or nothing nearer to the velocities that are given; leave it out, or give what they allow"
    )


def _kept(system: System, q: Floats, guess: Floats, known: NDArray[np.bool_], masses: Floats) -> Floats | None:
    """v with those that are known as they are and the others as they must be; None where that cannot be."""
    rate, jacobian = system.violated(0.0, q, guess)[1:]
    if not len(rate):
        return guess
    v, root = guess.copy(), np.sqrt(masses[~known])
    v[~known] += np.linalg.lstsq(jacobian[:, ~known] / root, -rate, rcond=DEPENDENT)[0] / root
    left = system.violated(0.0, q, v)[1]
    return v if np.max(np.abs(left)) <= EXACT * (1.0 + np.max(np.abs(rate))) else None


def far_places(q: Floats, bodies: Sequence[Body], size: float) -> tuple[str, ...]:
    """A remark for every body that the joints have put far from where it was said to stand; size: of the mechanism, m."""
    said = []
    for body, (x, y, angle) in zip(bodies, q.reshape(-1, 3).tolist(), strict=True):
        cosine, sine = math.cos(angle), math.sin(angle)
        x, y = x - cosine * body.centre.x + sine * body.centre.y, y - sine * body.centre.x - cosine * body.centre.y
        if body.x is not None and body.y is not None and math.hypot(x - body.x, y - body.y) > FAR * size:
            stands, wanted = (
                f"({round(1e3 * px, 4) + 0.0:.4g}, {round(1e3 * py, 4) + 0.0:.4g}) mm" for px, py in ((x, y), (body.x, body.y))
            )
            said.append(f"bodies.{body.name}: the joints put it at {stands}, far from {wanted}, where it was to stand about")
        if body.angle is not None and abs(math.remainder(angle - body.angle, 2.0 * math.pi)) > TURNED:
            stands, wanted = (f"{math.degrees(one):.4g} deg" for one in (math.remainder(angle, 2.0 * math.pi), body.angle))
            said.append(f"bodies.{body.name}.angle: the joints turn it to {stands}, far from {wanted}, at which it was to stand about")
    return tuple(said)


def unheld(bodies: Sequence[Body], parts: Sequence[Part]) -> tuple[str, ...]:
    """A remark for every body of which no joint, drive or force speaks, by its name or by one of its points, where they speak of others."""
    words = {word.partition(".")[0] for part in parts for word in _words(part)}
    return tuple(
        f"bodies.{body.name}: no joint, drive or force holds it; it goes as it was given, and falls where there is gravity"
        for body in bodies
        if parts and body.name not in words
    )


def _words(part: Part) -> Iterator[str]:
    for key in fields(cast("Any", part)):
        value = getattr(part, key.name)
        yield from (word for word in (value if isinstance(value, tuple) else (value,)) if isinstance(word, str))
