"""Planar ANCF beam: a uniform rod of `elements` two-node elements with eight coordinates each (wang2017 section 2.1, eq 33 corrected).

Coordinates of node j are (r_x, r_y, dr_x/dx, dr_y/dx) at 4 j, in m and 1; forces, tangent and symbols: model.bodies.ancf_beam2d.kernel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.floats import Floats

NODE, ELEMENT = 4, 8


@dataclass(frozen=True)
class Beam:
    """A straight uniform rod. SI units; damping is the Kelvin-Voigt time constant, s. second_moment: of the section, m^4; none: square.

    Raises ValueError for an element count below 1, and for what is not positive and finite (damping: negative).
    """

    length: float
    mass: float
    density: float
    youngs_modulus: float
    elements: int
    damping: float = 0.0
    second_moment: float | None = None

    def __post_init__(self) -> None:
        if self.elements < 1:
            raise ValueError(f"elements: expected at least 1, got {self.elements}")
        for name, unit in (("length", "m"), ("mass", "kg"), ("density", "kg/m^3"), ("youngs_modulus", "Pa")):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected more than 0 {unit} and finite, got {getattr(self, name):g} {unit}")
        if not 0.0 <= self.damping < math.inf:
            raise ValueError(f"damping: expected at least 0 s and finite, got {self.damping:g} s")

    @property
    def area(self) -> float:
        """A of the section, which is what mass, length and density leave, m^2."""
        return self.mass / (self.density * self.length)

    @property
    def axial(self) -> float:
        """EA, N."""
        return self.youngs_modulus * self.area

    @property
    def bending(self) -> float:
        """EI, N m^2."""
        if self.second_moment is not None:
            return self.youngs_modulus * self.second_moment
        return self.youngs_modulus * self.area**2 / 12.0

    @property
    def coordinates(self) -> int:
        """Their number."""
        return NODE * (self.elements + 1)

    @property
    def parameters(self) -> Floats:
        """What the kernel reads of it."""
        from model.bodies.ancf_beam2d import kernel
        from model.compiled.parameters import packed

        length = self.length / self.elements
        places = {kernel.EA: self.axial, kernel.EI: self.bending, kernel.BETA: self.damping, kernel.LENGTH: length}
        return packed(kernel.STIFFNESSES, places)

    def straight(self, begin: Floats, direction: Floats) -> Floats:
        """Coordinates of the unstrained rod from `begin` (2,) along the unit vector `direction` (2,)."""
        e = np.zeros((self.elements + 1, NODE))
        e[:, :2] = begin + np.linspace(0.0, self.length, self.elements + 1)[:, None] * direction
        e[:, 2:] = direction
        return e.ravel()

    def turning(self, e: Floats, velocity: Floats, rate: float) -> Floats:
        """Velocities of the coordinates `e` of a rod that moves as a rigid body: `velocity` (2,) of its beginning, `rate` in rad/s."""
        nodes = e.reshape(-1, NODE)
        arm = nodes.copy()
        arm[:, :2] -= nodes[0, :2]
        moved = rate * np.column_stack([-arm[:, 1], arm[:, 0], -arm[:, 3], arm[:, 2]])
        moved[:, :2] += velocity
        return moved.ravel()

    def mass_matrix(self) -> Floats:
        """Constant consistent mass matrix of eq 35, (coordinates, coordinates)."""
        return self._assembled(np.kron(self.mass / self.elements * self._products(), np.eye(2)))

    def stiffness(self, e: Floats, velocity: Floats | None = None) -> Floats:
        """d(internal force)/de, (coordinates, coordinates), at `e`; analytic."""
        return self._tangent(e, np.zeros_like(e) if velocity is None else velocity, 1.0, 0.0)

    def damping_matrix(self, e: Floats) -> Floats:
        """d(internal force)/d(de/dt) at `e`; positive semidefinite."""
        return self._tangent(e, np.zeros_like(e), 0.0, 1.0)

    def internal_force(self, e: Floats, velocity: Floats | None = None) -> Floats:
        """Elastic and damping force on the right of eq 36 with the sign of Q_k, (coordinates,)."""
        from model.bodies.ancf_beam2d import kernel

        force = np.zeros_like(e)
        kernel.forces(e, np.zeros_like(e) if velocity is None else velocity, force, self.parameters)
        return -force

    def strain_energy(self, e: Floats) -> float:
        """1/2 int EA eps^2 + EI kappa^2 dx, J; by Gauss quadrature, exact."""
        from model.bodies.ancf_beam2d import kernel

        length, nodes = self.length / self.elements, e.reshape(-1, 2)
        total = 0.0
        points, weights = np.polynomial.legendre.leggauss(5)
        for s, weight in np.column_stack([points, weights]).tolist():
            for at in range(0, 2 * self.elements, 2):
                r_x = np.array(kernel.slopes(s, length)) @ nodes[at : at + 4]
                r_xx = np.array(kernel.bends(s, length)) @ nodes[at : at + 4]
                strain = 0.5 * (r_x @ r_x - 1.0)
                total += float(0.25 * length * weight * (self.axial * strain**2 + self.bending * (r_xx @ r_xx)))
        return total

    def frequencies(self, held: list[int], extra: dict[int, float] | None = None) -> Floats:
        """Natural frequencies about the straight state along x, Hz, ascending; `held`: coordinates that rest, `extra`: masses added, kg."""
        from scipy.linalg import eigh

        e = self.straight(np.zeros(2), np.array([1.0, 0.0]))
        mass = self.mass_matrix()
        for place, value in (extra or {}).items():
            mass[place, place] += value
        free = np.setdiff1d(np.arange(self.coordinates), held)
        squares = eigh(self.stiffness(e)[np.ix_(free, free)], mass[np.ix_(free, free)], eigvals_only=True)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi))

    def _products(self) -> Floats:
        """Mean of s_i s_j over an element, (4, 4); s_i: the shape functions of eq 33, corrected."""
        length = self.length / self.elements
        s, weight = np.polynomial.legendre.leggauss(4)
        xi = 0.5 * (1.0 + s)
        shape = np.array([1 - 3 * xi**2 + 2 * xi**3, length * (xi - 2 * xi**2 + xi**3), 3 * xi**2 - 2 * xi**3, length * (xi**3 - xi**2)])
        found: Floats = 0.5 * (shape * weight) @ shape.T
        return found

    def _assembled(self, block: NDArray[np.floating]) -> Floats:
        whole = np.zeros((self.coordinates, self.coordinates))
        for at in range(0, NODE * self.elements, NODE):
            whole[at : at + ELEMENT, at : at + ELEMENT] += block
        return whole

    def _tangent(self, e: Floats, velocity: Floats, stiffness: float, damping: float) -> Floats:
        from model.bodies.ancf_beam2d import kernel

        whole, room = np.zeros((self.coordinates, self.coordinates)), np.zeros((kernel.TANGENT_WORK, ELEMENT))
        for at in range(0, NODE * self.elements, NODE):
            kernel.tangent(e, velocity, at, whole, at, self.parameters, stiffness, damping, room)
        return whole
