"""What the compiled functions have of a spatial ANCF beam: one array, and the places in it."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from model.floats import Floats

LINE, ENHANCED, PAPER = range(3)  # formulations
# Places: formulation, length of an element (m), EA (N), the smaller EI (N m^2), what the stiffer side has more, which slope that side is
# (2: r_y, 3: r_z), GJ (N m^2), Kelvin-Voigt time (s), half width and height (m), EI towards r_y and r_z.
FORM, LENGTH, EA, EI, EXTRA, SIDE, GJ, BETA, HALF_WIDTH, HALF_HEIGHT, EI_Y, EI_Z = range(12)
MODULI = 9  # of a law: D (3, 3) for the normal strains, then G (3, 3), N/m^2 or N
LAW = 12  # of the volume; elastic line: of the sections at the nodes, N
AXIS = LAW + 2 * MODULI  # what is added on the axis
MASS = AXIS + 2 * MODULI  # (8, 8) of an element
PARAMETERS = MASS + 64


class Bar(Protocol):
    """What the array is made of; see model.bodies.ancf_beam3d.beam.Beam."""

    @property
    def length(self) -> float: ...
    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def youngs_modulus(self) -> float: ...
    @property
    def poisson_ratio(self) -> float: ...
    @property
    def damping(self) -> float: ...
    @property
    def elements(self) -> int: ...
    @property
    def formulation(self) -> str: ...
    @property
    def area(self) -> float: ...
    @property
    def shear_modulus(self) -> float: ...
    @property
    def shear_factor(self) -> float: ...
    @property
    def bending(self) -> tuple[float, float]: ...
    @property
    def torsion(self) -> float: ...
    def element_mass(self) -> Floats: ...


def parameters(beam: Bar) -> Floats:
    """The array, (PARAMETERS,)."""
    p = np.zeros(PARAMETERS)
    towards_y, towards_z = beam.bending
    p[FORM], p[LENGTH] = ("elastic_line", "enhanced_continuum", "paper").index(beam.formulation), beam.length / beam.elements
    p[EA], p[EI], p[GJ], p[BETA] = beam.youngs_modulus * beam.area, min(towards_y, towards_z), beam.torsion, beam.damping
    p[EXTRA], p[SIDE] = abs(towards_y - towards_z), 2.0 if towards_y > towards_z else 3.0
    p[HALF_WIDTH], p[HALF_HEIGHT], p[EI_Y], p[EI_Z] = 0.5 * beam.width, 0.5 * beam.height, towards_y, towards_z
    p[LAW:AXIS], p[AXIS:MASS] = _laws(beam)
    p[MASS:] = beam.element_mass().ravel()
    return p


def _law(normal: Floats, along: float, within: float) -> Floats:
    """D for the normal strains and G for the shear strains, of the section towards the axis and within it."""
    shear = np.array([[0.0, along, along], [along, 0.0, within], [along, within, 0.0]])
    return np.concatenate([normal.ravel(), shear.ravel()])


def _laws(beam: Bar) -> tuple[Floats, Floats]:
    """Of volume and axis, or of the nodes' sections."""
    e, g, nu = beam.youngs_modulus, beam.shear_modulus, beam.poisson_ratio
    lame = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    whole = lame * np.ones((3, 3)) + 2.0 * g * np.eye(3)
    nothing = np.zeros(2 * MODULI)
    if beam.formulation == "elastic_line":
        return beam.area * _law(np.diag([0.0, e, e]), beam.shear_factor * g, g), nothing
    if beam.formulation == "paper":
        return _law(whole, g, g), nothing
    apart = e * np.eye(3)
    return _law(apart, beam.shear_factor * g, g), _law(whole - apart, 0.0, 0.0)
