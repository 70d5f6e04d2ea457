"""The driven slider of model.mechanisms.slider_bar with a flexible slider: plane-stress triangles, nodes in penalty contact (karnopp).

Each node of the slider's upper and lower face meets the guide with a spring across it and, while it sticks, one along it (eqs 2-4); which
nodes touch, and which of them stick, is found by trial. Two ways to move it:

- `dop853`, `rk4`: the motion along the guide is dynamic, the deformation, the tilt and the way across the play follow without inertia
  (the paper's KED method). The normal forces balance N exactly.
- `newmark`: the slider has all its inertia, along, across, in turning and in its elastic modes.

Loads of the hinge are spread over the nodes within `hinge_radius` of the centre. The motor on the slider sets the bar's angle relative to
the slider; without inertia across the play that differs from omega0 t by less than the play's tilt and is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from model.bodies.plane_stress import Plate
from model.mechanisms.slider_bar import config as slider_bar


@dataclass(frozen=True)
class Config(slider_bar.Config):
    """As the rigid one, and what the slider is made of."""

    CHANNELS: ClassVar[tuple[tuple[str, str], ...]] = slider_bar.CARRIED
    COURSE: ClassVar[str] = ""  # no motor of a rig moves it
    DRIVES: ClassVar[tuple[tuple[str, str], ...]] = ()
    DRIVEN: ClassVar[tuple[str, ...]] = ()

    youngs_modulus: float = field(default=2.1e11, metadata={"unit": "Pa", "over": 0.0, "doc": "E (paper)"})
    poisson_ratio: float = field(default=0.25, metadata={"unit": "1", "at_least": 0.0, "below": 0.5, "doc": "nu (paper)"})
    thickness: float = field(default=1.0, metadata={"unit": "m", "over": 0.0, "doc": "of the slider; assumed"})
    columns: int = field(default=18, metadata={"at_least": 2, "doc": "of quadrilaterals along the guide; paper: 684 triangles in all"})
    rows: int = field(default=19, metadata={"at_least": 1, "doc": "of quadrilaterals across it"})
    normal_stiffness: float = field(default=1e8, metadata={"unit": "N/m", "over": 0.0, "doc": "k_N of a node; assumed"})
    tangential_stiffness: float = field(default=1e8, metadata={"unit": "N/m", "over": 0.0, "doc": "k_T of a node; assumed"})
    hinge_radius: float = field(default=0.06, metadata={"unit": "m", "over": 0.0, "doc": "assumed"})
    contact_damping: float = field(
        default=2e-5, metadata={"unit": "s", "at_least": 0.0, "doc": "newmark: c/k of the nodes' springs; assumed: impacts die out"}
    )
    modes: int = field(
        default=0, metadata={"at_least": 0, "doc": "newmark: elastic modes that have inertia; the others follow without; assumed"}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, unit in (("normal_stiffness", "N/m"), ("tangential_stiffness", "N/m"), ("hinge_radius", "m")):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected more than 0 {unit} and finite, got {getattr(self, name):g} {unit}")
        if not 0.0 <= self.contact_damping < math.inf:
            raise ValueError(f"contact_damping: expected at least 0 s and finite, got {self.contact_damping:g} s")
        if self.columns < 2:
            raise ValueError(f"columns: expected at least 2, got {self.columns}")
        most = 2 * len(self.plate.nodes) - 3
        if not 0 <= self.modes <= most:
            raise ValueError(f"modes: this mesh has {most} elastic modes, expected 0 to {most}, got {self.modes}")

    @property
    def plate(self) -> Plate:
        """The slider. Raises ValueError for a value that a plate cannot have."""
        return Plate(
            self.slider_length, self.slider_height, self.thickness, self.slider_mass, self.youngs_modulus, self.poisson_ratio,
            self.columns, self.rows,
        )  # fmt: skip
