"""A uniform rod that gives way, as a file describes it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from model.assembly.description import ORIGIN, Body, Place, Point
from model.bodies.ancf_beam2d.beam import Beam

BEGIN, END = "begin", "end"  # points that every rod has without saying so
MOST_ELEMENTS = 60  # explicit steps shrink with the square of their number
ON_NODE = 1e-6  # of an element's length: how far beside a node a point may stand


@dataclass(frozen=True)
class Rod:
    """Uniform and straight without load, along x of its axes from its `begin` (their origin) to its `end`: planar ANCF elements.

    Joints, springs, loads and accelerometers meet it at begin, end, and points at nodes between elements, and turn with the section there.
    Where a body is asked for it is the section at its begin; "ROD.POINT" that at a point. Angle, x, y, velocities: as of a body.
    """

    name: str
    length: float = field(metadata={"unit": "m", "over": 0.0})
    mass: float = field(metadata={"unit": "kg", "over": 0.0})
    youngs_modulus: float = field(metadata={"unit": "Pa", "over": 0.0})
    area: float = field(metadata={"unit": "m^2", "over": 0.0, "doc": "of the section"})
    second_moment: float = field(metadata={"unit": "m^4", "over": 0.0, "doc": "of area of the section, where it bends"})
    elements: int = field(default=4, metadata={"at_least": 1, "doc": "with a node at each end of each"})
    damping: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0, "doc": "Kelvin-Voigt time constant"})
    points: tuple[Point, ...] = field(default=(), metadata={"doc": "at nodes; y: beside the axis, on an arm that does not give way"})
    angle: float = field(default=0.0, metadata={"unit": "rad"})
    x: float | None = field(default=None, metadata={"unit": "m"})
    y: float | None = field(default=None, metadata={"unit": "m"})
    vx: float | None = field(default=None, metadata={"unit": "m/s", "doc": "of the mass centre"})
    vy: float | None = field(default=None, metadata={"unit": "m/s"})
    angular_velocity: float | None = field(default=None, metadata={"unit": "rad/s"})

    def __post_init__(self) -> None:
        for key, unit in (("area", "m^2"), ("second_moment", "m^4"), ("length", "m")):
            if not 0.0 < getattr(self, key) < math.inf:
                raise ValueError(f"{key}: rod {self.name}: expected more than 0 {unit} and finite, got {getattr(self, key):g} {unit}")
        if not 1 <= self.elements <= MOST_ELEMENTS:
            raise ValueError(
                f"elements: rod {self.name}: expected 1 to {MOST_ELEMENTS}, got {self.elements}: steps shrink with the square of their "
                "number, so that the work grows with its cube"
            )
        try:
            self.beam  # noqa: B018  refuses what cannot be built
        except ValueError as error:
            key, _, said = str(error).partition(": ")
            raise ValueError(f"{key}: rod {self.name}: {said}") from None
        self.body  # noqa: B018
        for point in self.points:
            if self.node(point.x) is None:
                every = self.length / self.elements
                raise ValueError(
                    f"points: rod {self.name}: point {point.name} at {point.x * 1e3:g} mm is at no node; these stand every "
                    f"{every * 1e3:.6g} mm with {self.elements} elements; move it there, or change their number"
                )

    @property
    def beam(self) -> Beam:
        """The rod as a beam."""
        density = self.mass / (self.area * self.length)
        return Beam(self.length, self.mass, density, self.youngs_modulus, self.elements, self.damping, self.second_moment)

    @property
    def body(self) -> Body:
        """The rod as a body that does not give way: at the start it is one."""
        return Body(
            self.name, self.mass, self.mass * self.length**2 / 12.0, Place(0.5 * self.length),
            (Point(BEGIN), Point(END, self.length), *self.points), self.angle, self.x, self.y, self.vx, self.vy, self.angular_velocity,
        )  # fmt: skip

    def node(self, x: float) -> int | None:
        """Number of the node at x (m), if there is one."""
        place = x * self.elements / self.length
        number = round(place)
        return number if abs(place - number) <= ON_NODE and 0 <= number <= self.elements else None

    @property
    def nodes(self) -> tuple[int, ...]:
        """Those that can be met, from begin to end."""
        inner = (self.node(point.x) for point in self.points)
        return tuple(sorted({0, self.elements, *(node for node in inner if node is not None)}))

    @property
    def met(self) -> tuple[Point, ...]:
        """Points at which it can be met, with a name for each."""
        return tuple(point for point in self.body.points if point.name != ORIGIN)
