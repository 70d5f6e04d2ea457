"""Spatial ANCF beam: a straight uniform bar of rectangular section, two-node elements of 24 coordinates each (chen2026 section 1.2).

Coordinates of node j are (r, r_x, r_y, r_z) at 12 j, three each, in m and 1: the place of the axis and its slopes along the bar's own x
(length), y (width) and z (height). Forces, tangents and symbols: model.bodies.ancf_beam3d.kernel, for the continuum forms
model.bodies.ancf_beam3d.continuum.

| formulation | elastic energy |
|---|---|
| `elastic_line` | EA eps^2 + EI r_xx.r_xx + GJ twist^2 along the axis; its nodes hold the sections. The default |
| `enhanced_continuum` | no Poisson effect in the volume, with it on the axis: right, but soft modes need ten elements and more |
| `paper` | the whole continuum (eq 18, corrected): locks, for linear sections cannot widen as bending with a Poisson effect asks |
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from model.floats import Floats

NODE, ELEMENT = 12, 24
AXIS_SHAPES = (0, 1, 4, 5)  # of the eight shape functions, those of r and r_x
FORMULATIONS = ("elastic_line", "enhanced_continuum", "paper")


@dataclass(frozen=True)
class Beam:
    """A straight uniform bar. SI units; damping is the Kelvin-Voigt time constant, s.

    Raises ValueError that names the field for an element count below 1, a formulation that there is not, a Poisson ratio outside
    -1..0.5, and for what is not positive and finite (damping: negative).
    """

    length: float
    width: float
    height: float
    density: float
    youngs_modulus: float
    elements: int
    poisson_ratio: float = 0.3
    damping: float = 0.0
    formulation: str = "elastic_line"

    def __post_init__(self) -> None:
        if self.elements < 1:
            raise ValueError(f"elements: expected at least 1, got {self.elements}")
        units = (("length", "m"), ("width", "m"), ("height", "m"), ("density", "kg/m^3"), ("youngs_modulus", "Pa"))
        for name, unit in units:
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected more than 0 {unit} and finite, got {getattr(self, name):g} {unit}")
        if not -1.0 < self.poisson_ratio < 0.5:
            raise ValueError(f"poisson_ratio: expected more than -1 and less than 0.5, got {self.poisson_ratio:g}")
        if not 0.0 <= self.damping < math.inf:
            raise ValueError(f"damping: expected at least 0 s and finite, got {self.damping:g} s")
        if self.formulation not in FORMULATIONS:
            raise ValueError(f"formulation: expected one of {', '.join(FORMULATIONS)}, got {self.formulation!r}")

    @property
    def area(self) -> float:
        """A, m^2."""
        return self.width * self.height

    @property
    def mass(self) -> float:
        """Of the bar, kg."""
        return self.density * self.area * self.length

    @property
    def shear_modulus(self) -> float:
        """G, Pa."""
        return self.youngs_modulus / (2.0 * (1.0 + self.poisson_ratio))

    @property
    def shear_factor(self) -> float:
        """k of Timoshenko's beam with a rectangular section (Cowper 1966)."""
        return 10.0 * (1.0 + self.poisson_ratio) / (12.0 + 11.0 * self.poisson_ratio)

    @property
    def bending(self) -> tuple[float, float]:
        """EI towards y (width) and towards z (height), N m^2."""
        both = self.youngs_modulus * self.area / 12.0
        return both * self.width**2, both * self.height**2

    @property
    def torsion(self) -> float:
        """GJ of Saint-Venant's torsion of a rectangle, N m^2."""
        thin, wide = sorted((self.width, self.height))
        odd = np.arange(1, 40, 2)
        lost = 192.0 / math.pi**5 * thin / wide * np.sum(np.tanh(0.5 * math.pi * odd * wide / thin) / odd**5.0)
        return float(self.shear_modulus * wide * thin**3 / 3.0 * (1.0 - lost))

    @property
    def coordinates(self) -> int:
        """Their number."""
        return NODE * (self.elements + 1)

    @property
    def parameters(self) -> Floats:
        """What the kernel has of the bar: see the places in model.bodies.ancf_beam3d.kernel."""
        from model.bodies.ancf_beam3d.parameters import parameters

        return parameters(self)

    def straight(self, begin: Floats, axes: Floats) -> Floats:
        """Coordinates of the unstrained bar from `begin` (3,), its x, y, z along the columns of the rotation `axes` (3, 3)."""
        e = np.zeros((self.elements + 1, 4, 3))
        e[:, 0] = begin + np.linspace(0.0, self.length, self.elements + 1)[:, None] * axes[:, 0]
        e[:, 1:] = axes.T
        return e.ravel()

    def turning(self, e: Floats, velocity: Floats, rate: Floats) -> Floats:
        """Velocities of the coordinates `e` of a bar that moves as a rigid body: `velocity` (3,) of its beginning, `rate` (3,) in rad/s."""
        arm = e.reshape(-1, 4, 3).copy()
        arm[:, 0] -= e[:3]
        moved: Floats = np.cross(rate, arm)
        moved[:, 0] += velocity
        return moved.ravel()

    def mass_matrix(self) -> Floats:
        """Constant consistent mass matrix of eq 13, (coordinates, coordinates)."""
        whole = np.zeros((self.coordinates, self.coordinates))
        block = np.kron(self.element_mass(), np.eye(3))
        for at in range(0, NODE * self.elements, NODE):
            whole[at : at + ELEMENT, at : at + ELEMENT] += block
        return whole

    def element_mass(self) -> Floats:
        """Of an element between its eight shape functions (eq 9), (8, 8): kg, kg m, kg m^2; the slopes of the section in kg m^2."""
        length, mass = self.length / self.elements, self.mass / self.elements
        s, weight = np.polynomial.legendre.leggauss(4)
        xi = 0.5 * (1.0 + s)
        axis = np.array([1 - 3 * xi**2 + 2 * xi**3, length * (xi - 2 * xi**2 + xi**3), 3 * xi**2 - 2 * xi**3, length * (xi**3 - xi**2)])
        found = np.zeros((8, 8))
        found[np.ix_(AXIS_SHAPES, AXIS_SHAPES)] = 0.5 * mass * (axis * weight) @ axis.T
        for shapes, size in (((2, 6), self.width), ((3, 7), self.height)):
            found[np.ix_(shapes, shapes)] = mass * size**2 / 12.0 * np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0
        return found

    def gravity(self, acceleration: Floats) -> Floats:
        """Generalised force of gravity (eq 15, corrected), (coordinates,), for `acceleration` (3,), m/s^2."""
        length, mass = self.length / self.elements, self.mass / self.elements
        force = np.zeros((self.elements + 1, 4, 3))
        force[:-1, 0] += 0.5 * mass * acceleration
        force[1:, 0] += 0.5 * mass * acceleration
        force[:-1, 1] += mass * length / 12.0 * acceleration
        force[1:, 1] -= mass * length / 12.0 * acceleration
        return force.ravel()

    def internal_force(self, e: Floats, velocity: Floats | None = None) -> Floats:
        """Elastic and damping forces, dU/de and more, on the left of the equations of motion, (coordinates,)."""
        from model.bodies.ancf_beam3d import kernel

        force = np.zeros_like(e)
        kernel.forces(e, np.zeros_like(e) if velocity is None else velocity, force, self.parameters, np.zeros(kernel.ROOM))
        return -force

    def stiffness(self, e: Floats, velocity: Floats | None = None) -> Floats:
        """d(internal force)/de, (coordinates, coordinates), at `e`; analytic, symmetric without damping."""
        return self._tangent(e, np.zeros_like(e) if velocity is None else velocity, 1.0, 0.0)

    def damping_matrix(self, e: Floats) -> Floats:
        """d(internal force)/d(de/dt) at `e`; positive semidefinite."""
        return self._tangent(e, np.zeros_like(e), 0.0, 1.0)

    def strain_energy(self, e: Floats) -> float:
        """J, rounded at 1e-16 EA L: the forces' work on the straight way from the unstrained bar; cubic on it, so Simpson is exact."""
        still = replace(self, damping=0.0)
        begin = still.straight(np.zeros(3), np.eye(3))
        change = e - begin
        halfway, end = still.internal_force(begin + 0.5 * change), still.internal_force(e)
        return float(change @ (4.0 * halfway + end) / 6.0)

    def frequencies(self, held: list[int]) -> Floats:
        """Natural frequencies about the straight state along x, Hz, ascending; `held`: coordinates that rest."""
        from scipy.linalg import eigh

        e = self.straight(np.zeros(3), np.eye(3))
        free = np.ix_(*[np.setdiff1d(np.arange(self.coordinates), held)] * 2)
        squares = eigh(self.stiffness(e)[free], self.mass_matrix()[free], eigvals_only=True)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi))

    def _tangent(self, e: Floats, velocity: Floats, stiffness: float, damping: float) -> Floats:
        from model.bodies.ancf_beam3d import kernel

        whole = np.zeros((self.coordinates, self.coordinates))
        kernel.tangents(e, velocity, whole, self.parameters, stiffness, damping, np.zeros(kernel.ROOM))
        return whole
