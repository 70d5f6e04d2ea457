"""A flexible bar that hangs on a ball joint at its beginning and falls: spatial ANCF elements (model.bodies.ancf_beam3d.beam).

x, y level, z upwards, the joint at the origin. The bar starts straight and without strain, with the velocities of a rigid bar: it may fall
from rest, or turn about the vertical and so move in space. The joint is a constraint, the method generalized_alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from model.bodies.ancf_beam3d.beam import Beam
from model.mechanisms.mechanism import Mechanism


@dataclass(frozen=True)
class Bar:
    """Uniform, with a rectangular section."""

    length: float = field(default=1.0, metadata={"unit": "m", "over": 0.0})
    width: float = field(default=0.02, metadata={"unit": "m", "over": 0.0, "doc": "of the section, level at the start"})
    height: float = field(default=0.02, metadata={"unit": "m", "over": 0.0, "doc": "of the section, across the width"})
    density: float = field(default=1200.0, metadata={"unit": "kg/m^3", "over": 0.0})
    youngs_modulus: float = field(default=10e6, metadata={"unit": "Pa", "over": 0.0})
    poisson_ratio: float = field(default=0.3, metadata={"over": -1.0, "under": 0.5})
    elements: int = field(default=8, metadata={"at_least": 1, "doc": "spatial ANCF elements with two nodes of twelve coordinates"})
    damping: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0, "doc": "Kelvin-Voigt time constant"})
    formulation: str = field(default="elastic_line", metadata={"doc": "elastic_line, enhanced_continuum or paper"})

    def __post_init__(self) -> None:
        self.beam  # noqa: B018  refuses what cannot be built

    @property
    def beam(self) -> Beam:
        """The bar as a body."""
        return Beam(
            self.length, self.width, self.height, self.density, self.youngs_modulus, self.elements,
            self.poisson_ratio, self.damping, self.formulation,
        )  # fmt: skip


@dataclass(frozen=True)
class Config(Mechanism):
    """Bar, gravity and how it starts."""

    CHANNELS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("tip_x", "m"), ("tip_y", "m"), ("tip_z", "m"), ("tip_vx", "m/s"), ("tip_vy", "m/s"), ("tip_vz", "m/s"),
        ("joint_x", "N"), ("joint_y", "N"), ("joint_z", "N"),
    )  # fmt: skip
    EXTREMES: ClassVar[tuple[str, ...]] = ("joint_x", "joint_y", "joint_z")

    bar: Bar = field(default_factory=Bar)
    gravity: float = field(default=9.81, metadata={"unit": "m/s^2"})
    start_angle: float = field(default=0.0, metadata={"unit": "rad", "doc": "of the bar above the level"})
    turning: float = field(default=0.0, metadata={"unit": "rad/s", "doc": "about the vertical, at the start"})

    def __post_init__(self) -> None:
        for name, unit in (("gravity", "m/s^2"), ("start_angle", "rad"), ("turning", "rad/s")):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"{name}: expected a finite number of {unit}, got {getattr(self, name):g}")

    def own_duration(self) -> float:
        """As long as a rigid bar swings once to and fro with small angles, s."""
        gravity = abs(self.gravity)
        return 2.0 * math.pi * math.sqrt(2.0 * self.bar.length / (3.0 * gravity)) if gravity > 0.0 else 1.0
