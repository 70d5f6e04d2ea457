"""Where a mechanism meets its rods: frames at their nodes, numbered after the ground, in the place of the rods as bodies.

A description is read with its rods as bodies behind the others, which is how they stand at the start. What that comes down to is then
carried over to the frames: an end on a rod becomes an end on the frame of its node.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from model.assembly import layout as at
from model.assembly.elements import Actuator, Constraint, Elements, End, Load, Rub, Spring, Touch
from model.assembly.rods.rod import Rod
from model.floats import Floats

USUAL = 1e-3  # 1: small but usual change of a slope


@dataclass(frozen=True)
class Rods:
    """The rods of a mechanism with so many `bodies`, which is the ground's number. Ends with a number of `rigid` are theirs as bodies."""

    rods: tuple[Rod, ...] = ()
    bodies: int = 0

    @cached_property
    def first(self) -> tuple[int, ...]:
        """Number of the first frame of each rod; of the one that there is not, behind the last."""
        counts = [len(rod.nodes) for rod in self.rods]
        return tuple(self.bodies + 1 + sum(counts[:n]) for n in range(len(counts) + 1))

    @property
    def frames(self) -> int:
        """How many there are."""
        return self.first[-1] - self.bodies - 1

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Where each rod's coordinates begin among all rods'; of the one that there is not, their number."""
        counts = [rod.beam.coordinates for rod in self.rods]
        return tuple(sum(counts[:n]) for n in range(len(counts) + 1))

    @property
    def coordinates(self) -> int:
        """Their number."""
        return self.places[-1]

    @property
    def own_states(self) -> int:
        """Coordinates, their rates, and an angle of each rod."""
        return 2 * self.coordinates + len(self.rods)

    def rod(self, frame: int) -> int:
        """Of which rod a frame is."""
        return max(n for n, first in enumerate(self.first[:-1]) if first <= frame)

    def holder(self, number: int) -> int:
        """A number for what moves as one: a body, or all frames of a rod."""
        return number if number <= self.bodies else self.first[self.rod(number)]

    def end(self, end: End) -> End:
        """The end on a frame, for one on a rod as a body. Raises ValueError for one that is at no node that can be met."""
        if not self.rods or end.body < self.bodies:
            return end
        number = end.body - self.bodies
        if number == len(self.rods):
            return replace(end, body=self.bodies)
        rod = self.rods[number]
        x = end.x + 0.5 * rod.length
        node = rod.node(x)
        if node is None or node not in rod.nodes:
            raise ValueError(
                f"rod {rod.name} cannot be met {x * 1e3:g} mm from its begin: it has no mass centre that would move with it; "
                f"expected one of {', '.join(point.name for point in rod.met)}, or give it a point at a node there"
            )
        return End(self.first[number] + rod.nodes.index(node), x - node * rod.length / rod.elements, end.y)

    def constraint(self, c: Constraint) -> Constraint:
        """Between frames."""
        return replace(c, i=self.end(c.i), j=self.end(c.j)) if self.rods else c

    def elements(self, part: Elements) -> Elements:
        """Between frames. Raises ValueError as `end`, and for a load that moves along a rod."""
        if not self.rods:
            return part
        touches = {id(touch): self._touch(touch) for touch in part.contacts}
        return Elements(
            tuple(self.constraint(c) for c in part.constraints), tuple(self.constraint(c) for c in part.closed), tuple(touches.values()),
            tuple(self._spring(one) for one in part.springs), tuple(self._load(one) for one in part.loads),
            tuple(self._actuator(one) for one in part.actuators), tuple(self._rub(rub, touches) for rub in part.rubs),
        )  # fmt: skip

    def _touch(self, touch: Touch) -> Touch:
        return replace(touch, i=self.end(touch.i), j=self.end(touch.j))

    def _spring(self, spring: Spring) -> Spring:
        return replace(spring, i=self.end(spring.i), j=self.end(spring.j))

    def _actuator(self, actuator: Actuator) -> Actuator:
        return replace(actuator, i=self.end(actuator.i), j=self.end(actuator.j))

    def _load(self, load: Load) -> Load:
        on = self.end(load.on)
        if load.way is not None and on.body > self.bodies:
            raise ValueError(f"on: rod {self.rods[self.rod(on.body)].name} gives way; a load moves along a body that does not")
        return replace(load, on=on)

    def _rub(self, rub: Rub, touches: dict[int, Touch]) -> Rub:
        pressed = self.constraint(rub.pressed) if isinstance(rub.pressed, Constraint) else tuple(touches[id(one)] for one in rub.pressed)
        return replace(rub, stuck=self.constraint(rub.stuck), pressed=pressed)

    def straight(self, q: Floats) -> Floats:
        """(q, e) of the bodies and the unstrained rods, for q (3 (bodies + rods),) with the rods as bodies."""
        laid = [q[: at.TRIPLE * self.bodies]]
        for rod, (x, y, angle) in zip(self.rods, self._as_bodies(q), strict=True):
            direction = np.array([np.cos(angle), np.sin(angle)])
            laid.append(rod.beam.straight(np.array([x, y]) - 0.5 * rod.length * direction, direction))
        return np.concatenate(laid)

    def turning(self, z: Floats, v: Floats) -> Floats:
        """Rates of z (q, e) where v (3 (bodies + rods),) has the rods move as bodies."""
        rates, e = [v[: at.TRIPLE * self.bodies]], z[at.TRIPLE * self.bodies :]
        for rod, first, end, (vx, vy, rate) in zip(self.rods, self.places, self.places[1:], self._as_bodies(v), strict=False):
            own = e[first:end]
            arm = 0.5 * rod.length * own[2:4] / np.hypot(*own[2:4])
            rates.append(rod.beam.turning(own, np.array([vx + rate * arm[1], vy - rate * arm[0]]), rate))
        return np.concatenate(rates)

    def angles(self, q: Floats) -> Floats:
        """Of the rods as bodies, rad."""
        return np.asarray(self._as_bodies(q)[:, 2])

    def _as_bodies(self, values: Floats) -> Floats:
        return values[at.TRIPLE * self.bodies :].reshape(len(self.rods), at.TRIPLE)

    def add_to_nodes(self, row: Floats, e: Floats, frame: int, triple: Floats) -> None:
        """Add to a row (coordinates,) of the Jacobian what a triple of it on a frame is for the coordinates, where these are e."""
        rod = self.rod(frame)
        place = self.places[rod] + 4 * self.rods[rod].nodes[frame - self.first[rod]]
        tx, ty = e[place + 2 : place + 4]
        couple = triple[2] / (tx * tx + ty * ty)
        row[place : place + 4] += [triple[0], triple[1], -couple * ty, couple * tx]

    def lengths(self, size: float) -> Floats:
        """What a coordinate of 1 is, where lengths are shares of a size (m); (coordinates,)."""
        return np.tile([size, size, 1.0, 1.0], self.coordinates // 4)

    @property
    def masses(self) -> Floats:
        """The diagonals of their mass matrices, (coordinates,)."""
        return np.concatenate([np.zeros(0), *(np.diag(rod.beam.mass_matrix()) for rod in self.rods)])

    def scale(self, length: float, speed: float) -> Floats:
        """Small but usual sizes of own states, for those of a length (m) and of a speed (m/s)."""
        found = [np.zeros(0)]
        for rod in self.rods:
            nodes = rod.elements + 1
            slopes = speed * USUAL / length
            found += [np.tile([length, length, USUAL, USUAL], nodes), np.tile([speed, speed, slopes, slopes], nodes), np.array([1.0])]
        return np.concatenate(found)

    def joined(self, e: Floats, rates: Floats, angles: Floats) -> Floats:
        """Own states from coordinates (coordinates,), their rates, and an angle of each rod."""
        parts = [np.zeros(0)]
        for n, (first, end) in enumerate(zip(self.places, self.places[1:], strict=False)):
            parts += [e[first:end], rates[first:end], angles[n : n + 1]]
        return np.concatenate(parts)

    def parted(self, own: Floats) -> tuple[Floats, Floats, Floats]:
        """(coordinates, rates, angles) from own states."""
        e, rates, angles, place = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)], 0
        for rod in self.rods:
            size = rod.beam.coordinates
            e.append(own[place : place + size])
            rates.append(own[place + size : place + 2 * size])
            angles.append(own[place + 2 * size : place + 2 * size + 1])
            place += 2 * size + 1
        return np.concatenate(e), np.concatenate(rates), np.concatenate(angles)
