"""Slider-crank with clearance in one pin and in the guide, rigid rod, crank of constant speed (wang2017).

| symbol | configuration |
|---|---|
| theta | angle of the crank from the direction in which the slider moves, 0 at t = 0; led by samples, the sample |
| phi | angle of the rod, from crank pin to slider pin |
| r, l, s | crank.length, rod.length, rod.centre (mass centre from the crank pin) |
| m_2 m_3 m_4, J_2 J_3 J_4 | masses and central inertias of crank, rod, slider |
| R_j, c | journal_radius, clearance (radial; bearing R_i = R_j + c in the rod, journal on the slider or on the crank) |
| L, W, a | slider.length, slider.height, guide_half_perimeter |

Values are the paper's (tables 1 and 2), but those marked assumed. A clearance of 0 is an ideal joint, without friction. Pins and slider's
mass centre are in line with the guide's middle. The equations are in model.mechanisms.slider_crank.kernel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from model.contact.laws import LAWS
from model.floats import Floats
from model.joints import translational
from model.mechanisms.linkage import config as linkage
from model.mechanisms.with_clearance import WithClearance
from model.paths.course import Course
from model.stepping.crushing import Joint

REVOLUTIONS = 2  # of a simulation, unless a duration is given


@dataclass(frozen=True)
class Contact(linkage.Contact):
    """Contact of journal and bearing, F = K delta^n (1 + a delta'/v0), K by eq 11; modulus and Poisson's ratio are the guide's too."""

    law: str = field(default="lankarani_nikravesh", metadata={"names": tuple(LAWS)})
    restitution: float = field(default=0.9, metadata={"unit": "1", "over": 0.0, "at_most": 1.0, "doc": "c_e; assumed"})


@dataclass(frozen=True)
class Crank:
    """Body 2."""

    length: float = field(default=0.050, metadata={"unit": "m", "over": 0.0})
    mass: float = field(default=0.30, metadata={"unit": "kg", "over": 0.0, "doc": "mass centre in the middle"})
    inertia: float = field(
        default=1.0e-4, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about its mass centre; takes no torque at constant speed"}
    )


@dataclass(frozen=True)
class Rod:
    """Body 3, rigid."""

    length: float = field(default=0.120, metadata={"unit": "m", "over": 0.0})
    mass: float = field(default=0.21, metadata={"unit": "kg", "over": 0.0})
    inertia: float = field(default=2.5e-4, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about its mass centre"})
    centre: float = field(default=0.060, metadata={"unit": "m", "doc": "mass centre from the crank pin; assumed: in the middle"})


@dataclass(frozen=True)
class Slider:
    """Body 4."""

    length: float = field(default=5.0e-3, metadata={"unit": "m", "over": 0.0})
    height: float = field(default=8.0e-3, metadata={"unit": "m", "over": 0.0})
    mass: float = field(default=0.14, metadata={"unit": "kg", "over": 0.0})
    inertia: float = field(default=2.5e-4, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "about its mass centre"})


@dataclass(frozen=True)
class Config(WithClearance):
    """The bodies, the joints, the crank's drive."""

    CHANNELS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("crank_angle", "rad"),
        ("crank_torque", "N*m"),
        ("slider_position", "m"),
        ("slider_velocity", "m/s"),
        ("joint_penetration", "m"),
        ("joint_force", "N"),
        ("guide_force", "N"),
        ("slider_acceleration", "m/s^2"),
    )
    COURSE: ClassVar[str] = "rad"  # how far the crank has turned
    DRIVES: ClassVar[tuple[tuple[str, str], ...]] = (("crank", "rad"),)
    DRIVEN: ClassVar[tuple[str, ...]] = ("command", "crank_angle")
    WEIGHS: ClassVar[bool] = True
    EXTREMES: ClassVar[tuple[str, ...]] = ("crank_torque", "joint_penetration", "joint_force", "guide_force", "slider_acceleration")
    CONTACT_NAMES: ClassVar[tuple[str, ...]] = ("joint", *(f"guide, {corner} corner" for corner in translational.CORNER_NAMES))

    speed: float = field(default=5000.0 * math.pi / 30.0, metadata={"unit": "rad/s", "over": 0.0, "doc": "of the crank: 5000 r/min"})
    clearance_joint: str = field(default="rod_slider", metadata={"choices": ("rod_slider", "crank_rod"), "doc": "assumed"})
    clearance: float = field(default=0.05e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "of that pin, radial; 0: ideal"})
    guide_clearance: float = field(default=0.05e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "each side of the slider; 0: ideal"})
    journal_radius: float = field(default=0.010, metadata={"unit": "m", "over": 0.0})
    guide_half_perimeter: float = field(default=0.013, metadata={"unit": "m", "over": 0.0, "doc": "a of eq 26; assumed: L + W"})
    guide_damping: float = field(default=0.0, metadata={"unit": "s/m", "at_least": 0.0, "doc": "N = K_s d (1 + this * d'); assumed: none"})
    friction: float = field(default=0.03, metadata={"unit": "1", "at_least": 0.0, "doc": "in joints with clearance; assumed"})
    friction_none_below: float = field(default=1e-3, metadata={"unit": "m/s", "at_least": 0.0, "doc": "v_0, sliding speed; assumed"})
    friction_whole_above: float = field(default=1e-2, metadata={"unit": "m/s", "over": 0.0, "doc": "v_1, sliding speed; assumed"})
    gravity: float = field(default=0.0, metadata={"unit": "m/s^2", "doc": "across the guide; assumed: none"})
    crank: Crank = field(default_factory=Crank)
    rod: Rod = field(default_factory=Rod)
    slider: Slider = field(default_factory=Slider)
    contact: Contact = field(default_factory=Contact)

    def __post_init__(self) -> None:
        check(self)

    def shown_weight(self, values: Floats) -> dict[str, Floats]:
        """What gravity adds to what an accelerometer on the slider shows, m/s^2: nothing (k,), since it acts across the guide."""
        return {"slider_acceleration": np.zeros(len(values))}

    def own_duration(self) -> float:
        """Of a simulation, s, unless one is given."""
        return REVOLUTIONS * 2.0 * math.pi / self.speed

    def felt_inertia(self, courses: Floats) -> Floats:
        """(N, 1) kg m^2 where the crank has turned by `courses` (N,), rad: of crank, rod and slider, without clearance; see
        model.mechanisms.mechanism."""
        r, length, centre = self.crank.length, self.rod.length, self.rod.centre
        first, second = np.cos(courses), np.sin(courses)
        sine = -r / length * second
        cosine = np.sqrt(1.0 - sine**2)
        rate = -r / length * first / cosine  # phi' / theta'
        along, across = -r * second - centre * rate * sine, r * first + centre * rate * cosine
        slider = -r * second - length * rate * sine
        own = self.crank.inertia + self.crank.mass * (0.5 * r) ** 2 + self.rod.inertia * rate**2
        return np.asarray(own + self.rod.mass * (along**2 + across**2) + self.slider.mass * slider**2)[:, None]

    def setpoints(self, s: Floats, path: Course | None = None) -> tuple[Floats, Floats]:
        """(crank angle (N, 1) in rad, 1 (N, 1)) where the crank has turned by s (N,), rad; see model.mechanisms.mechanism."""
        angle = np.asarray(s, dtype=np.float64)[:, None]
        return angle.copy(), np.ones_like(angle)


