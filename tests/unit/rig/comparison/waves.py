"""Commands of the tests: value, phase and counted cycle (N,) at RATE, with a stretch at rest behind them (cycle = -1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tests.unit.rig.comparison.reference_rig import RATE

NOISE = 25.0


class Wave(NamedTuple):
    command: np.ndarray
    phase: np.ndarray
    cycle: np.ndarray
    amplitude: float
    frequency: float | None

    @property
    def stream(self) -> dict[str, object]:
        """Arguments of `agreement` that describe the command."""
        return {"rate": RATE, **self._asdict()}


def _wave(phase: np.ndarray, envelope: np.ndarray, frequency: float | None) -> Wave:
    rest = np.zeros(int(0.3 * RATE))
    value = np.concatenate((envelope * np.sin(phase), rest))
    cycle = np.concatenate((np.floor(phase / (2.0 * np.pi) + 1e-9), rest - 1.0))
    return Wave(value, np.concatenate((phase, rest + phase[-1])), cycle, float(np.max(envelope)), frequency)


def sine(amplitude: float = 10e3, frequency: float = 3.0, cycles: int = 8) -> Wave:
    phase = 2.0 * np.pi * frequency * np.arange(round(cycles * RATE / frequency)) / RATE
    return _wave(phase, np.full(len(phase), amplitude), frequency)


def sweep(amplitude: float = 10e3, first: float = 1.0, last: float = 6.0, duration: float = 4.0) -> Wave:
    t = np.arange(int(duration * RATE)) / RATE
    phase = 2.0 * np.pi * (first * t + (last - first) * t**2 / (2.0 * duration))
    return _wave(phase, np.full(len(t), amplitude), None)


def program(amplitude: float = 10e3) -> Wave:
    """Three sines of different amplitude and frequency; before the last one the command rests for 0.2 s."""
    phases, envelopes, begin = [], [], 0.0
    for share, frequency, cycles in ((1.0, 3.0, 4), (0.6, 5.0, 5), (0.0, 0.0, 1), (1.0, 2.0, 2)):
        count = round(cycles * RATE / frequency) if frequency else int(0.2 * RATE)
        phases.append(begin + 2.0 * np.pi * frequency / RATE * np.arange(count))
        envelopes.append(np.full(count, share * amplitude))
        begin += 2.0 * np.pi * cycles if frequency else 0.0
    return _wave(np.concatenate(phases), np.concatenate(envelopes), None)


def noise(wave: Wave, seed: int, sigma: float = NOISE) -> np.ndarray:
    """White noise of the load cell, N."""
    return sigma * np.random.default_rng(seed).standard_normal(len(wave.command))


def late(x: np.ndarray, samples: int) -> np.ndarray:
    """x behind a line that delays it by whole samples, at rest before."""
    return np.concatenate((np.zeros(samples), x[: len(x) - samples]))
