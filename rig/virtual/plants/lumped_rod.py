"""Rod of the virtual slider-crank rig that bends and stretches: how it is built, and the plant's parameters and state with it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.lumped_bars import FORMS, RIGID, refuse_coarse
from rig.virtual.plants.motor_rig import lumped_bar
from rig.virtual.plants.motor_rig import slider_crank_kernel as rigid
from rig.virtual.plants.motor_rig import slider_crank_lumped_kernel as kernel
from rig.virtual.plants.motor_rig.parts import Individual
from rig.virtual.plants.surfaces import CONTACT_COLUMNS, Surfaces

Floats = NDArray[np.float64]
CENTRED = 1e-6
"""Share of the length by which the mass centre of a uniform rod may be off its middle."""


@dataclass(frozen=True)
class Rod:
    """Of what the rod is, as built: uniform, of a square section that its mass, length and density leave."""

    form: str = field(default=RIGID, metadata={"choices": FORMS, "doc": "rigid, or a beam that carries lumped masses"})
    youngs_modulus: float = field(default=20e9, metadata={"unit": "Pa", "over": 0.0})
    density: float = field(default=7800.0, metadata={"unit": "kg/m^3", "over": 0.0})
    damping: float = field(default=1e-6, metadata={"unit": "s", "at_least": 0.0, "doc": "time constant, of strain and its rate"})

    @property
    def flexible(self) -> bool:
        """Whether it gives way at all."""
        return self.form != RIGID

    def parameters(self, length: float, mass: float, modulus: float) -> Floats:
        """Of `rig.virtual.plants.motor_rig.lumped_bar`."""
        section = mass / (self.density * length)
        return lumped_bar.parameters(length, modulus * section, modulus * section**2 / 12.0, self.damping)

    def refuse(self, step: float, length: float, mass: float, centre: float) -> None:
        """Raise ValueError for a step (s) that cannot follow it, or a rod that is not uniform."""
        if abs(centre - 0.5 * length) > CENTRED * length:
            raise ValueError(f"rod: a rod that gives way is uniform: expected rod_centre {0.5 * length:g} m, got {centre:g} m")
        refuse_coarse("rod", step, self.damping, lumped_bar.fastest(mass, self.parameters(length, mass, self.youngs_modulus)))


def parameters(
    rod: Rod, surfaces: Surfaces, one: Individual, of: Floats, guide: tuple[float, float], friction: tuple[float, float, float]
) -> Floats:
    """p of the kernel from that of the rigid rod's kernel, `of`, whose masses and lengths are those of this specimen.

    guide: stiffness of a corner on its face, N/m, and its damping, s/m; friction: coefficient, and the sliding speeds below which there is
    none and above which it is whole.
    """
    p = np.zeros(kernel.PARAMETERS)
    for name in (
        "R", "J_UP", "J1", "M3", "M4", "J4", "WEIGHT_1", "GRAVITY", "GAP", "JOURNAL", "GUIDED", "GUIDE_GAP", "HALF_LENGTH", "HALF_HEIGHT",
        "VISCOUS", "COULOMB",
    ):  # fmt: skip
        p[getattr(kernel, name)] = of[getattr(rigid, name)]
    rubbed, gap = (one.friction(friction[0]), *friction[1:]), float(p[kernel.GAP])
    stiffness, restitution = surfaces.hertz(float(p[kernel.JOURNAL]) + gap, gap), surfaces.lossy(one.restitution())
    p[kernel.LAW : kernel.GUIDE_LAW] = surfaces.columns(one.mass(stiffness), surfaces.exponent, restitution, rubbed)
    faces = surfaces.columns(guide[0], 1.0, restitution, rubbed, guide[1])
    p[kernel.GUIDE_LAW : kernel.GUIDE_LAW + CONTACT_COLUMNS] = faces
    p[kernel.ROD :] = rod.parameters(float(of[rigid.L]), float(of[rigid.M3]), one.mass(rod.youngs_modulus))
    return p


def placed(y: Floats, p: Floats, length: float) -> Floats:
    """The state of a straight, unstrained rod where that of the rigid kernel's state y is."""
    state = np.zeros(kernel.STATES)
    state[kernel.CRANK] = y[rigid.CRANK]
    state[kernel.X], state[kernel.Y], state[kernel.PSI] = y[rigid.X], y[rigid.Y], y[rigid.PSI]
    crank, rod = (np.array([np.cos(angle), np.sin(angle)]) for angle in (y[rigid.CRANK], y[rigid.ROD]))
    points = p[kernel.R] * crank + length * np.outer(np.arange(1, 5) / 4.0, rod)
    state[kernel.POINTS : kernel.POINTS + 8] = points.ravel()
    return state
