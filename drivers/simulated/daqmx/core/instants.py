"""Instants on a bench (s): none of them, those of several grids in one, and levels that hold between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.float64]
NEVER: Times = np.empty(0)


def merge(grids: Sequence[Times], last: float | None) -> Times:
    """Instants of all grids in order, each once; `last` is appended when it lies behind them."""
    grid = grids[0] if len(grids) == 1 else np.unique(np.concatenate(grids)) if grids else np.empty(0)
    if last is not None and (not len(grid) or last > grid[-1]):
        grid = np.append(grid, last)
    return grid


def held(before: float, updates: Times, at: Times, grid: Times) -> Times:
    """Level that holds up to each instant of `grid`, given the level before and `updates` that come out at the instants `at`.

    An update takes effect behind its instant: a sample taken at the same clock edge still sees the old level.
    """
    levels = np.concatenate(([before], updates))
    index = np.arange(len(grid)) if grid is at else np.searchsorted(at, grid, side="left")
    return levels[np.minimum(index, len(levels) - 1)]
