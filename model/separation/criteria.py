"""Where contact is lost, by the criteria that need nothing but the ideal mechanism (zhang1995 eqs 1, 2, 20).

| criterion | contact is lost |
|---|---|
| Earles-Wu (eq 1) | at a local minimum of F32* where abs(alpha*'/F32*) >= 1 rad/(s N) |
| Li-Bai (eq 2) | where gamma beta epsilon times that is >= 1 |
| critical points (eq 20) | where aq and br are zero at the same time |

gamma = (1 - 0.01)/0.28 l_a + 0.01 and beta = (1 - 0.01)/7.8 m_a + 0.01, l_a (m) and m_a (kg) the mean length and mass of the moving
links. The paper does not give the crank's mass: l_a is over the three moving links, m_a over coupler and rocker. epsilon is a
factor for the clearance, of which the paper says nothing more: 1 unless another is given.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from model.floats import Floats
from model.mechanisms.four_bar import Config
from model.mechanisms.four_bar.angles import apart, grid, zeros
from model.mechanisms.four_bar.correction import corrected, correction
from model.mechanisms.four_bar.ideal import ideal

LIMIT = 1.0  # rad/(s N) of Earles-Wu
FLOOR, LENGTH, MASS = 0.01, 0.28, 7.8  # gamma_0 = beta_0; m, kg: what Li-Bai's coefficients are referred to
SMALL = 0.1  # first-order terms beyond this are not small; assumed


@dataclass(frozen=True)
class Minimum:
    """A local minimum of F32*: crank angle (rad), force (N), abs(alpha*'/F32*) (rad/(s N)), and that times gamma beta epsilon."""

    angle: float
    force: float
    earles_wu: float
    li_bai: float


@dataclass(frozen=True)
class CriticalPoints:
    """Zeros of aq and br (rad), and which of them count as one: pairs (aq, br) within `tolerance` (rad); the nearest pair of all."""

    aq: Floats
    br: Floats
    tolerance: float
    pairs: tuple[tuple[float, float], ...]
    nearest: tuple[float, float] | None

    @property
    def angles(self) -> list[float]:
        """Where contact is lost: in the middle of each pair."""
        return [float(np.mod(aq + 0.5 * apart(aq, br), 2.0 * math.pi)) for aq, br in self.pairs]


@dataclass(frozen=True)
class Validity:
    """Largest first-order terms over the revolution, and the crank angles (rad) between which one of them is not small."""

    Rc_alpha1_max: float
    Rc_F1_over_F_max: float
    doubtful: tuple[tuple[float, float], ...]


def li_bai_factor(config: Config, epsilon: float = 1.0) -> float:
    """gamma beta epsilon of eq 2. Raises ModelError for a negative epsilon."""
    if not 0.0 <= epsilon < math.inf:
        raise ModelError(f"epsilon of Li-Bai: expected at least 0, got {epsilon:g}")
    length = (config.crank_length + config.coupler_length + config.rocker_length) / 3.0
    mass = 0.5 * (config.coupler_mass + config.rocker_mass)
    return ((1.0 - FLOOR) / LENGTH * length + FLOOR) * ((1.0 - FLOOR) / MASS * mass + FLOOR) * epsilon


def minima(config: Config, epsilon: float = 1.0) -> list[Minimum]:
    """The local minima of F32* over one revolution, by crank angle."""
    found = zeros(lambda angles: ideal(config, angles).F.derivative(1), rising=True)
    there = ideal(config, found)
    values, factor = np.abs(there.alpha.derivative(1) / there.F.value), li_bai_factor(config, epsilon)
    return [Minimum(a, f, v, factor * v) for a, f, v in zip(found.tolist(), there.F.value.tolist(), values.tolist(), strict=True)]


def critical_points(config: Config, tolerance: float) -> CriticalPoints:
    """Zeros of aq and br and what `tolerance` (rad) makes of them. Raises ModelError for a negative one.

    A zero belongs to one pair at most, the nearest first.
    """
    if not 0.0 <= tolerance <= math.pi:
        raise ModelError(f"simultaneity tolerance: expected 0 to 180 deg, got {math.degrees(tolerance):g} deg")

    def of(name: str) -> Callable[[Floats], Floats]:
        return lambda angles: np.asarray(getattr(corrected(config, ideal(config, angles)), name).value)

    aq, br = zeros(of("aq")), zeros(of("br"))
    distances = sorted((abs(float(apart(a, b))), a, b) for a in aq.tolist() for b in br.tolist())
    pairs: list[tuple[float, float]] = []
    for distance, a, b in distances:
        if distance <= tolerance and all(a != other and b != one for other, one in pairs):
            pairs.append((a, b))
    return CriticalPoints(aq, br, tolerance, tuple(sorted(pairs)), distances[0][1:] if distances else None)


def validity(config: Config) -> Validity:
    """How far the first-order expansion can be trusted at the configured clearance."""
    angles = grid()
    there = ideal(config, angles)
    first = correction(config, there)
    direction = config.clearance * np.abs(first.alpha_1.value)
    force = config.clearance * np.abs(first.F_1.value) / there.F.value
    return Validity(float(direction.max()), float(force.max()), _stretches(angles, (direction > SMALL) | (force > SMALL)))


def _stretches(angles: Floats, marked: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """(first, last) angle of each marked stretch of the revolution, which closes on itself."""
    if marked.all():
        return ((0.0, 2.0 * math.pi),)
    starts, ends = angles[marked & ~np.roll(marked, 1)], angles[marked & ~np.roll(marked, -1)]
    if len(starts) and ends[0] < starts[0]:
        ends = np.roll(ends, -1)
    return tuple(zip(starts.tolist(), ends.tolist(), strict=True))
