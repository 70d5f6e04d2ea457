"""3-RRPaR spatial parallel mechanism with clearance at two platform joints (chen2026, corrected).

Three legs of driven arm and parallelogram carry a platform that does not turn. Origin midway between motors 1 and 3, Z up.

| symbol | configuration |
|---|---|
| x_1 | geometry.motor_offset: motors 1 and 3 at (+-x_1, 0, 0), their axes along Y |
| A2x, y_2, z_3 | variant.a2x, geometry.pivot2_y, geometry.pivot2_z: motor 2, its axis along Z |
| l_11 | geometry.arm_length: pivot to the middle of the near short bar |
| l_sh | geometry.short_length: of the short bars, along the driven axis; distance of the two long bars |
| l_c | bars.length |
| x_4, y_5 | geometry.joint_x, geometry.joint_y: R1, R3 at (+-x_4, 0, 0), R2 at (0, y_5, 0) from M13, midway between R1 and R3 |
| R_s, R_t, c | bush_radius, R_s - c, clearance (radial; table 4 gives diameters), of one joint clearance_r1, clearance_r3 |
| c_f, v_s, v_D | friction, friction_none_below, friction_whole_above (table 2 has the speeds swapped) |

theta_i is the angle of arm i about +Y (1, 3) or +Z (2); torque on the arm has the same sign. Masses but those of the long bars are assumed.
The equations are in model.mechanisms.parallel_3rrpar.kinematics and parallel_3rrpar_kernel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from model.contact.laws import LAWS
from model.errors import ModelError
from model.floats import Floats
from model.mechanisms.linkage import config as linkage
from model.mechanisms.parallel_3rrpar.parts import ELBOWS, POINTS, Arm, Bars, Geometry, Platform, Short, Variant
from model.mechanisms.with_clearance import WithClearance
from model.paths.course import Course

WIDE = 0.1  # of the bush's radius: a clearance of which a word is said
CLEARANCES = ("clearance", "clearance_r1", "clearance_r3")
POSITIVE = (
    ("geometry", ("motor_offset", "arm_length", "short_length", "joint_x")),
    ("arm", ("mass", "jx", "jy", "jz")),
    ("short", ("mass", "jx", "jy", "jz")),
    ("bars", ("length", "width", "density", "youngs_modulus")),
    ("platform", ("mass", "jx", "jy", "jz")),
)


@dataclass(frozen=True)
class Contact(linkage.Contact):
    """Contact of pin and bush, F = K delta^n (1 + a delta'/v0), K by eq 3."""

    law: str = field(default="lankarani_nikravesh", metadata={"names": tuple(LAWS)})
    restitution: float = field(default=0.9, metadata={"unit": "1", "over": 0.0, "at_most": 1.0, "doc": "c_e (paper)"})


@dataclass(frozen=True)
class Config(WithClearance):
    """The bodies and the two joints with clearance."""

    CHANNELS: ClassVar[tuple[tuple[str, str], ...]] = (
        *((name, "m") for name in ("x", "y", "z")),
        *((name, "m/s") for name in ("vx", "vy", "vz")),
        *((name, "m/s^2") for name in ("ax", "ay", "az")),
        *((f"theta{leg}", "rad") for leg in (1, 2, 3)),
        *((f"torque{leg}", "N*m") for leg in (1, 2, 3)),
        *((f"r{leg}_force", "N") for leg in (1, 3)),
        *((f"r{leg}_eccentricity_{axis}", "m") for leg in (1, 3) for axis in ("x", "y", "z")),
    )
    COURSE: ClassVar[str] = "s"  # the path's own time
    DRIVES: ClassVar[tuple[tuple[str, str], ...]] = (("axis1", "rad"), ("axis2", "rad"), ("axis3", "rad"))
    DRIVEN: ClassVar[tuple[str, ...]] = ("command",)
    WEIGHS: ClassVar[bool] = True
    EXTREMES: ClassVar[tuple[str, ...]] = ("ax", "ay", "az", "torque1", "torque2", "torque3", "r1_force", "r3_force")
    CONTACT_NAMES: ClassVar[tuple[str, ...]] = ("r1", "r3")
    FOLLOWS_PATH: ClassVar[bool] = True  # its drives follow a Cartesian path, [trajectory] path = ...

    clearance: float = field(default=0.1e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "at R1 and R3, radial; 0: ideal"})
    clearance_r1: float | None = field(default=None, metadata={"unit": "m", "at_least": 0.0, "doc": "at R1, if another one"})
    clearance_r3: float | None = field(default=None, metadata={"unit": "m", "at_least": 0.0, "doc": "at R3, if another one"})
    bush_radius: float = field(default=7.5e-3, metadata={"unit": "m", "over": 0.0, "doc": "R_s (table 4)"})
    friction: float = field(default=0.05, metadata={"unit": "1", "at_least": 0.0, "doc": "c_f, of pin and bush"})
    friction_none_below: float = field(default=1e-6, metadata={"unit": "m/s", "at_least": 0.0, "doc": "v_s, sliding speed"})
    friction_whole_above: float = field(default=1e-4, metadata={"unit": "m/s", "over": 0.0, "doc": "v_D, sliding speed"})
    gravity: float = field(default=9.81, metadata={"unit": "m/s^2", "doc": "against Z"})
    condition_limit: float = field(default=50.0, metadata={"unit": "1", "over": 1.0, "doc": "of dP/dtheta along a path; assumed"})
    joint_speed_limit: float = field(default=10.0, metadata={"unit": "rad/s", "over": 0.0, "doc": "of an arm; assumed"})
    variant: Variant = field(default_factory=Variant)
    geometry: Geometry = field(default_factory=Geometry)
    arm: Arm = field(default_factory=Arm)
    short: Short = field(default_factory=Short)
    bars: Bars = field(default_factory=Bars)
    platform: Platform = field(default_factory=Platform)
    contact: Contact = field(default_factory=Contact)

    def __post_init__(self) -> None:
        check(self)

    @property
    def clearances(self) -> tuple[float, float]:
        """Of R1 and R3, m."""
        both = (self.clearance_r1, self.clearance_r3)
        return tuple(self.clearance if own is None else own for own in both)  # type: ignore[return-value]

    @property
    def ideal(self) -> bool:
        """No clearance at all."""
        return max(self.clearances) == 0.0

    def shown_weight(self, values: Floats) -> dict[str, Floats]:
        """What gravity adds to what an accelerometer on the platform shows, m/s^2: of each channel of acceleration (k,), for output samples
        `values` (k, channels). The platform does not turn. One at rest shows what holds it up."""
        none = np.zeros(len(values))
        return {"ax": none, "ay": none, "az": none + self.gravity}

    def setpoints(self, s: Floats, path: Course | None = None) -> tuple[Floats, Floats]:
        """(theta_i in rad (N, 3), their derivatives by s, rad/s) where the path's own time is s (N,), s; see model.mechanisms.mechanism.

        path: model.paths. Raises ModelError without one, and for a place that cannot be reached.
        """
        from model.mechanisms.parallel_3rrpar.kinematics import motion_along

        if path is None:
            raise ModelError("3-RRPaR: its drives follow a path, and there is none; give one, [trajectory] path = ...")
        moving = motion_along(self, *path.evaluate(np.asarray(s, dtype=np.float64)))
        return np.unwrap(moving.theta, axis=0), moving.theta_rate


