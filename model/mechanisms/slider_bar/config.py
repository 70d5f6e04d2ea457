"""Slider in a guide with Karnopp friction, and a bar on it that a motor turns at constant speed; rigid (karnopp section 3).

| symbol | configuration |
|---|---|
| m1 L | bar_mass, bar_length; uniform |
| m2 a b | slider_mass, slider_length along the guide, slider_height |
| k x_off | spring_stiffness, spring_offset: where the spring is without force |
| F0 Omega | drive_force, drive_speed: F0 sin(Omega t) on the slider's mass centre |
| omega0 | speed: the bar's angle is theta = omega0 t from the guide's direction |
| mu mu' DV k_v | friction, static_friction, stick_band, viscous_friction |

Areas 1 and 2 are the rear and front half of the slider's upper face AB, 3 and 4 those of its lower face CD: with y up, eqs 2-4 put AB,
whose normal force points to -y, on top. Forces are those of the guide on the slider, along x and y (up): the normal forces of the four
areas add up to N, their magnitudes to S (`normal_sum`). Where all is rigid a slider that sticks leaves it open how its areas share the
friction; they share it as they share S, as when it slides.

`lift_rear` and `lift_front` are where the slider's ends stand in the play: half of it above the middle of the guide where an area of the
upper face carries there, half below where one of the lower does. It is small beside the slider, so it shows there and nowhere else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from model.floats import Floats
from model.mechanisms.mechanism import Mechanism
from model.paths.course import Course

AREAS = 4
CARRIED: tuple[tuple[str, str], ...] = (
    ("x", "m"),
    ("v", "m/s"),
    ("sticking", "1"),
    ("torque", "N*m"),
    ("friction", "N"),
    ("normal_sum", "N"),
    *((f"area_{area}_{kind}", "N") for kind in ("normal", "friction") for area in range(1, AREAS + 1)),
)
"""Channels of the flexible slider too, which bends in its play."""
MOUNTS = ("slider", "ground")
PERIODS = 12  # of the bar, in a simulation for which nothing else is said: ten pass until the motion repeats itself
EVENT_KINDS = ("stick", "slip", "reversal")


@dataclass(frozen=True)
class Config(Mechanism):
    """Slider, bar, spring, drive and friction."""

    CHANNELS: ClassVar[tuple[tuple[str, str], ...]] = (*CARRIED, ("lift_rear", "m"), ("lift_front", "m"))
    COURSE: ClassVar[str] = "rad"  # how far the bar has turned
    DRIVES: ClassVar[tuple[tuple[str, str], ...]] = (("bar", "rad"), ("drive_force", "N"))
    DRIVEN: ClassVar[tuple[str, ...]] = ("command", "bar_angle")
    EXTREMES: ClassVar[tuple[str, ...]] = ("torque", "friction", "normal_sum")

    bar_mass: float = field(default=2.0, metadata={"unit": "kg", "over": 0.0, "doc": "m1 (paper)"})
    bar_length: float = field(default=2.0, metadata={"unit": "m", "over": 0.0, "doc": "L (paper)"})
    slider_mass: float = field(default=1.0, metadata={"unit": "kg", "over": 0.0, "doc": "m2 (paper)"})
    slider_length: float = field(default=0.6, metadata={"unit": "m", "over": 0.0, "doc": "a (paper)"})
    slider_height: float = field(default=0.5, metadata={"unit": "m", "over": 0.0, "doc": "b (paper)"})
    spring_stiffness: float = field(default=1.0, metadata={"unit": "N/m", "at_least": 0.0, "doc": "k (paper)"})
    spring_offset: float = field(default=0.0, metadata={"unit": "m", "doc": "x_off; assumed: without force at x = 0"})
    drive_force: float = field(default=3.0, metadata={"unit": "N", "doc": "F0 (paper)"})
    drive_speed: float = field(default=0.5 * math.pi, metadata={"unit": "rad/s", "at_least": 0.0, "doc": "Omega (paper)"})
    speed: float = field(default=0.25 * math.pi, metadata={"unit": "rad/s", "over": 0.0, "doc": "omega0 (paper)"})
    motor_mount: str = field(default="slider", metadata={"choices": MOUNTS, "doc": "what takes the motor's reaction; assumed"})
    friction: float = field(default=0.03, metadata={"unit": "1", "at_least": 0.0, "doc": "mu (paper)"})
    static_friction: float = field(default=0.04, metadata={"unit": "1", "at_least": 0.0, "doc": "mu', at least mu (paper)"})
    stick_band: float = field(default=1e-3, metadata={"unit": "m/s", "at_least": 0.0, "doc": "DV; 0: event-driven, its limit; assumed"})
    viscous_friction: float = field(default=0.0, metadata={"unit": "N*s/m", "at_least": 0.0, "doc": "k_v; assumed"})
    total_clearance: float = field(
        default=1e-4, metadata={"unit": "m", "at_least": 0.0, "doc": "guide's minus slider's height; rigid: any small one; assumed"}
    )
    gravity: float = field(default=9.81, metadata={"unit": "m/s^2", "doc": "against y; assumed"})
    start_position: float = field(default=0.0, metadata={"unit": "m", "doc": "x at t = 0 (paper)"})
    start_velocity: float = field(default=0.0, metadata={"unit": "m/s", "doc": "of the slider at t = 0; assumed"})

    def __post_init__(self) -> None:
        for name, unit in (
            ("bar_mass", "kg"), ("bar_length", "m"), ("slider_mass", "kg"), ("slider_length", "m"), ("slider_height", "m"),
            ("speed", "rad/s"),
        ):  # fmt: skip
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected more than 0 {unit} and finite, got {getattr(self, name):g} {unit}")
        for name, unit in (
            ("spring_stiffness", "N/m"), ("drive_speed", "rad/s"), ("friction", ""), ("stick_band", "m/s"),
            ("viscous_friction", "N s/m"), ("total_clearance", "m"),
        ):  # fmt: skip
            if not 0.0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected at least 0 and finite, got {getattr(self, name):g} {unit}".rstrip())
        for name in ("spring_offset", "drive_force", "gravity", "start_position", "start_velocity"):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"{name}: expected a finite number, got {getattr(self, name):g}")
        if self.motor_mount not in MOUNTS:
            raise ValueError(f"motor_mount: expected one of {', '.join(MOUNTS)}; got {self.motor_mount!r}")
        if not self.friction <= self.static_friction < math.inf:
            raise ValueError(f"static_friction: expected at least friction, {self.friction:g}, and finite; got {self.static_friction:g}")
        if not self.total_clearance < self.slider_height:
            raise ValueError(
                f"total_clearance: expected less than the slider's height, {self.slider_height:g} m, got {self.total_clearance:g} m"
            )
        self._refuse_jamming()

    def _refuse_jamming(self) -> None:
        """Raise ValueError where friction, by the moment it makes, calls up more of itself than it is: then there is no one answer."""
        arms = {"slider_height": self.slider_height}
        if self.motor_mount == "slider":
            arms["bar_length"] = self.bar_length * self.bar_mass / (self.bar_mass + self.slider_mass)
        for name, arm in arms.items():
            if not self.static_friction * arm < self.slider_length:
                raise ValueError(
                    f"static_friction: the slider jams: {self.static_friction:g} times {arm:g} m ({name}) is not less than its length, "
                    f"{self.slider_length:g} m; choose less friction, or a longer slider"
                )

    def event(self, guard: int, noted: float) -> tuple[str, str, float | None] | None:
        """(kind, where, None) of a Stepper's event: stick, slip or reversal (of the sliding, without a rest)."""
        return EVENT_KINDS[int(noted)], "guide", None

    def own_duration(self) -> float:
        """Of a simulation, s, unless one is given."""
        return PERIODS * 2.0 * math.pi / self.speed

    def setpoints(self, s: Floats, path: Course | None = None) -> tuple[Floats, Floats]:
        """(bar's angle in rad and driving force in N, (N, 2), their derivatives by s) where the bar has turned by s (N,), rad.

        The force is that of constant speed at the same angle, F0 sin(Omega/omega0 s): whatever the pace, they belong together.
        """
        angle = np.asarray(s, dtype=np.float64)
        ratio = self.drive_speed / self.speed
        positions = np.column_stack([angle, self.drive_force * np.sin(ratio * angle)])
        return positions, np.column_stack([np.ones_like(angle), self.drive_force * ratio * np.cos(ratio * angle)])
