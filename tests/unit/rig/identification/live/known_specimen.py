"""A specimen of which everything is known: force = offset + share * shape(phase), and what a running estimate of the share needs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from rig.comparison import Settings
from rig.identification.cycle_rows import CycleRows, Span
from rig.identification.live.fitted import Fitted
from rig.identification.surface import Region, Surface
from rig.identification.weighting import Weighting

RATE, PERIOD, NOISE = 2000.0, 0.1, 0.01
LOW, HIGH = 1.0, 3.0
"""Bounds of the number, m."""
POINTS = int(RATE * PERIOD)
PHASE = 2.0 * np.pi * np.arange(POINTS) / POINTS


def shown(share: float) -> np.ndarray:
    """One cycle of the force; the share comes in squared as well, so that the fit is no straight line."""
    return 5.0 + share * np.cos(PHASE) + 0.3 * share**2 * np.sin(3.0 * PHASE)


def rows(**settings) -> CycleRows:
    given = Settings(**{"lowpass": None, "discard_cycles": 1, **settings})
    return CycleRows.like([Span(0, POINTS, PHASE)], RATE, given, ("force",), None)


def fitted(region: tuple[float, float] = (0.1, 0.9), **settings) -> Fitted:
    its = rows(**settings)

    def figures(share: np.ndarray) -> np.ndarray:
        level = [] if its.settings.band is None else [0.0]  # of none of which the shape has anything
        return np.concatenate((its.transformed(shown(float(share[0])), PHASE), level))

    with ThreadPoolExecutor(1) as pool:
        surface = Surface.through(Region(*(np.array([end]) for end in region)), figures, pool, 1)
    weighting = Weighting(np.eye(len(its)) * NOISE**2)
    command = its.transformed(np.sin(PHASE), PHASE)
    nothing = np.zeros(1)
    return Fitted(
        ("clearance",), ("m",), np.array([LOW]), np.array([HIGH]), its, surface, weighting, np.zeros(len(its)), nothing, np.array([0.01]),
        np.eye(1) * 1e-4, command, PERIOD, 100.0, ("0001-linkage",), {"mechanism.mass": 3.0},
    )  # fmt: skip


def course(shares, before: int = 37) -> tuple[np.ndarray, np.ndarray]:
    """(command (N, 3), force (N,)): some samples of no cycle, then a cycle of each share, then some of no cycle again."""
    cycles = [np.column_stack((np.sin(PHASE), PHASE + 2.0 * np.pi * n, np.full(POINTS, float(n)))) for n in range(len(shares))]
    rest = np.column_stack((np.zeros(before), np.zeros(before), np.full(before, -1.0)))
    return np.concatenate((rest, *cycles, rest)), np.concatenate((np.full(before, 5.0), *map(shown, shares), np.full(before, 5.0)))
