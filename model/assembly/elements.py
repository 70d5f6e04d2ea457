"""What joints, drives and forces come down to: constraints, contacts, springs and loads between bodies that are numbers by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

from numpy.typing import ArrayLike

from model.assembly import layout as at
from model.assembly.description import CENTRE, GROUND, ORIGIN, Body, Contact, Point
from model.assembly.functions.function import Function


@dataclass(frozen=True)
class End:
    """A point of a body: the body's number (the ground's is the last), x and y from its mass centre in its own axes, m."""

    body: int
    x: float
    y: float


@dataclass(frozen=True)
class Constraint:
    """One of those of model.assembly.constraints and rolling; e by its kind (model.assembly.layout)."""

    kind: int
    i: End
    j: End
    said: str
    e: tuple[float, float] = (0.0, 0.0)
    value: float = 0.0
    rate: float = 0.0
    drives: bool = False
    sticks: bool = False
    """It holds the speed and not the place, and not always: what dry friction does while it sticks."""
    functions: tuple[Function, ...] = ()
    """Of time, of a drive; x and y of a curve; distance of a face by its angle."""
    as_it_stands: bool = False
    """Its value is what it is at the start, however that comes out."""
    drift: tuple[float, float] = (0.0, 0.0)
    """Rate that its rows have at the start, m/s: of a journal in its bearing."""
    apart: float | None = None
    """How far its points are from each other, m, as other joints have to hold them."""

    @property
    def moves(self) -> bool:
        """Whether it goes on by itself."""
        return self.drives and (self.rate != 0.0 or bool(self.functions))

    @property
    def begins(self) -> float:
        """Where it is at the start."""
        return self.value + (self.functions[0](0.0)[0] if self.drives and self.functions else 0.0)

    @property
    def rows(self) -> int:
        """How many equations it is."""
        return 2 if self.kind == at.COINCIDENT else 1

    def row_names(self) -> list[str]:
        """How each of them is called."""
        return [f"{self.said} (x)", f"{self.said} (y)"] if self.kind == at.COINCIDENT else [self.said]


@dataclass(frozen=True)
class Touch:
    """A contact. law: stiffness, exponent, damping; floor of the approach speed, m/s.

    columns: what else the table of contacts holds of it: its kind's own columns (model.assembly.layout).
    """

    i: End
    j: End
    said: str
    kind: float
    law: tuple[float, float, float]
    floor: float
    columns: dict[int, ArrayLike]
    functions: tuple[Function, ...] = ()
    """x and y of a cam's curve, or the distance of a face by its angle."""


Curve = tuple[tuple[float, float], ...]
"""Points, straight between them and beyond the last ones."""


@dataclass(frozen=True)
class Spring:
    """Pulls its points together, or turns its bodies back, by preload + stiffness * (way - length) + damping * rate.

    In N and m, or N m and rad.

    way: at.APART, TURNED or ALONG e, a direction in body i. side: 1 where it acts only when longer, and pulls only, -1 the other way.
    curve: instead of the stiffness, force by the way beyond the length; by_rate: by the rate. given: it pulls by minus what samples say.
    """

    i: End
    j: End
    stiffness: float
    damping: float
    length: float
    way: int = at.APART
    e: tuple[float, float] = (1.0, 0.0)
    preload: float = 0.0
    side: int = 0
    curve: Curve = ()
    by_rate: bool = False
    given: bool = False

    @property
    def steepest(self) -> float:
        """Stiffness that steps have to bear."""
        slopes = (abs((f - e) / (b - a)) for (a, e), (b, f) in pairwise(self.curve) if not self.by_rate)
        return max([self.stiffness, *slopes])


@dataclass(frozen=True)
class Load:
    """N and N m; curve: a factor over time, s, or instead of it `factor`.

    way: how far the point has gone along a direction in its body, m. turns: the force turns with the body.
    """

    on: End
    force: tuple[float, float]
    torque: float
    curve: Curve = ()
    factor: Function | None = None
    way: Function | None = None
    along: tuple[float, float] = (1.0, 0.0)
    turns: bool = False


@dataclass(frozen=True)
class OwnState:
    """A state beside those of the bodies: how its channel is called, unit, value at the start, small but usual size."""

    name: str
    unit: str
    start: float
    usual: float


@dataclass(frozen=True)
class Actuator:
    """A motor by its equations (model.assembly.actuating). fastest: of its own states, 1/s, which steps have to bear."""

    i: End
    j: End
    kind: int
    parameters: Mapping[int, float]
    function: Function | None = None
    own: tuple[OwnState, ...] = ()
    fastest: float = 0.0


@dataclass(frozen=True)
class Rub:
    """Dry friction in a joint or contact: along the row `stuck`, by the force of `pressed`, of contacts that follow each other.

    Sliding it is coefficient * arm * that force, sticking at most static * arm * that force; arm 1 for N, in m for N m.
    """

    stuck: Constraint
    pressed: Constraint | tuple[Touch, ...]
    coefficient: float
    static: float
    arm: float = 1.0
    whole: float = 0.0
    """Where drives say how it slides: the speed of the row (m/s or rad/s) above which friction is whole."""


