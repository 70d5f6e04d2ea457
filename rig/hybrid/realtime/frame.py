"""The frame of the benchmark and how it is divided between computer and rig.

Three storeys, two bays, pinned at the base. Silva, Gomez, Maghareh, Dyke, Spencer: Benchmark control problem for real-time hybrid
simulation, Mech. Syst. Signal Process. 135 (2020) 106381, sections 2 and 3; "package" is its companion, github.com/MECHS-RCN/BENCHMARKS
(version 23, commit 1d40ab07). docs/real_time_hybrid.md says for each number which of the two it is from.

| symbol | name | unit |
|---|---|---|
| M, C, K | mass, damping, stiffness of the reference structure, (3, 3) | kg, N s/m, N/m |
| m_e, c_e, k_e | mass, damping, stiffness of the specimen, at the first floor | kg, N s/m, N/m |
| M_n, C_n, K_n | what is left to be computed: M - M_e, ... (eq 4) | |
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STOREYS, LINES = 3, 3  # floors; columns side by side
INCH = 0.0254


@dataclass(frozen=True)
class Sections:
    """Members of the frame (package, Reference_def.m). SI."""

    youngs_modulus: float = 200e9
    beam_length: float = 0.762
    column_length: float = 0.635
    beam_inertia: float = 255267e-12
    column_inertia: float = 2.520 * INCH**4


@dataclass(frozen=True)
class Specimen:
    """The experimental substructure: one storey of the frame (section 2.4; package for the fourth digit). SI."""

    mass: float = 29.13
    damping_ratio: float = 0.0097
    stiffness: float = 1190e3

    @property
    def damping(self) -> float:
        """c_e, N s/m: of the identified ratio, at whatever stiffness."""
        return float(2.0 * self.damping_ratio * np.sqrt(self.stiffness * self.mass))


@dataclass(frozen=True)
class Case:
    """A partitioning case: mass of a floor, kg, and modal damping, 1 (Table 1)."""

    floor_mass: float
    damping_ratio: float


CASES = {1: Case(1000.0, 0.05), 2: Case(1100.0, 0.04), 3: Case(1300.0, 0.03), 4: Case(1000.0, 0.03)}


def lateral_stiffness(sections: Sections = Sections()) -> Floats:
    """(3, 3), N/m, floor by floor: rigid in axial direction, rotations of the nine joints condensed (section 2.3)."""
    joints = STOREYS * LINES
    whole = np.zeros((STOREYS + joints, STOREYS + joints))

    def joint(storey: int, line: int) -> int:
        return STOREYS + storey * LINES + line

    e, h, b = sections.youngs_modulus, sections.column_length, sections.beam_length
    for line in range(LINES):
        i = e * sections.column_inertia
        first = [0, joint(0, line)]
        whole[np.ix_(first, first)] += i * np.array([[3.0 / h**3, -3.0 / h**2], [-3.0 / h**2, 3.0 / h]])  # hinged at its foot
        for storey in range(1, STOREYS):
            at = [storey - 1, storey, joint(storey - 1, line), joint(storey, line)]
            whole[np.ix_(at, at)] += i * np.array(
                [
                    [12.0 / h**3, -12.0 / h**3, 6.0 / h**2, 6.0 / h**2],
                    [-12.0 / h**3, 12.0 / h**3, -6.0 / h**2, -6.0 / h**2],
                    [6.0 / h**2, -6.0 / h**2, 4.0 / h, 2.0 / h],
                    [6.0 / h**2, -6.0 / h**2, 2.0 / h, 4.0 / h],
                ]
            )
    for storey in range(STOREYS):
        for line in range(LINES - 1):
            at = [joint(storey, line), joint(storey, line + 1)]
            whole[np.ix_(at, at)] += e * sections.beam_inertia / b * np.array([[4.0, 2.0], [2.0, 4.0]])
    sway, turn = slice(0, STOREYS), slice(STOREYS, None)
    return np.asarray(whole[sway, sway] - whole[sway, turn] @ np.linalg.solve(whole[turn, turn], whole[turn, sway]))


@dataclass(frozen=True)
class Structure:
    """Mass, damping and stiffness, (3, 3) each. SI."""

    mass: Floats
    damping: Floats
    stiffness: Floats

    @property
    def frequencies(self) -> Floats:
        """(3,) undamped, Hz."""
        squares = np.linalg.eigvals(np.linalg.solve(self.mass, self.stiffness)).real
        return np.asarray(np.sqrt(np.sort(squares)) / (2.0 * np.pi))


def reference(case: Case, sections: Sections = Sections()) -> Structure:
    """The whole, undivided structure: equal floors, one damping ratio for all modes (eq 2 and 3)."""
    stiffness = lateral_stiffness(sections)
    squares, modes = np.linalg.eigh(stiffness / case.floor_mass)
    damping = modes @ np.diag(2.0 * case.damping_ratio * np.sqrt(squares) * case.floor_mass) @ modes.T
    return Structure(case.floor_mass * np.eye(STOREYS), damping, stiffness)


@dataclass(frozen=True)
class Partition:
    """What is computed of a structure whose first floor is on the rig."""

    whole: Structure
    specimen: Specimen = field(default_factory=Specimen)

    @property
    def numerical(self) -> Structure:
        """M_n, C_n, K_n."""
        s, at = self.specimen, np.zeros((STOREYS, STOREYS))
        at[0, 0] = 1.0
        w = self.whole
        return Structure(w.mass - s.mass * at, w.damping - s.damping * at, w.stiffness - s.stiffness * at)

    def continuous(self) -> tuple[Floats, Floats, Floats]:
        """(A (6, 6), B of the ground's acceleration (6,), B of the measured force (6,)) of (displacements, velocities) (eq 7).

        The ground acts on the whole mass, the specimen's among it; the measured force on the first floor.
        """
        n = self.numerical
        inverse = np.linalg.inv(n.mass)
        a = np.block([[np.zeros((STOREYS, STOREYS)), np.eye(STOREYS)], [-inverse @ n.stiffness, -inverse @ n.damping]])
        ground = np.concatenate([np.zeros(STOREYS), -inverse @ self.whole.mass @ np.ones(STOREYS)])
        force = np.concatenate([np.zeros(STOREYS), -inverse[:, 0]])
        return a, ground, force


def continuous(structure: Structure) -> tuple[Floats, Floats]:
    """(A (6, 6), B of the ground's acceleration (6,)) of an undivided structure (eq 1)."""
    inverse = np.linalg.inv(structure.mass)
    a = np.block([[np.zeros((STOREYS, STOREYS)), np.eye(STOREYS)], [-inverse @ structure.stiffness, -inverse @ structure.damping]])
    return a, np.concatenate([np.zeros(STOREYS), -np.ones(STOREYS)])
