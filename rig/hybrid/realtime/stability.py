"""Whether a loop can be stable, beforehand: eigenvalues of one sample of the linear loop, and the critical delay of a partition."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.hybrid.realtime.compensators.contract import Compensator
from rig.hybrid.realtime.control_plant import ControlPlant
from rig.hybrid.realtime.frame import Partition

Floats = NDArray[np.float64]


def loop_matrix(structure: tuple[Floats, Floats], plant: ControlPlant, compensator: Compensator) -> Floats:
    """(n, n) map over one sample of (structure (6,), plant, force a sample ago, compensator) without ground and noise.

    structure: A (6, 6) and B of the held force (6,), at the samples. The compensator and the plant are linear: what one sample makes of
    each unit vector is a column. Raises ValueError for others.
    """
    if not (compensator.linear and plant.linear):
        raise ValueError(f"{compensator.name}: a loop that learns or has a clearance has no eigenvalues; run it instead")
    a, b = structure
    n_plant, n = len(plant.initial) // 2, len(plant.initial) // 2 + len(compensator.initial) + 7
    force_at, displacement_at = int(plant.parameters[-2]), int(plant.parameters[-1])
    columns = []
    for unit in np.eye(n):
        frame, rest = unit[:6], unit[6:]
        actuator, used, memory = plant.state(), rest[n_plant], rest[n_plant + 1 :].copy()
        actuator[:n_plant] = rest[:n_plant]
        force, measured = actuator[force_at], actuator[displacement_at]
        command = compensator.step(memory, compensator.parameters, float(frame[0]), float(measured))
        plant.advance(actuator, plant.parameters, command, np.zeros(3))
        columns.append(np.concatenate([a @ frame + b * used, actuator[:n_plant], [force], memory]))
    return np.array(columns).T


def spectral_radius(matrix: Floats) -> float:
    """Largest magnitude of an eigenvalue; above 1 the loop is unstable."""
    return float(np.max(np.abs(np.linalg.eigvals(matrix))))


def critical_delay(partition: Partition, frequencies: Floats | None = None) -> float:
    """s: the smallest delay of the specimen's force at which the divided structure is no longer stable (Maghareh et al.; Silva et al. 2020,
    eq 8); log10 of it in ms is the predictive stability indicator. inf where every delay is stable.

    At the limit 1 + H(i w) Z(i w) exp(-i w tau) = 0, H the computed structure's receptance of the first floor, Z the specimen's
    dynamic stiffness: |H Z| = 1 gives w, its phase tau.
    """
    n, s = partition.numerical, partition.specimen

    def gain(w: float) -> complex:
        dynamic = n.stiffness + 1j * w * n.damping - w * w * n.mass
        return complex(np.linalg.inv(dynamic)[0, 0] * (s.stiffness + 1j * w * s.damping - w * w * s.mass))

    grid = np.linspace(0.1, 120.0, 24000) * 2.0 * np.pi if frequencies is None else 2.0 * np.pi * frequencies
    levels = np.array([abs(gain(w)) - 1.0 for w in grid])
    found = []
    for k in np.flatnonzero(levels[:-1] * levels[1:] < 0.0):
        share = levels[k] / (levels[k] - levels[k + 1])
        w = float(grid[k] + share * (grid[k + 1] - grid[k]))
        found.append(((np.angle(gain(w)) + np.pi) % (2.0 * np.pi)) / w)
    return float(min(found, default=np.inf))
