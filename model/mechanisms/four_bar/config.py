"""Four-bar with a clearance between coupler and rocker and a crank of constant speed (zhang1995).

| symbol | configuration |
|---|---|
| l1 l2 l3 l4 | crank_length AB, coupler_length BC, rocker_length CD, ground_length AD |
| theta1 theta2 theta3 | angles of the links A to B, B to C, C to D from the direction A to D; C lies to the left of the way from B to D |
| l_S2 l_S3 | coupler_centre from B, rocker_centre from C |
| J_2B J_3D | coupler_inertia about B, rocker_inertia about D |
| R_c | clearance, radial |

Values marked (paper) are those of its section 2; J is printed as 884 kg mm^2 there, which is about the mass centres: about the pivots it
is 884 + 0.4 * 80^2 = 3444 kg mm^2. The equations are in model.separation and model.mechanisms.four_bar.kernel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from model.contact.laws import LAWS
from model.floats import Floats
from model.mechanisms.linkage import config as linkage
from model.mechanisms.with_clearance import WithClearance
from model.paths.course import Course

REVOLUTIONS = 2  # of a simulation, unless a duration is given
MARGIN = 1e-9  # how near to a dead point counts as one, share of the links' lengths


@dataclass(frozen=True)
class Contact(linkage.Contact):
    """Contact of journal and bearing: F = K delta^n (1 + a delta'/v0). Steel; the paper treats the contact as rigid, so all is assumed."""

    law: str = field(default="lankarani_nikravesh", metadata={"names": tuple(LAWS)})
    restitution: float = field(default=0.9, metadata={"unit": "1", "over": 0.0, "at_most": 1.0})


@dataclass(frozen=True)
class Config(WithClearance):
    """The links, the joint with clearance, the crank's drive."""

    CHANNELS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("crank_angle", "rad"),
        ("coupler_angle", "rad"),
        ("rocker_angle", "rad"),
        ("joint_force", "N"),
        ("joint_force_angle", "rad"),
        ("in_contact", "1"),
        ("acceleration", "m/s^2"),
    )
    COURSE: ClassVar[str] = "rad"  # how far the crank has turned from `start_angle`
    DRIVES: ClassVar[tuple[tuple[str, str], ...]] = (("crank", "rad"),)
    DRIVEN: ClassVar[tuple[str, ...]] = ("command", "crank_angle")
    """Samples that the crank may follow: how far it has turned from `start_angle`, rad. Without any it turns at constant speed."""
    WEIGHS: ClassVar[bool] = True
    EXTREMES: ClassVar[tuple[str, ...]] = ("joint_force", "acceleration")

    crank_length: float = field(default=0.050, metadata={"unit": "m", "over": 0.0, "doc": "l1 (paper)"})
    coupler_length: float = field(default=0.160, metadata={"unit": "m", "over": 0.0, "doc": "l2 (paper)"})
    rocker_length: float = field(default=0.160, metadata={"unit": "m", "over": 0.0, "doc": "l3 (paper)"})
    ground_length: float = field(default=0.200, metadata={"unit": "m", "over": 0.0, "doc": "l4 (paper)"})
    coupler_mass: float = field(default=0.4, metadata={"unit": "kg", "over": 0.0, "doc": "m2 (paper)"})
    rocker_mass: float = field(default=0.4, metadata={"unit": "kg", "over": 0.0, "doc": "m3 (paper)"})
    coupler_centre: float = field(default=0.080, metadata={"unit": "m", "doc": "l_S2: mass centre from B towards C (paper)"})
    rocker_centre: float = field(default=0.080, metadata={"unit": "m", "doc": "l_S3: mass centre from C towards D (paper)"})
    coupler_inertia: float = field(default=3444e-6, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "J_2B, about B (paper, corrected)"})
    rocker_inertia: float = field(default=3444e-6, metadata={"unit": "kg*m^2", "over": 0.0, "doc": "J_3D, about D (paper, corrected)"})
    gravity: float = field(default=9.81, metadata={"unit": "m/s^2", "doc": "across AD, away from C; 0: the linkage moves in a level plane"})
    clearance: float = field(
        default=0.1e-3, metadata={"unit": "m", "at_least": 0.0, "doc": "R_c, bearing's minus journal's radius (paper)"}
    )
    speed: float = field(default=10.0 * math.pi, metadata={"unit": "rad/s", "over": 0.0, "doc": "of the crank (paper: 300 r/min)"})
    start_angle: float = field(
        default=math.radians(240.0), metadata={"unit": "rad", "doc": "theta1 at t = 0; assumed: the joint is in smooth contact there"}
    )
    bearing_radius: float = field(default=0.010, metadata={"unit": "m", "over": 0.0, "doc": "of the coupler's bush; assumed"})
    friction: float = field(default=0.0, metadata={"unit": "1", "at_least": 0.0, "doc": "coefficient in the joint (paper: none)"})
    friction_none_below: float = field(default=1e-4, metadata={"unit": "m/s", "at_least": 0.0, "doc": "sliding speed; assumed"})
    friction_whole_above: float = field(default=1e-3, metadata={"unit": "m/s", "over": 0.0, "doc": "sliding speed; assumed"})
    contact: Contact = field(default_factory=Contact)

    def __post_init__(self) -> None:
        for name in (
            "crank_length", "coupler_length", "rocker_length", "ground_length", "coupler_mass", "rocker_mass",
            "coupler_inertia", "rocker_inertia", "speed", "bearing_radius",
        ):  # fmt: skip
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected more than 0, got {getattr(self, name):g}")
        for name in ("coupler_centre", "rocker_centre", "gravity", "start_angle"):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"{name}: expected a finite number, got {getattr(self, name):g}")
        if not 0.0 <= self.clearance < self.bearing_radius:
            raise ValueError(
                f"clearance: expected at least 0 and less than the bearing's radius, {self.bearing_radius * 1e3:g} mm, "
                f"got {self.clearance * 1e3:g} mm; it is radial, the bearing's minus the journal's radius"
            )
        if not 0.0 <= self.friction < math.inf:
            raise ValueError(f"friction: expected at least 0, got {self.friction:g}")
        if not 0.0 <= self.friction_none_below < self.friction_whole_above:
            raise ValueError(
                f"friction_none_below: expected at least 0 and less than friction_whole_above, {self.friction_whole_above:g} m/s; "
                f"got {self.friction_none_below:g} m/s"
            )
        _refuse_open(self)

    def event(self, guard: int, noted: float) -> tuple[str, str, float | None] | None:
        """(kind, where, approach speed in m/s) of a Stepper's event; its only noted guard is the joint's."""
        return ("contact_start", "coupler-rocker joint", noted) if noted > 0.0 else ("contact_end", "coupler-rocker joint", None)

    def shown_weight(self, values: Floats) -> dict[str, Floats]:
        """What gravity adds to what an accelerometer shows, m/s^2: of each channel of acceleration (k,), for output samples `values`
        (k, channels). One at rest shows what holds it up."""
        return {"acceleration": self.gravity * np.cos(values[:, 1])}

    def own_duration(self) -> float:
        """Of a simulation, s, unless one is given."""
        return REVOLUTIONS * 2.0 * math.pi / self.speed

    def felt_inertia(self, courses: Floats) -> Floats:
        """(N, 1) kg m^2 where the crank has turned by `courses` (N,), rad: of coupler and rocker, without clearance; the crank's own is
        not in this model. See model.mechanisms.mechanism."""
        from model.mechanisms.four_bar.ideal import ideal

        theta = self.start_angle + np.asarray(courses, dtype=np.float64)
        found = ideal(self, theta, 2, (np.ones_like(theta), np.zeros_like(theta)))
        coupler, rocker = found.theta2.derivative(1), found.theta3.derivative(1)
        across = np.cos(theta - found.theta2.value)  # of B's motion to the coupler
        middle = self.crank_length**2 + (self.coupler_centre * coupler) ** 2
        middle += 2.0 * self.crank_length * self.coupler_centre * coupler * across
        own = (self.coupler_inertia - self.coupler_mass * self.coupler_centre**2) * coupler**2 + self.rocker_inertia * rocker**2
        return np.asarray(self.coupler_mass * middle + own)[:, None]

    def setpoints(self, s: Floats, path: Course | None = None) -> tuple[Floats, Floats]:
        """(theta1 (N, 1) in rad, 1 (N, 1)) where the crank has turned by s (N,), rad; see model.mechanisms.mechanism."""
        turned = np.asarray(s, dtype=np.float64)[:, None]
        return self.start_angle + turned, np.ones_like(turned)


