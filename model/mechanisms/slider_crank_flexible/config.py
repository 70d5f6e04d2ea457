"""Slider-crank with a flexible rod, clearance in one pin and in the guide, crank of constant speed (wang2017).

All as in model.mechanisms.slider_crank but for the rod: uniform, of `elements` planar ANCF elements (model.bodies.ancf_beam2d.beam), with a
square section that its mass, length and density leave (15 mm). It starts straight and without strain, with the velocities of the rigid
mechanism. Explicit methods (dop853, rk4, leapfrog) move it in minimal coordinates (model.mechanisms.slider_crank_flexible.kernel);
generalized_alpha moves it with the joints as constraints (model.mechanisms.slider_crank_flexible.constrained).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from model.bodies.ancf_beam2d.beam import Beam
from model.mechanisms.slider_crank import config as slider_crank

MOST_ELEMENTS = 60  # they are then as short as the seventh of the section, and a millisecond takes minutes


@dataclass(frozen=True)
class Rod:
    """Body 3, uniform and flexible."""

    length: float = field(default=0.120, metadata={"unit": "m", "over": 0.0})
    mass: float = field(default=0.21, metadata={"unit": "kg", "over": 0.0})
    density: float = field(
        default=7800.0, metadata={"unit": "kg/m^3", "over": 0.0, "doc": "gives the section; assumed: steel at any modulus"}
    )
    youngs_modulus: float = field(default=20e9, metadata={"unit": "Pa", "over": 0.0, "doc": "paper: 2, 6, 20, 80 GPa"})
    elements: int = field(default=6, metadata={"at_least": 1, "doc": "paper: 6"})
    damping: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0, "doc": "Kelvin-Voigt time constant; assumed: none"})

    def __post_init__(self) -> None:
        if self.elements > MOST_ELEMENTS:
            raise ValueError(
                f"elements: expected at most {MOST_ELEMENTS}, got {self.elements}: explicit steps shrink with the square of their number, "
                "so that the work grows with its cube, and implicit ones factor a matrix of all of them; the paper has 6"
            )
        self.beam  # noqa: B018  refuses what cannot be built

    @property
    def beam(self) -> Beam:
        """The rod as a body."""
        return Beam(self.length, self.mass, self.density, self.youngs_modulus, self.elements, self.damping)

    @property
    def inertia(self) -> float:
        """About its mass centre as long as it is straight, kg m^2."""
        return self.mass * self.length**2 / 12.0

    @property
    def centre(self) -> float:
        """Mass centre from the crank pin, m."""
        return 0.5 * self.length


@dataclass(frozen=True)
class Config(slider_crank.Config):
    """The bodies, the joints, the crank's drive."""

    rod: Rod = field(default_factory=Rod)  # type: ignore[assignment]
