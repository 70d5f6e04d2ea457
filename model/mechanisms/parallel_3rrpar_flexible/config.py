"""3-RRPaR spatial parallel mechanism with six flexible long bars, with and without clearance at two platform joints (chen2026, corrected).

The rigid parts, the joints and their contact are those of model.mechanisms.parallel_3rrpar. A long bar is made of spatial ANCF elements
(model.bodies.ancf_beam3d.beam): hinged to its short bars about the parallelogram's normal, so that it bends, twists and stretches.

The paper has no damping in the bars, and they would ring on for ever where pins knock; 2e-5 s is 0.9 % of the critical in the first mode.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from model.bodies.ancf_beam3d.beam import FORMULATIONS, Beam
from model.mechanisms.parallel_3rrpar import config as parallel_3rrpar
from model.mechanisms.parallel_3rrpar import parts

MOST_ELEMENTS = 8
STARTS = ("moving", "rest")
MOTIONS = ("translating", "free")
TOGETHER, ONE_WAY = COUPLINGS = ("together", "one_way")
REDUCED = "reduced"  # not of elements: an axial spring and bending modes for each pair of bars


@dataclass(frozen=True)
class Bars(parts.Bars):
    """A long bar and what it is divided into."""

    elements: int = field(default=4, metadata={"at_least": 1, "at_most": MOST_ELEMENTS, "doc": "of a bar, 24 coordinates each"})
    formulation: str = field(default="elastic_line", metadata={"choices": (*FORMULATIONS, REDUCED), "doc": "elastic energy"})
    damping: float = field(default=2e-5, metadata={"unit": "s", "at_least": 0.0, "doc": "Kelvin-Voigt time constant; assumed"})

    @property
    def beam(self) -> Beam:
        """A bar as a body."""
        return Beam(
            self.length, self.width, self.width, self.density, self.youngs_modulus, self.elements, self.poisson_ratio, self.damping,
            "elastic_line" if self.formulation == REDUCED else self.formulation,
        )  # fmt: skip


@dataclass(frozen=True)
class Platform(parts.Platform):
    """`translating`: as in the paper, its joints always apart by the same vectors (eq 32); `free`: as bars that give way let it turn."""

    motion: str = field(default="translating", metadata={"choices": MOTIONS, "doc": "of the platform: never turns (paper), or may"})


@dataclass(frozen=True)
class Config(parallel_3rrpar.Config):
    """The rigid mechanism's, with bars that bend.

    start: `moving` has the velocities and strains of a mechanism that has always moved along its path; `rest` has none, and pins in the
    middle of their bushes, so that the arms start with a jerk where the path begins with a velocity (as the paper does).

    coupling: `together` solves the contact with the bars; `one_way`, the paper's co-simulation, takes the pins' places in their bushes and
    the contact's friction from the rigid mechanism, which knows nothing of the bars (model.mechanisms.parallel_3rrpar_flexible.one_way).
    """

    start: str = field(default="moving", metadata={"choices": STARTS, "doc": "moving, strained as if it always had; or rest"})
    coupling: str = field(default=TOGETHER, metadata={"choices": COUPLINGS, "doc": "of contact and bars: solved together, or as the paper"})
    bars: Bars = field(default_factory=Bars)
    platform: Platform = field(default_factory=Platform)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.start not in STARTS:
            raise ValueError(f"start: expected one of {', '.join(STARTS)}, got {self.start!r}")
        if not 1 <= self.bars.elements <= MOST_ELEMENTS:
            raise ValueError(f"bars.elements: expected 1 to {MOST_ELEMENTS}, got {self.bars.elements}")
        if self.bars.formulation not in (*FORMULATIONS, REDUCED):
            raise ValueError(f"bars.formulation: expected one of {', '.join((*FORMULATIONS, REDUCED))}, got {self.bars.formulation!r}")
        if self.coupling not in COUPLINGS:
            raise ValueError(f"coupling: expected one of {', '.join(COUPLINGS)}, got {self.coupling!r}")
        if self.bars.formulation == REDUCED and self.coupling == ONE_WAY:
            raise ValueError("coupling: one_way needs bars of elements; choose bars.formulation = 'elastic_line' or 'paper'")
        if self.platform.motion not in MOTIONS:
            raise ValueError(f"platform.motion: expected one of {', '.join(MOTIONS)}, got {self.platform.motion!r}")
        if self.bars.formulation == REDUCED and self.platform.motion == "free":
            raise ValueError("platform.motion: with bars.formulation 'reduced' the platform cannot turn; expected translating, got 'free'")
        try:
            self.bars.beam  # noqa: B018  refuses what cannot be built
        except ValueError as error:
            raise ValueError(f"bars.{error}") from error
