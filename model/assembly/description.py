"""What a planar mechanism is made of, as a file describes it: places, bodies, how two surfaces touch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from model.contact import laws

if TYPE_CHECKING:
    from model.compiled.signatures import ContactLaw

GROUND = "ground"
ORIGIN, CENTRE = "origin", "centre"  # points that every body has without saying so


@dataclass(frozen=True)
class Place:
    """A place in a body's own axes."""

    x: float = field(default=0.0, metadata={"unit": "m"})
    y: float = field(default=0.0, metadata={"unit": "m"})


@dataclass(frozen=True)
class Point:
    """A named place in a body's own axes."""

    name: str
    x: float = field(default=0.0, metadata={"unit": "m"})
    y: float = field(default=0.0, metadata={"unit": "m"})


@dataclass(frozen=True)
class Body:
    """A rigid body. Angle, x, y (of its axes' origin) are those at the start, about: the joints correct them.

    x, y: none: from the joints, along the chain from the ground. A place or angle far from where the joints put the body is told.
    Velocities at the start have to be such as drives and joints (without their clearance) allow; none: what follows from them.
    """

    name: str
    mass: float = field(metadata={"unit": "kg", "over": 0.0})
    inertia: float = field(metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about the mass centre"})
    centre: Place = field(default_factory=Place, metadata={"doc": "mass centre"})
    points: tuple[Point, ...] = ()
    angle: float | None = field(default=None, metadata={"unit": "rad", "doc": "none: about 0, or as the joints have it"})
    x: float | None = field(default=None, metadata={"unit": "m"})
    y: float | None = field(default=None, metadata={"unit": "m"})
    vx: float | None = field(default=None, metadata={"unit": "m/s", "doc": "of the mass centre"})
    vy: float | None = field(default=None, metadata={"unit": "m/s"})
    angular_velocity: float | None = field(default=None, metadata={"unit": "rad/s"})

    def __post_init__(self) -> None:
        for key, unit in (("mass", "kg"), ("inertia", "kg m^2")):
            if not 0.0 < getattr(self, key) < math.inf:
                raise ValueError(f"{key}: body {self.name}: expected more than 0 {unit}, got {getattr(self, key):g}")
        if (self.x is None) != (self.y is None):
            raise ValueError(f"{'x' if self.x is None else 'y'}: body {self.name}: missing; give both x and y, or neither")
        if self.name == GROUND:
            raise ValueError(f"name: a body cannot be called {GROUND}, which does not move; its points stand in `ground`")
        known = [point.name for point in self.points]
        for name in known:
            if known.count(name) > 1 or name in (ORIGIN, CENTRE):
                raise ValueError(f"points: body {self.name} has the point {name} already")


@dataclass(frozen=True)
class Accelerometer:
    """On a point of a body, along a direction that the body carries."""

    name: str
    on: str = field(metadata={"doc": '"BODY.POINT"'})
    direction: float = field(default=0.0, metadata={"unit": "rad", "doc": "in the body's axes"})


@dataclass(frozen=True)
class Contact:
    """Contact of journal and bearing: F = K delta^n (1 + a delta'/v0). All assumed unless the file says so."""

    law: str = field(default="lankarani_nikravesh", metadata={"names": tuple(laws.LAWS)})
    restitution: float = field(default=0.9, metadata={"unit": "1", "over": 0.0, "at_most": 1.0})
    stiffness: float | None = field(default=None, metadata={"unit": "N/m^1.5", "over": 0.0, "doc": "K; none: Hertz, from the radii"})
    stiffness_scale: float = field(default=1.0, metadata={"unit": "1", "over": 0.0, "doc": "factor on K"})
    exponent: float = field(default=1.5, metadata={"unit": "1", "at_least": 1.0, "at_most": 3.0, "doc": "n"})
    approach_floor: float = field(default=1e-3, metadata={"unit": "m/s", "over": 0.0, "doc": "smallest v0"})
    youngs_modulus: float = field(default=207e9, metadata={"unit": "Pa", "over": 0.0, "doc": "of both surfaces"})
    poisson_ratio: float = field(default=0.3, metadata={"unit": "1", "at_least": 0.0, "below": 0.5})

    def __post_init__(self) -> None:
        laws.check(self.law)
        if not 0.0 < self.restitution <= 1.0:
            raise ValueError(f"restitution: expected more than 0 and at most 1, got {self.restitution:g}")

    @property
    def force(self) -> ContactLaw:
        """The law, compiled."""
        return laws.find(self.law).force

    def hertz(self, bearing: float, journal: float) -> float:
        """K in N/m^1.5 of a journal in a bearing with these radii, m: 4/3 E/(2 (1 - nu^2)) sqrt(R_i R_j/(R_i - R_j)), scaled."""
        return self.on_flat(bearing * journal / (bearing - journal))

    def on_flat(self, radius: float) -> float:
        """The same of a ball of that radius on a flat wall, or of what is curved as much together."""
        if self.stiffness is not None:
            return self.stiffness * self.stiffness_scale
        modulus = self.youngs_modulus / (2.0 * (1.0 - self.poisson_ratio**2))
        return 4.0 / 3.0 * modulus * math.sqrt(radius) * self.stiffness_scale
