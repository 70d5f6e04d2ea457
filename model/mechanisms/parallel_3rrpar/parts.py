"""What the 3-RRPaR mechanism is made of: the keys of its geometry and of its bodies (chen2026, corrected)."""

from __future__ import annotations

from dataclasses import dataclass, field

ELBOWS = ("+x", "-x")
POINTS = ("m13", "r2", "centroid")


@dataclass(frozen=True)
class Variant:
    """What the paper leaves open."""

    a2x: float = field(default=0.1, metadata={"unit": "m", "doc": "x of motor 2; assumed"})
    elbow2: str = field(default="+x", metadata={"choices": ELBOWS, "doc": "side of arm 2; assumed"})
    point: str = field(default="m13", metadata={"choices": POINTS, "doc": "of the platform, that follows the path; assumed"})


@dataclass(frozen=True)
class Geometry:
    """Table 1 of the paper."""

    motor_offset: float = field(default=0.100, metadata={"unit": "m", "over": 0.0, "doc": "x_1"})
    pivot2_y: float = field(default=0.720, metadata={"unit": "m", "doc": "y_2"})
    pivot2_z: float = field(default=-0.600, metadata={"unit": "m", "doc": "-z_3"})
    arm_length: float = field(default=0.255, metadata={"unit": "m", "over": 0.0, "doc": "l_11"})
    short_length: float = field(default=0.105, metadata={"unit": "m", "over": 0.0, "doc": "l_sh"})
    joint_x: float = field(default=0.060, metadata={"unit": "m", "over": 0.0, "doc": "x_4"})
    joint_y: float = field(default=0.080, metadata={"unit": "m", "doc": "y_5"})


@dataclass(frozen=True)
class Body:
    """A rigid body: inertias about its mass centre, x along the body; an arm's axis is its y (1, 3) or z (2); assumed."""

    mass: float = field(metadata={"unit": "kg", "over": 0.0})
    jx: float = field(metadata={"unit": "kg*m^2", "over": 0.0})
    jy: float = field(metadata={"unit": "kg*m^2", "over": 0.0})
    jz: float = field(metadata={"unit": "kg*m^2", "over": 0.0})


@dataclass(frozen=True)
class Arm(Body):
    """Assumed: aluminium, 255 x 40 x 20 mm; mass centre in the middle."""

    mass: float = field(default=0.551, metadata={"unit": "kg", "over": 0.0})
    jx: float = field(default=9.18e-5, metadata={"unit": "kg*m^2", "over": 0.0})
    jy: float = field(default=3.004e-3, metadata={"unit": "kg*m^2", "over": 0.0})
    jz: float = field(default=3.059e-3, metadata={"unit": "kg*m^2", "over": 0.0})


@dataclass(frozen=True)
class Short(Body):
    """Assumed: aluminium, 105 x 20 x 20 mm, with bush; x along it, which is the driven axis."""

    mass: float = field(default=0.150, metadata={"unit": "kg", "over": 0.0})
    jx: float = field(default=1.00e-5, metadata={"unit": "kg*m^2", "over": 0.0})
    jy: float = field(default=1.428e-4, metadata={"unit": "kg*m^2", "over": 0.0})
    jz: float = field(default=1.428e-4, metadata={"unit": "kg*m^2", "over": 0.0})


@dataclass(frozen=True)
class Platform(Body):
    """Assumed: aluminium plate, three steel pins, sensor; axes X, Y, Z, mass centre in M13."""

    mass: float = field(default=1.0, metadata={"unit": "kg", "over": 0.0})
    jx: float = field(default=1.2e-3, metadata={"unit": "kg*m^2", "over": 0.0})
    jy: float = field(default=1.5e-3, metadata={"unit": "kg*m^2", "over": 0.0})
    jz: float = field(default=2.4e-3, metadata={"unit": "kg*m^2", "over": 0.0})


@dataclass(frozen=True)
class Bars:
    """A long bar: uniform, of square section (tables 1 and 3 of the paper)."""

    length: float = field(default=0.640, metadata={"unit": "m", "over": 0.0, "doc": "l_c"})
    width: float = field(default=0.016, metadata={"unit": "m", "over": 0.0})
    density: float = field(default=1700.0, metadata={"unit": "kg/m^3", "over": 0.0})
    youngs_modulus: float = field(default=116e9, metadata={"unit": "Pa", "over": 0.0, "doc": "flexible only"})
    poisson_ratio: float = field(default=0.3, metadata={"unit": "1", "at_least": 0.0, "below": 0.5, "doc": "flexible only; assumed"})

    @property
    def mass(self) -> float:
        """kg."""
        return self.density * self.width**2 * self.length

    @property
    def jx(self) -> float:
        """kg m^2, along the bar."""
        return self.mass * self.width**2 / 6.0

    @property
    def jy(self) -> float:
        """kg m^2, across the bar, about its middle."""
        return self.mass * (self.length**2 + self.width**2) / 12.0

    @property
    def jz(self) -> float:
        """The other one across."""
        return self.jy