def check(config: Config) -> None:
    """Raise ValueError for what cannot be built or cannot turn; names the quantity."""
    if config.clearance_joint not in ("rod_slider", "crank_rod"):
        raise ValueError(f"clearance_joint: expected rod_slider or crank_rod; got {config.clearance_joint!r}")
    _positive(config, "", ("speed", "journal_radius", "guide_half_perimeter", "friction_whole_above"))
    for part, names in (("crank", ("length", "mass", "inertia")), ("slider", ("length", "height", "mass", "inertia"))):
        _positive(getattr(config, part), f"{part}.", names)
    _positive(config.rod, "rod.", ("length", "mass", "inertia"))
    for name in ("guide_clearance", "guide_damping", "friction", "friction_none_below"):
        if not 0.0 <= getattr(config, name) < math.inf:
            raise ValueError(f"{name}: expected at least 0, got {getattr(config, name):g}")
    if not math.isfinite(config.gravity):
        raise ValueError(f"gravity: expected a finite number, got {config.gravity:g}")
    if not 0.0 <= config.clearance < config.journal_radius:
        raise ValueError(
            f"clearance: expected at least 0 and less than the journal's radius, {config.journal_radius * 1e3:g} mm; "
            f"got {config.clearance * 1e3:g} mm; it is radial, the bearing's minus the journal's radius"
        )
    translational.refuse_overturning("guide_clearance", config.guide_clearance, config.slider.length, config.slider.height)
    if not config.friction_none_below < config.friction_whole_above:
        raise ValueError(
            f"friction_none_below: expected less than friction_whole_above, {config.friction_whole_above:g} m/s; "
            f"got {config.friction_none_below:g} m/s"
        )
    _refuse_open(config)


def _positive(part: object, prefix: str, names: tuple[str, ...]) -> None:
    for name in names:
        if not 0.0 < getattr(part, name) < math.inf:
            raise ValueError(f"{prefix}{name}: expected more than 0, got {getattr(part, name):g}")


def _refuse_open(config: Config) -> None:
    """Raise ValueError unless the crank turns all round, wherever the pin is in its bearing and the slider in its guide."""
    slack = config.clearance + config.guide_clearance
    if config.rod.length <= config.crank.length + slack:
        what = "is in a dead point" if abs(config.rod.length - config.crank.length) <= slack else "cannot close"
        raise ValueError(
            f"rod.length: expected more than the crank's length and the clearances, {(config.crank.length + slack) * 1e3:g} mm; "
            f"got {config.rod.length * 1e3:g} mm: the linkage {what} at crank angle 90 deg; choose a longer rod"
        )


def contact_stiffness(config: Config) -> float:
    """K in N/m^n: the one given, or eq 11, 4/(3 (h_i + h_j)) sqrt(R_i R_j/(R_i - R_j)); scaled. Infinite for an ideal joint."""
    contact = config.contact
    if contact.stiffness is not None:
        return float(contact.stiffness * contact.stiffness_scale)
    if config.clearance == 0.0:
        return math.inf
    bearing = config.journal_radius + config.clearance
    roundness = math.sqrt(bearing * config.journal_radius / config.clearance)
    return float(4.0 / (3.0 * compliance(config)) * roundness * contact.stiffness_scale)


def guide_stiffness(config: Config) -> float:
    """K_s, N/m, of a corner on its face."""
    return translational.stiffness(config.guide_half_perimeter, compliance(config))


def joint(config: Config) -> Joint | None:
    """The pin with clearance, if there is one."""
    if config.clearance == 0.0:
        return None
    column = [name for name, _ in config.CHANNELS].index("joint_penetration")
    return Joint(f"pin with clearance ({config.clearance_joint})", config.journal_radius + config.clearance, column)


def compliance(config: Config) -> float:
    """h_i + h_j of eq 12, 1/Pa."""
    return float(2.0 * (1.0 - config.contact.poisson_ratio**2) / config.contact.youngs_modulus)
