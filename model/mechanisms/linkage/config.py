"""Linkage of three links in series with two clearance pins, in a servo-hydraulic frame (hu2016 section 2, its tables are lost).

All values are assumed unless marked; the equations and symbols are in model.mechanisms.linkage.kernel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from model.contact import laws
from model.mechanisms.with_clearance import WithClearance

if TYPE_CHECKING:
    from model.compiled.signatures import ContactLaw


@dataclass(frozen=True)
class Contact:
    """Contact of pin and bush: F = K delta^n (1 + a delta'/v0)."""

    law: str = field(default="hu_guo", metadata={"names": tuple(laws.LAWS)})
    restitution: float = field(default=0.7, metadata={"unit": "1", "over": 0.0, "at_most": 1.0})
    stiffness: float | None = field(default=None, metadata={"unit": "N/m^1.5", "over": 0.0, "doc": "K; none: Hertz, from pin and bush"})
    stiffness_scale: float = field(default=1.0, metadata={"unit": "1", "over": 0.0, "doc": "factor on K"})
    exponent: float = field(default=1.5, metadata={"unit": "1", "at_least": 1.0, "at_most": 3.0, "doc": "n (paper)"})
    approach_floor: float = field(default=1e-3, metadata={"unit": "m/s", "over": 0.0, "doc": "smallest v0"})
    youngs_modulus: float = field(default=207e9, metadata={"unit": "Pa", "over": 0.0, "doc": "of pin and bush (paper)"})
    poisson_ratio: float = field(default=0.3, metadata={"unit": "1", "at_least": 0.0, "below": 0.5, "doc": "(paper)"})

    def __post_init__(self) -> None:
        laws.check(self.law)
        if not 0.0 < self.restitution <= 1.0:
            raise ValueError(f"restitution: expected more than 0 and at most 1, got {self.restitution:g}")

    @property
    def damping(self) -> float:
        """a of the law."""
        return laws.damping(self.law, self.restitution)

    @property
    def force(self) -> ContactLaw:
        """The law, compiled."""
        return laws.find(self.law).force

    def hertz(self, inner: float, outer: float, gap: float) -> float:
        """K in N/m^n of a pin in a bush with these radii, m: the one given, or 4/3 E/(2 (1 - nu^2)) sqrt(R_pin R_bush/gap); scaled."""
        if self.stiffness is not None:
            return self.stiffness * self.stiffness_scale
        if gap == 0.0:
            return math.inf
        modulus = self.youngs_modulus / (2.0 * (1.0 - self.poisson_ratio**2))
        return 4.0 / 3.0 * modulus * math.sqrt(inner * outer / gap) * self.stiffness_scale


@dataclass(frozen=True)
class FlowLimit:
    """An open force source whose valve cannot follow: less `force` (v/`speed`)^8 while m3 moves with the commanded force."""

    force: float = field(default=50e3, metadata={"unit": "N", "at_least": 0.0})
    speed: float = field(default=0.2, metadata={"unit": "m/s", "over": 0.0})


@dataclass(frozen=True)
class Servo:
    """The frame's closed force loop: controller, valve, oil column, actuator. Spool as a share of its stroke."""

    proportional: float = field(default=2.5e-5, metadata={"unit": "1/N", "at_least": 0.0})
    integral: float = field(default=1e-4, metadata={"unit": "1/(N*s)", "at_least": 0.0})
    feed_forward: float = field(default=0.0, metadata={"unit": "s/N", "at_least": 0.0})
    integral_limit: float = field(default=0.2, metadata={"unit": "1", "at_least": 0.0})
    feedback_lowpass: float = field(default=1000.0, metadata={"unit": "Hz", "over": 0.0, "doc": "two-pole Butterworth on the load cell"})
    valve_frequency: float = field(default=150.0, metadata={"unit": "Hz", "over": 0.0})
    valve_damping: float = field(default=0.8, metadata={"unit": "1", "over": 0.0})
    spool_limit: float = field(default=1.0, metadata={"unit": "1", "over": 0.0})
    speed: float = field(default=0.2, metadata={"unit": "m/s", "over": 0.0, "doc": "without load, spool fully open"})
    supply_force: float = field(default=260e3, metadata={"unit": "N", "over": 0.0})
    oil_stiffness: float = field(default=2e8, metadata={"unit": "N/m", "over": 0.0})
    leakage: float = field(default=5e-8, metadata={"unit": "m/(s*N)", "at_least": 0.0})
    seal_damping: float = field(default=2000.0, metadata={"unit": "N*s/m", "at_least": 0.0})


@dataclass(frozen=True)
class Tracking:
    """How a measured stroke becomes m3's motion: a second-order low-pass, twice differentiable, that looks ahead to undo its delay.

    delay: how far the motion then lags behind the measured stroke; 0 needs 2 damping/(2 pi corner) s of input ahead (1.5 ms).
    """

    corner: float = field(default=150.0, metadata={"unit": "Hz", "over": 0.0})
    damping: float = field(default=math.sqrt(0.5), metadata={"unit": "1", "over": 0.0})
    delay: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0})

    @property
    def ahead(self) -> float:
        """How far ahead the input is read, s."""
        return max(0.0, self.damping / (math.pi * self.corner) - self.delay)


