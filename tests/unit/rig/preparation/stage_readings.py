"""A stage by itself, decision by decision: settings whose numbers are easy to reckon with, and readings that say what is wanted.

A block is 10 ms, 20 samples; the last 5 of them say where a channel is now.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from drivers.loaders.servo_loader import Preparation
from rig.errors import BenchRefused
from rig.preparation.settings import Reading, Settings

RATE, BLOCK = 2000.0, 20
FORCE_FULL_SCALE, STROKE_FULL_SCALE = 250e3, 0.05
PRELOAD, PROBE, TOUCH = 5000.0, 2500.0, 1000.0  # N, as the shares of the loader's own defaults make them


def settings(**shares: Any) -> Settings:
    return Settings.from_shares(Preparation(**shares), FORCE_FULL_SCALE, STROKE_FULL_SCALE, BLOCK, RATE)


def reading(setpoint: float, force: float = 0.0, stroke: float = 0.0, before: float = 0.0) -> Reading:
    """`force` and `stroke` now; on the way there they were `before` (a share) of that."""
    shape = np.concatenate([np.full(BLOCK - 5, before), np.ones(5)])
    return Reading(setpoint, np.full(BLOCK, setpoint), force * shape, stroke * shape, 5, np.ones(BLOCK, dtype=bool))


def refused(name: str, do: Callable[[], object]) -> str:
    """What is said as it is refused by that name."""
    with pytest.raises(BenchRefused) as found:
        do()
    assert found.value.name == name, str(found.value)
    return found.value.text
