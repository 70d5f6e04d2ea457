"""Motions whose gain is known: of a loop simulated finely, of one solved exactly, and made from the equation that is fitted."""

from __future__ import annotations

import numpy as np

STEP = 0.01
FINE = 50  # steps of the simulated loop in one of these
PROBE = 1e-4
CODE = 0.05 / 32768


def probe(codes: float = 0.0) -> np.ndarray:
    """To one side, to the other, back, with rests; quantised to `codes` m."""
    legs = np.concatenate([np.zeros(4), np.linspace(0, 1, 11)[1:], np.linspace(1, -1, 21)[1:], np.linspace(-1, 0, 11)[1:], np.zeros(10)])
    return np.round(PROBE * legs / codes) * codes if codes else PROBE * legs


def loop(command: np.ndarray, gain: float, proportional: float, integral: float, late: float, noise: float = 0.0):
    """Mean and end of each step of y' = a (G u - y) + b int (G u - y), whose command arrives `late` s after it was written."""
    rng = np.random.default_rng(1)
    fine, h = np.repeat(command, FINE), STEP / FINE
    fine = np.concatenate([np.zeros(round(late / h)), fine])[: len(fine)]
    y, charge, out = 0.0, 0.0, np.empty(len(fine))
    for i, u in enumerate(fine):
        error = gain * u - y
        charge += h * integral * error
        y += h * (proportional * error + charge)
        out[i] = y
    blocks = out.reshape(-1, FINE)
    mean = blocks.mean(axis=1) + noise / 22 * rng.standard_normal(len(blocks))
    return mean, blocks[:, -1] + noise / 11 * rng.standard_normal(len(blocks))


def first_order(gain: float, fast: float, at: float) -> tuple[np.ndarray, ...]:
    """Command and mean, end of it, and of y' = a (G u - y), exact at any a, of values that go out at share `at` of each step."""
    u = np.repeat(probe(), FINE)
    u = np.concatenate([np.zeros(round(at * FINE)), u])[: len(u)]
    keep = np.exp(-fast * STEP / FINE)
    y = np.zeros(len(u))
    for n in range(1, len(u)):
        y[n] = gain * u[n] + (y[n - 1] - gain * u[n]) * keep
    y, u = y.reshape(-1, FINE), u.reshape(-1, FINE)
    return u.mean(axis=1), u[:, -1], y.mean(axis=1), y[:, -1]


def summed(values: np.ndarray, step: np.ndarray | float = STEP) -> np.ndarray:
    """Integral, by trapezia from 0 on, of what has a value at the end of each step."""
    return np.cumsum(0.5 * step * (values + np.concatenate([[0.0], values[:-1]])))


FOLLOWS = 30.0, 40.0
"""a (1/s) and b (1/s^2) of a motion made from the equation."""


def obeying(
    gain: float, command: np.ndarray, mean: np.ndarray, offset: np.ndarray | float = 0.0, follows: tuple[float, float] = FOLLOWS,
    late: float = -0.004, step: np.ndarray | float = STEP,
) -> np.ndarray:  # fmt: skip
    """Ends that y = a int (G u - y) + b int int (G u - y) - late a G u gives, whatever the means; `offset` of the first integral of u."""
    a, b = follows
    u, y = np.cumsum(step * command) + offset, np.cumsum(step * mean)
    return a * (gain * u - y) + b * (gain * summed(u, step) - summed(y, step)) - late * a * gain * command