def at_rest(sliding: float, static: float | None) -> float:
    """Coefficient of friction at rest. Raises ValueError for one that is less than that of sliding."""
    if static is not None and static < sliding:
        raise ValueError(f"static_friction: expected at least friction, {sliding:g}, got {static:g}")
    return sliding if static is None else static


@dataclass(frozen=True)
class Elements:
    """What one joint, drive or force contributes. `closed`: what a joint with clearance is where it is to be without it; `near`: what a
    force that holds bodies together would be if it did not give way."""

    constraints: tuple[Constraint, ...] = ()
    closed: tuple[Constraint, ...] = ()
    contacts: tuple[Touch, ...] = ()
    springs: tuple[Spring, ...] = ()
    loads: tuple[Load, ...] = ()
    actuators: tuple[Actuator, ...] = ()
    rubs: tuple[Rub, ...] = ()
    near: tuple[Constraint, ...] = ()


def curve_of(points: Sequence[tuple[float, float]], key: str) -> Curve:
    """The points, whose first values have to rise. Raises ValueError."""
    if len(points) == 1 or len(points) > at.MOST_POINTS:
        raise ValueError(f"{key}: expected 2 to {at.MOST_POINTS} points, got {len(points)}")
    for (before, _), (after, _) in pairwise(points):
        if not before < after:
            raise ValueError(f"{key}: expected points whose first value rises, got {after:g} after {before:g}")
    return tuple(points)


class Part(Protocol):
    """A joint, drive or force as it is described: its keys."""

    @property
    def name(self) -> str: ...
    def elements(self, frame: Frame) -> Elements: ...


@dataclass(frozen=True)
class Frame:
    """What joints, drives and forces are described against. Look-ups raise ValueError with what there is."""

    bodies: tuple[Body, ...]
    ground: tuple[Point, ...]
    joints: Mapping[str, Part] = field(default_factory=dict)
    clearance: float | None = None
    contact: Contact = field(default_factory=Contact)
    friction: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """Coefficient, sliding speed below which there is none, and above which it is whole (model.friction.velocity_window)."""
    rods: int = 0
    """How many of the bodies, the last ones, are rods that give way."""

    def rubbing(self, own: float | None) -> tuple[float, float, float]:
        """Friction's parameters with a joint's own coefficient, if it has one."""
        return self.friction if own is None else (own, *self.friction[1:])

    def gap(self, own: float | None) -> float:
        """A joint's own clearance, or the mechanism's."""
        clearance = self.clearance if own is None else own
        if clearance is None:
            raise ValueError("clearance: missing; give it here or as mechanism.clearance")
        return clearance

    def body(self, name: str) -> int:
        """Number of a body."""
        names = [*(body.name for body in self.bodies), GROUND]
        if name not in names:
            raise ValueError(f"there is no body {name!r}; there are {', '.join(names)}")
        return names.index(name)

    def section(self, said: str) -> End:
        """What turns as a body does: its mass centre; of a rod its origin, or the point that "rod.point" means."""
        name = said.partition(".")[0]
        names = [body.name for body in self.bodies]
        if name in names[len(names) - self.rods :]:
            return self.end(said if "." in said else f"{said}.{ORIGIN}")
        return End(self.body(said), 0.0, 0.0)

    def end(self, said: str) -> End:
        """The point that "body.point" means; every body has `origin` and `centre` without saying so."""
        owner, dot, name = said.partition(".")
        if not dot:
            raise ValueError(f'expected "BODY.POINT" such as "{GROUND}.{ORIGIN}", got {said!r}')
        number = self.body(owner)
        points = self.ground if number == len(self.bodies) else self.bodies[number].points
        centre = self.bodies[number].centre if number < len(self.bodies) else Point(CENTRE)
        known = {ORIGIN: (0.0, 0.0), CENTRE: (centre.x, centre.y), **{point.name: (point.x, point.y) for point in points}}
        if name not in known:
            raise ValueError(f"{owner} has no point {name!r}; it has {', '.join(known)}")
        return End(number, known[name][0] - centre.x, known[name][1] - centre.y)

    def moving(self, said: str) -> End:
        """The same of a body that is not the ground."""
        on = self.end(said)
        if on.body == len(self.bodies):
            raise ValueError(f"on: expected a point of a body that moves, got {said!r}")
        return on

    def pair(self, between: tuple[str, ...]) -> tuple[End, End]:
        """Both ends of a joint or spring."""
        if len(between) != 2:
            what = "give the point of the other body, too" if len(between) == 1 else "give one point of each body"
            got = f"{len(between)} ({', '.join(between)})" if between else "none"
            raise ValueError(f'between: expected two points such as ["{GROUND}.{ORIGIN}", "crank.A"], got {got}; {what}')
        i, j = self.end(between[0]), self.end(between[1])
        if i.body == j.body:
            raise ValueError(f"between: {between[0]} and {between[1]} are points of the same body")
        return i, j


def turned(frame: Frame, relative_to: str, body: str) -> tuple[End, End]:
    """Two bodies, the second of which turns against the first. Raises ValueError."""
    i, j = frame.section(relative_to), frame.section(body)
    if i.body == j.body or j.body == len(frame.bodies):
        raise ValueError(f"body: expected a body that {relative_to} does not carry with it, got {body!r}")
    return i, j