def check(config: Config) -> None:
    """Raise ValueError for what cannot be built; names the quantity."""
    _check_numbers(config)
    for name in CLEARANCES:
        clearance = getattr(config, name)
        if clearance is not None and not 0.0 <= clearance < config.bush_radius:
            raise ValueError(
                f"{name}: expected at least 0 and less than the bush's radius, {config.bush_radius * 1e3:g} mm; "
                f"got {clearance * 1e3:g} mm; it is radial, the bush's minus the pin's radius"
            )
    if not config.friction_none_below < config.friction_whole_above:
        raise ValueError(
            f"friction_none_below: expected less than friction_whole_above, {config.friction_whole_above:g} m/s; "
            f"got {config.friction_none_below:g} m/s"
        )
    for name, choices in (("elbow2", ELBOWS), ("point", POINTS)):
        if getattr(config.variant, name) not in choices:
            raise ValueError(f"variant.{name}: expected one of {', '.join(choices)}; got {getattr(config.variant, name)!r}")
    if not 0.0 <= config.bars.poisson_ratio < 0.5:
        raise ValueError(f"bars.poisson_ratio: expected at least 0 and less than 0.5, got {config.bars.poisson_ratio:g}")


def _check_numbers(config: Config) -> None:
    for part, names in (("", ("bush_radius", "friction_whole_above", "condition_limit", "joint_speed_limit")), *POSITIVE):
        for name in names:
            value = getattr(getattr(config, part) if part else config, name)
            if not 0.0 < value < math.inf:
                raise ValueError(f"{part + '.' if part else ''}{name}: expected more than 0 and finite, got {value:g}")
    for name in ("friction", "friction_none_below"):
        if not 0.0 <= getattr(config, name) < math.inf:
            raise ValueError(f"{name}: expected at least 0, got {getattr(config, name):g}")
    places = [("geometry.pivot2_y", config.geometry.pivot2_y), ("geometry.pivot2_z", config.geometry.pivot2_z)]
    places += [("geometry.joint_y", config.geometry.joint_y), ("variant.a2x", config.variant.a2x), ("gravity", config.gravity)]
    for name, value in places:
        if not math.isfinite(value):
            raise ValueError(f"{name}: expected a finite number, got {value:g}")


def contact_stiffness(config: Config, pin: int = 0) -> float:
    """K in N/m^n of R1 (pin 0) or R3: the one given, or eq 3, 4/(3 (sigma_s + sigma_t)) sqrt(R_s R_t/(R_s - R_t)); scaled.

    Infinite for an ideal joint.
    """
    contact, clearance = config.contact, config.clearances[pin]
    if contact.stiffness is not None:
        return float(contact.stiffness * contact.stiffness_scale)
    if clearance == 0.0:
        return math.inf
    compliance = 2.0 * (1.0 - contact.poisson_ratio**2) / contact.youngs_modulus
    roundness = math.sqrt(config.bush_radius * (config.bush_radius - clearance) / clearance)
    return float(4.0 / (3.0 * compliance) * roundness * contact.stiffness_scale)


def remarks_of(config: Config) -> tuple[str, ...]:
    """What its user should know of the configuration."""
    widest = max(config.clearances)
    share = widest / config.bush_radius
    if share <= WIDE:
        return ()
    return (
        f"mechanism.clearance: {widest * 1e3:g} mm is {share:.0%} of the bush's radius, which leaves a pin of "
        f"{(config.bush_radius - widest) * 1e3:g} mm; it is radial, half of what a table of diameters has",
    )
