"""Noise whose power falls with frequency: a sum of tones with random phases, which is a function of the instant alone."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TONES = 64
"""Five or more a factor of two over four decades; their frequencies are drawn, so that it does not come again within any test."""
ROWS = 4096
"""Samples at a time: (ROWS, TONES) is what it takes of memory."""


class ColouredNoise:
    """Density 1/f^exponent from `lowest` to `highest` (Hz), 0 outside.

    Each tone stands for its piece of a spectrum that is cut evenly by log f, with its power: f^(1 - exponent), integrated over the piece
    (Shinozuka, Deodatis, Appl. Mech. Rev. 44 (1991) 191).
    """

    def __init__(self, rms: float, exponent: float, lowest: float, highest: float, rng: np.random.Generator) -> None:
        edges = np.geomspace(lowest, highest, TONES + 1)
        share = rng.uniform(size=TONES)
        self._omega = 2.0 * math.pi * edges[:-1] * (edges[1:] / edges[:-1]) ** share
        power = np.log(edges[1:] / edges[:-1]) if exponent == 1.0 else np.diff(edges ** (1.0 - exponent)) / (1.0 - exponent)
        self._amplitude = rms * np.sqrt(2.0 * power / power.sum())
        self._phase = rng.uniform(0.0, 2.0 * math.pi, TONES)

    def at(self, times: Floats) -> Floats:
        """(m,) s -> (m,) in the unit of rms."""
        out = np.empty(len(times))
        for begin in range(0, len(times), ROWS):
            part = times[begin : begin + ROWS, None]
            out[begin : begin + ROWS] = (self._amplitude * np.sin(self._omega * part + self._phase)).sum(axis=1)
        return out
