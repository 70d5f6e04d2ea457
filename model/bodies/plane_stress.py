"""Rectangular plate of three-node triangles in plane stress: the flexible slider of karnopp (18 x 19 quadrilaterals, two triangles each).

| symbol | meaning | unit |
|---|---|---|
| K M | stiffness and consistent mass matrix; coordinates are (u_x, u_y) node by node | N/m, kg |
| R | rigid motions as columns: along x, along y, a small turn about the mass centre | 1, 1, m/rad |

Nodes are numbered along x, row by row from below; the origin is the mass centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.floats import Floats

Indices = NDArray[np.intp]

RIGID = 3
MOST = 4000  # coordinates: the matrices are dense


@dataclass(frozen=True)
class Plate:
    """length along x (m), height along y (m), thickness (m), mass (kg), E (Pa), nu, and how many quadrilaterals along and up."""

    length: float
    height: float
    thickness: float
    mass: float
    youngs_modulus: float
    poisson_ratio: float
    columns: int = 18
    rows: int = 19

    def __post_init__(self) -> None:
        for name, unit in (("length", "m"), ("height", "m"), ("thickness", "m"), ("mass", "kg"), ("youngs_modulus", "Pa")):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected more than 0 {unit} and finite, got {getattr(self, name):g} {unit}")
        if not -1.0 < self.poisson_ratio < 0.5:
            raise ValueError(f"poisson_ratio: expected more than -1 and less than 0.5, got {self.poisson_ratio:g}")
        for name in ("columns", "rows"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1 element, got {getattr(self, name)}")
        if 2 * (self.columns + 1) * (self.rows + 1) > MOST:
            raise ValueError(f"columns: {self.columns} x {self.rows} elements have more than {MOST} coordinates; choose a coarser mesh")

    @property
    def nodes(self) -> Floats:
        """Places of the nodes, (nodes, 2), m."""
        x = np.linspace(-0.5, 0.5, self.columns + 1) * self.length
        y = np.linspace(-0.5, 0.5, self.rows + 1) * self.height
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    @property
    def triangles(self) -> Indices:
        """Corners of the elements, counter-clockwise, (2 columns rows, 3)."""
        across = self.columns + 1
        first = (np.arange(self.rows)[:, None] * across + np.arange(self.columns)).ravel()
        lower = np.stack([first, first + 1, first + across + 1], axis=1)
        upper = np.stack([first, first + across + 1, first + across], axis=1)
        return np.stack([lower, upper], axis=1).reshape(-1, 3)

    @property
    def lower_face(self) -> Indices:
        """Nodes of the lower face, from the rear to the front."""
        return np.arange(self.columns + 1)

    @property
    def upper_face(self) -> Indices:
        """Nodes of the upper face, from the rear to the front."""
        return self.rows * (self.columns + 1) + np.arange(self.columns + 1)

    @property
    def rigid(self) -> Floats:
        """R, (coordinates, 3)."""
        nodes = self.nodes
        motions = np.zeros((2 * len(nodes), RIGID))
        motions[0::2, 0] = motions[1::2, 1] = 1.0
        motions[0::2, 2], motions[1::2, 2] = -nodes[:, 1], nodes[:, 0]
        return motions

    def elasticity(self) -> Floats:
        """D of plane stress: (sigma_x, sigma_y, tau) = D (eps_x, eps_y, gamma), (3, 3), Pa."""
        nu = self.poisson_ratio
        d: Floats = self.youngs_modulus / (1.0 - nu**2) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu)]])
        return d

    def strain_matrices(self) -> tuple[Floats, Floats]:
        """(B, area): strains from the six coordinates of each element, (elements, 3, 6), and the elements' areas, m^2."""
        x, y = np.moveaxis(self.nodes[self.triangles], 2, 0)
        across, along = np.roll(y, -1, axis=1) - np.roll(y, 1, axis=1), np.roll(x, 1, axis=1) - np.roll(x, -1, axis=1)
        area = 0.5 * np.sum(x * across, axis=1)
        b = np.zeros((len(x), 3, 6))
        b[:, 0, 0::2] = b[:, 2, 1::2] = across / (2.0 * area[:, None])
        b[:, 1, 1::2] = b[:, 2, 0::2] = along / (2.0 * area[:, None])
        return b, area

    def stiffness(self) -> Floats:
        """K, (coordinates, coordinates)."""
        b, area = self.strain_matrices()
        return self._assembled(np.einsum("eki,kl,elj,e->eij", b, self.elasticity(), b, area * self.thickness))

    def mass_matrix(self) -> Floats:
        """M, (coordinates, coordinates)."""
        _, area = self.strain_matrices()
        block = np.kron((np.ones((3, 3)) + np.eye(3)) / 12.0, np.eye(2))
        return self._assembled(self.mass / (self.length * self.height) * area[:, None, None] * block)

    def strains(self, u: Floats) -> Floats:
        """(eps_x, eps_y, gamma) in each element, (elements, 3), for displacements u (coordinates,), m."""
        b, _ = self.strain_matrices()
        return np.asarray(np.einsum("eki,ei->ek", b, u[self._places()]))

    def flexibility(self, loads: Floats) -> Floats:
        """Elastic displacements (coordinates, n) under loads (coordinates, n), relative to the body's mean motion.

        The loads need not balance: what is left accelerates the body, whose own inertia then balances them.
        """
        from scipy.linalg import solve

        carried = self.mass_matrix() @ self.rigid
        size = len(carried)
        system = np.zeros((size + RIGID, size + RIGID))
        unit = self.youngs_modulus * self.thickness  # keeps the border of the size of the rest
        system[:size, :size] = self.stiffness() / unit
        system[:size, size:], system[size:, :size] = carried / self.mass, carried.T / self.mass
        right = np.concatenate([loads / unit, np.zeros((RIGID, loads.shape[1]))])
        return np.asarray(solve(system, right, assume_a="sym")[:size])

    def modes(self, count: int) -> tuple[Floats, Floats]:
        """(omega, shapes) of the lowest `count` elastic modes of the free plate: rad/s, (coordinates, count), of unit modal mass."""
        from scipy.linalg import eigh

        if count == 0:
            return np.zeros(0), np.zeros((len(self.rigid), 0))
        squares, shapes = eigh(self.stiffness(), self.mass_matrix(), subset_by_index=[RIGID, RIGID + count - 1])
        return np.sqrt(squares), shapes

    def _places(self) -> Indices:
        """Coordinates of each element, (elements, 6)."""
        return (2 * self.triangles[:, :, None] + np.arange(2)).reshape(-1, 6)

    def _assembled(self, blocks: Floats) -> Floats:
        places, size = self._places(), 2 * (self.columns + 1) * (self.rows + 1)
        whole = np.zeros((size, size))
        np.add.at(whole, (places[:, :, None], places[:, None, :]), blocks)
        return whole