@dataclass(frozen=True)
class Config(WithClearance):
    """The specimen, its fixture and what moves its lower end."""

    CHANNELS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("transmitted_force", "N"),
        ("joint_a_force", "N"),
        ("joint_b_force", "N"),
        ("stroke", "m"),
        ("acceleration_1", "m/s^2"),
        ("acceleration_2", "m/s^2"),
        ("acceleration_3", "m/s^2"),
        ("actuator_force", "N"),
    )
    EXCESS: ClassVar[int | None] = len(CHANNELS)  # column of F_tr - F_cmd among the extremes that a Stepper gives
    CONTACT_NAMES: ClassVar[tuple[str, ...]] = ("joint_a tension", "joint_a compression", "joint_b tension", "joint_b compression")
    SOURCES: ClassVar[tuple[str, ...]] = ("command", "stroke", "actuator_force")
    EXTREMES: ClassVar[tuple[str, ...]] = tuple(name for name, unit in CHANNELS if unit == "N")

    load_source: str = field(default="servo", metadata={"choices": ("servo", "flow_limited", "ideal")})
    clearance: float = field(default=0.4e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "bush inner minus pin outer diameter (paper)"})
    gravity: float = field(default=0.0, metadata={"unit": "m/s^2", "doc": "along x, away from the fixture; the load cell is tared at rest"})
    friction: float = field(
        default=0.0, metadata={"unit": "1", "at_least": 0.0, "doc": "pins press along the chain, none slides: 0; see pin_friction"}
    )
    upper_mass: float = field(default=60.0, metadata={"unit": "kg", "over": 0.0, "doc": "m1: upper link, grip, load cell"})
    middle_mass: float = field(default=3.0, metadata={"unit": "kg", "over": 0.0, "doc": "m2"})
    lower_mass: float = field(default=60.0, metadata={"unit": "kg", "over": 0.0, "doc": "m3: lower link, grip, piston"})
    fixture_stiffness: float = field(default=1.5e8, metadata={"unit": "N/m", "over": 0.0})
    fixture_damping: float = field(default=1.2e4, metadata={"unit": "N*s/m", "at_least": 0.0})
    pin_radius: float = field(default=0.015, metadata={"unit": "m", "over": 0.0})
    joint_stiffness: float = field(default=2e9, metadata={"unit": "N/m", "over": 0.0, "doc": "of a joint without clearance"})
    joint_damping: float = field(default=0.05, metadata={"unit": "1", "at_least": 0.0, "doc": "ratio, on the upper mass"})
    pin_friction: float = field(
        default=0.0,
        metadata={"unit": "N", "at_least": 0.0, "doc": "dry, of each joint, against its links' motion: cheeks that rub (hu2016 names it)"},
    )
    pin_friction_whole_above: float = field(
        default=1e-4, metadata={"unit": "m/s", "over": 0.0, "doc": "speed of a joint's links from which on that is whole; assumed"}
    )
    contact: Contact = field(default_factory=Contact)
    flow_limit: FlowLimit = field(default_factory=FlowLimit)
    servo: Servo = field(default_factory=Servo)
    tracking: Tracking = field(default_factory=Tracking)

    def __post_init__(self) -> None:
        if self.load_source not in ("servo", "flow_limited", "ideal"):
            raise ValueError(f"load_source: expected one of servo, flow_limited, ideal; got {self.load_source!r}")
        for name in ("upper_mass", "middle_mass", "lower_mass", "pin_radius"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected more than 0, got {getattr(self, name):g}")
        if not 0.0 <= self.clearance < self.pin_radius:
            raise ValueError(
                f"clearance: expected at least 0 and less than the pin's radius, {self.pin_radius * 1e3:g} mm, "
                f"got {self.clearance * 1e3:g} mm; it is the bush's inner minus the pin's outer diameter"
            )
        if self.friction != 0.0:
            raise ValueError(
                f"friction: nothing slides by what presses it in the axial linkage; expected 0, or pin_friction in N; got {self.friction:g}"
            )

    @property
    def servo_loop(self) -> bool:
        """See `Mechanism`."""
        return self.load_source == "servo"


def contact_stiffness(config: Config) -> float:
    """K in N/m^n, of a pin in its bush."""
    return config.contact.hertz(config.pin_radius, config.pin_radius + 0.5 * config.clearance, 0.5 * config.clearance)
