"""Experiments whose model is run along a made-up input, as along a record."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from rig.config import load_experiment
from rig.motion.parts import Floats

CONFIGS = Path(__file__).resolve().parents[5] / "configs/experiments"


def experiment(name: str, *overrides: str) -> Any:
    """Of the program's own, with the command as what the model follows."""
    setup = load_experiment(CONFIGS / f"{name}.toml", ['predictor.source="command"', *overrides])
    return SimpleNamespace(experiment=setup.experiment, bench=setup.bench, run="0001-made_up")


def recorded(value: Floats, rate: float) -> Any:
    """Signals of which the command is known."""
    return SimpleNamespace(rate=rate, command=SimpleNamespace(value=value), measured={})


def turning(seconds: float, rate: float, speed: float) -> Floats:
    """rad: from rest, faster and faster, up to `speed` (rad/s) in half the time."""
    t = np.arange(round(seconds * rate)) / rate
    half = 0.5 * seconds
    return np.asarray(np.where(t < half, 0.5 * speed / half * t**2, speed * (t - 0.5 * half)))