def _refuse_open(config: Config) -> None:
    """Raise ValueError unless the links close, short of a dead point, at every crank angle and wherever the journal is in its bearing."""
    l1, l2, l3, l4 = (getattr(config, f"{name}_length") for name in ("crank", "coupler", "rocker", "ground"))
    slack = config.clearance + MARGIN * (l2 + l3)
    for name, angle, spare, ends in (
        ("coupler and rocker stretched out", 180, l2 + l3 - (l1 + l4), (l1 + l4, l2 + l3)),
        ("coupler and rocker folded", 0, abs(l4 - l1) - abs(l2 - l3), (abs(l4 - l1), abs(l2 - l3))),
    ):
        if spare > slack:
            continue
        what = f"cannot close at crank angle {angle} deg" if spare < -slack else f"is in a dead point at crank angle {angle} deg"
        raise ValueError(
            f"crank_length: the linkage {what}: B is {ends[0] * 1e3:.6g} mm from D; {name} reach {ends[1] * 1e3:.6g} mm "
            f"(clearance {config.clearance * 1e3:g} mm); choose lengths with which the crank turns all round"
        )


def contact_stiffness(config: Config) -> float:
    """K in N/m^n, of journal and bearing."""
    return config.contact.hertz(config.bearing_radius, config.bearing_radius - config.clearance, config.clearance)


def doubtful_inertias(config: Config) -> list[str]:
    """A remark for each inertia about its pivot that is less than any body of that mass and mass centre can have."""
    said = []
    for name, inertia, mass, arm in (
        ("coupler_inertia", config.coupler_inertia, config.coupler_mass, config.coupler_centre),
        ("rocker_inertia", config.rocker_inertia, config.rocker_mass, config.rocker_length - config.rocker_centre),
    ):
        if inertia < mass * arm**2:
            said.append(
                f"mechanism.{name}: {inertia:.4g} kg m^2 about the pivot is less than mass times distance squared of the mass centre, "
                f"{mass * arm**2:.4g}: no body has that (is it the inertia about the mass centre?)"
            )
    return said
