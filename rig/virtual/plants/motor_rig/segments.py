"""A described mechanism whose rods are chains of rigid segments: a form of its own, which knows nothing of the model's beam elements.

Hencky's chain (1920): a rod of n links bends in n hinges, one in the middle of each piece h = L/n of it, with springs EI/h, so that the
first and the last segment are half as long as the others. Deflections and frequencies approach those of the bar with the square of h.
Along itself the chain gives way as its pins do, and not as the rod does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from model.assembly.description import Body, Place, Point
from model.assembly.elements import Part
from model.assembly.forces import torsion_spring
from model.assembly.joints import revolute
from model.assembly.rods.rod import BEGIN, Rod
from model.floats import Floats
from model.mechanisms.planar import config as planar

SAID = ("between", "body", "relative_to", "on")  # keys of joints, drives and forces that name bodies or points of them


def segmented(mechanism: planar.Config, links: int = 8) -> planar.Config:
    """The mechanism with each rod as a chain with so many hinges, straight at the start. Channels are the usual ones.

    Raises ValueError for fewer than 1, InconsistentStart and ModelError where the mechanism cannot be put together.
    """
    if links < 1:
        raise ValueError(f"links: expected at least 1, got {links}")
    if not mechanism.rods:
        return mechanism
    from model.mechanisms.planar.stepper import assemble  # compiled code, which who has no rods need not wait for

    placed = assemble(mechanism).placed.reshape(-1, 3)
    rigid = [_placed(body, at) for body, at in zip(mechanism.bodies, placed, strict=False)]
    chains = [_Chain(rod, links) for rod in mechanism.rods]
    return replace(
        mechanism,
        bodies=(*rigid, *(body for chain, at in zip(chains, placed[len(rigid) :], strict=True) for body in chain.bodies(at))),
        joints=(*(_renamed(part, chains) for part in mechanism.joints), *(joint for chain in chains for joint in chain.joints())),
        drives=tuple(_renamed(part, chains) for part in mechanism.drives),
        forces=(*(_renamed(part, chains) for part in mechanism.forces), *(spring for chain in chains for spring in chain.springs())),
        accelerometers=tuple(replace(one, on=_where(one.on, chains)) for one in mechanism.accelerometers),
        rods=(),
        outputs=(),
    )


def _placed(body: Body, at: Floats) -> Body:
    """The body where its mass centre stands at (x, y) and it is turned by the angle."""
    x, y, angle = at.tolist()
    cosine, sine = np.cos(angle), np.sin(angle)
    px, py = x - cosine * body.centre.x + sine * body.centre.y, y - sine * body.centre.x - cosine * body.centre.y
    return replace(body, x=float(px), y=float(py), angle=angle)


class _Chain:
    """A rod in segments, number k from ends[k] to ends[k + 1] of it, m."""

    def __init__(self, rod: Rod, links: int) -> None:
        self.rod, self._piece = rod, rod.length / links
        self.ends = [0.0, *((np.arange(links) + 0.5) * self._piece).tolist(), rod.length]
        self.names = [f"{rod.name}_{k}" for k in range(links + 1)]

    def where(self, point: str) -> tuple[str, str]:
        """Segment and name of a point of the rod, by which it is known there."""
        x = next(one.x for one in self.rod.met if one.name == point)
        segment = max(k for k in range(len(self.names)) if self.ends[k] <= x or k == 0)
        return self.names[segment], point

    def bodies(self, at: Floats) -> list[Body]:
        """The segments of the rod that stands at (x, y, angle) of its mass centre."""
        x, y, angle = at.tolist()
        along = np.array([np.cos(angle), np.sin(angle)])
        begin = np.array([x, y]) - 0.5 * self.rod.length * along
        found = []
        for k, name in enumerate(self.names):
            first, length = self.ends[k], self.ends[k + 1] - self.ends[k]
            mass = self.rod.mass * length / self.rod.length
            own = [Point(f"hinge_{n}", self.ends[n] - first) for n in (k, k + 1) if 0 < n < len(self.names)]
            own += [Point(one.name, one.x - first, one.y) for one in self.rod.met if self.where(one.name)[0] == name]
            px, py = (begin + first * along).tolist()
            found.append(Body(name, mass, mass * length**2 / 12.0, Place(0.5 * length), tuple(own), angle, px, py))
        return found

    def joints(self) -> list[Part]:
        """The hinges."""
        pairs = zip(self.names, self.names[1:], strict=False)
        return [revolute.Config(b, (f"{a}.hinge_{k}", f"{b}.hinge_{k}")) for k, (a, b) in enumerate(pairs, 1)]

    def springs(self) -> list[Part]:
        """Of the hinges."""
        stiffness = self.rod.youngs_modulus * self.rod.second_moment / self._piece
        pairs = zip(self.names, self.names[1:], strict=False)
        return [torsion_spring.Config(b, b, stiffness, self.rod.damping * stiffness, relative_to=a) for a, b in pairs]


def _where(said: str, chains: Sequence[_Chain]) -> str:
    """A point, or what stands for a body, that may be on a rod."""
    owner, dot, point = said.partition(".")
    chain = next((one for one in chains if one.rod.name == owner), None)
    if chain is None:
        return said
    segment, name = chain.where(BEGIN if point in ("", "origin") else point)
    return f"{segment}.{name}" if dot else segment


def _renamed(part: Part, chains: Sequence[_Chain]) -> Part:
    """With segments in the place of rods; where a body is asked for, the segment alone."""
    changed: dict[str, object] = {}
    for key in fields(part):  # type: ignore[arg-type]
        value = getattr(part, key.name)
        if key.name in SAID and isinstance(value, str):
            said = _where(value, chains)
            changed[key.name] = said if key.name == "on" else said.partition(".")[0]
        elif key.name in SAID and isinstance(value, tuple):
            changed[key.name] = tuple(_where(one, chains) for one in value)
    made: Part = replace(part, **changed)  # type: ignore[type-var]
    return made
