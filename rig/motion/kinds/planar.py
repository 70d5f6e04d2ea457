"""A linkage that its user describes (model.mechanisms.planar): bodies by their state, joints as they are described."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from model.assembly.elements import End
from model.assembly.joints import clearance_prismatic, clearance_revolute, clearance_slot
from model.mechanisms.planar import Config
from rig.errors import ConfigError
from rig.motion.drawing import Coordinates
from rig.motion.parts import Floats, Guide, Motion, Outline, Pin, box, slider_ends, turned
from rig.motion.traced import Traced

CHANNELS: tuple[str, ...] = ()
LOOSE = (clearance_revolute.Config, clearance_prismatic.Config, clearance_slot.Config)
SAME = 1e-9
"""m: points of a body that are nearer to each other are one."""
SLIDER = 0.25
"""Shorter side of a slider, at least, as a share of the mechanism's size: it would be hidden by its pin."""


def coordinates(mechanism: Config) -> Coordinates:
    """Mass centre and angle of each body. Raises ConfigError for rods that give way."""
    _refuse_rods(mechanism)
    return tuple((f"{body.name}_{axis}", unit) for body in mechanism.bodies for axis, unit in (("x", "m"), ("y", "m"), ("angle", "rad")))


def motion(mechanism: Config, traced: Traced) -> Motion:
    """In the world's axes. Raises ConfigError for rods that give way."""
    _refuse_rods(mechanism)
    placed = _Placed(mechanism, traced)
    pins, guides, sliders = list[Pin](), list[Guide](), dict[int, tuple[clearance_prismatic.Config, int]]()
    journals = dict[tuple[int, float, float], int]()
    for joint in mechanism.joints:
        if not isinstance(joint, LOOSE) or (gap := mechanism.frame.gap(joint.clearance)) == 0.0:
            continue
        i, j = mechanism.frame.pair(joint.between)
        if isinstance(joint, clearance_revolute.Config):
            journals[j.body, j.x, j.y] = len(pins)
            pins.append(Pin(joint.name, gap, placed.at(j) - placed.at(i), placed.at(i)))
        elif isinstance(joint, clearance_prismatic.Config):
            sliders[j.body] = joint, len(guides)
            guides.append(_guide(joint, gap, placed, i, j))
        else:
            across, _ = placed.across(i, j, joint.direction)
            guides.append(Guide(joint.name, gap, across, across))
    bodies = [_outline(number, mechanism, placed, journals, sliders) for number in range(len(mechanism.bodies))]
    still = [np.array([[end.x, end.y]]) for end in placed.met(len(mechanism.bodies))]
    return Motion(traced.time, tuple(pins), tuple(guides), tuple(bodies), tuple(still))


def _refuse_rods(mechanism: Config) -> None:
    if mechanism.rods:
        raise ConfigError("no motion is drawn of a described linkage with rods that give way")


class _Placed:
    """Where the points of bodies are."""

    def __init__(self, mechanism: Config, traced: Traced) -> None:
        self._mechanism, self._count = mechanism, len(mechanism.bodies)
        self._q = np.concatenate([traced.state[:, : 3 * self._count], np.zeros((len(traced.time), 3))], axis=1)

    @property
    def size(self) -> float:
        """m: how far the bodies' mass centres are apart, at the most."""
        first = self._q[0, : 3 * self._count].reshape(-1, 3)[:, :2]
        return float(np.max(np.ptp(first, axis=0)))

    def angle(self, body: int) -> Floats:
        """(M,) rad."""
        return np.asarray(self._q[:, 3 * body + 2])

    def at(self, end: End) -> Floats:
        """(M, 2) m."""
        return np.asarray(self._q[:, 3 * end.body : 3 * end.body + 2] + turned(self.angle(end.body), end.x, end.y))

    def across(self, i: End, j: End, direction: float) -> tuple[Floats, Floats]:
        """How far j stands from the line through i (M,) m, and the angle of that line (M,)."""
        line = self.angle(i.body) + direction
        way = self.at(j) - self.at(i)
        return np.asarray(way[:, 1] * np.cos(line) - way[:, 0] * np.sin(line)), line

    def met(self, body: int) -> list[End]:
        """Points of a body at which something holds it, and those that have a name."""
        frame = self._mechanism.frame
        said = [one for joint in self._mechanism.joints for one in getattr(joint, "between", ())]
        names = (
            [] if body == self._count else [f"{self._mechanism.bodies[body].name}.{p.name}" for p in self._mechanism.bodies[body].points]
        )
        found = [end for one in (*said, *names) if (end := frame.end(one)).body == body]
        kept = list[End]()
        for end in found:
            if not any(math.hypot(end.x - other.x, end.y - other.y) < SAME for other in kept):
                kept.append(end)
        return kept


def _guide(joint: clearance_prismatic.Config, gap: float, placed: _Placed, i: End, j: End) -> Guide:
    across, line = placed.across(i, j, joint.direction)
    tilt = placed.angle(j.body) + joint.direction - joint.angle - line
    tilt = np.asarray((tilt + math.pi) % (2.0 * math.pi) - math.pi)
    return Guide(joint.name, gap, *slider_ends(across, tilt, joint.length, joint.height))


def _outline(
    body: int, mechanism: Config, placed: _Placed, journals: dict[tuple[int, float, float], int],
    sliders: dict[int, tuple[clearance_prismatic.Config, int]],
) -> Outline:  # fmt: skip
    name, ends = mechanism.bodies[body].name, placed.met(body)
    if body in sliders:
        joint, guide = sliders[body]
        middle, tilt = placed.at(mechanism.frame.pair(joint.between)[1]), placed.angle(body) + joint.direction - joint.angle
        larger = max(1.0, SLIDER * placed.size / min(joint.length, joint.height))
        return Outline(name, box(middle, tilt, larger * joint.length, larger * joint.height), loop=True, guide=guide)
    ordered = _in_order(ends)
    marks = tuple((k, journals[body, end.x, end.y]) for k, end in enumerate(ordered) if (body, end.x, end.y) in journals)
    return Outline(name, np.stack([placed.at(end) for end in ordered], axis=1), marks, loop=len(ordered) > 2)


def _in_order(ends: Sequence[End]) -> list[End]:
    """Round about their middle, so that lines between them do not cross."""
    if len(ends) < 3:
        return list(ends)
    x, y = (float(np.mean([getattr(end, axis) for end in ends])) for axis in ("x", "y"))
    return sorted(ends, key=lambda end: math.atan2(end.y - y, end.x - x))
