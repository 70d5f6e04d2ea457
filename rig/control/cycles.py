"""Mean and fundamental of whole cycles, gathered block by block in constant memory.

Each signal x is fitted by  m + Im(Z exp(i phase))  in least squares over one cycle: |Z| is the amplitude, arg Z the lead over the phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

LEAST_CONDITION = 1e-3  # smallest eigenvalue of the normal matrix a sample; 0.5 over a whole cycle
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cycle:
    """One cycle: number, first sample, samples, mean and fundamental of each signal, None where the phase did not turn.

    Of what should stand still in it (`held`): the last value, and how far it went.
    """

    number: int
    first: int
    samples: int
    mean: tuple[float, ...]
    fundamental: tuple[complex, ...] | None
    last: tuple[float, ...] = ()
    moved: tuple[float, ...] = ()


class Gatherer:
    """Cuts what it is given into cycles and fits each."""

    def __init__(self, signals: int) -> None:
        self._signals = signals
        self._open: int | None = None
        self._low: Floats | float = np.inf
        self._high: Floats | float = -np.inf
        self._clear(0)

    @property
    def within(self) -> bool:
        """A counted cycle has begun and not ended."""
        return self._open is not None

    def add(self, first: int, cycle: Floats, phase: Floats, values: Floats, held: Floats | None = None) -> list[Cycle]:
        """Samples first ..: counted cycle (k,), -1 where nothing is counted; phase (k,) rad; values (k, signals); held (k, any number).

        Returns the cycles that ended, in order. Values that are not finite make a cycle whose fundamental is None.
        """
        held = np.empty((len(cycle), 0)) if held is None else held
        done = []
        edges = [0, *(np.flatnonzero(np.diff(cycle)) + 1).tolist(), len(cycle)]
        for begin, end in pairwise(edges):
            number = int(cycle[begin])
            if self._open is not None and number != self._open:
                done.append(self._fitted())
                self._open = None
            if number >= 0:
                if self._open is None:
                    self._open = number
                    self._clear(first + begin)
                self._gather(phase[begin:end], values[begin:end])
                self._hold(held[begin:end])
        return done

    def _clear(self, first: int) -> None:
        self._first, self._count = first, 0
        self._gram, self._right = np.zeros((3, 3)), np.zeros((3, self._signals))
        self._low, self._high, self._last = np.inf, -np.inf, np.empty(0)

    def _hold(self, held: Floats) -> None:
        self._low, self._high = np.minimum(self._low, held.min(axis=0)), np.maximum(self._high, held.max(axis=0))
        self._last = held[-1]

    def _gather(self, phase: Floats, values: Floats) -> None:
        basis = np.stack((np.sin(phase), np.cos(phase), np.ones_like(phase)))
        self._gram += basis @ basis.T
        self._right += basis @ values
        self._count += len(phase)

    def _fitted(self) -> Cycle:
        assert self._open is not None
        mean = self._right[2] / self._count
        held = {"last": tuple(self._last.tolist()), "moved": tuple(np.asarray(self._high - self._low).tolist())}
        turned = np.linalg.eigvalsh(self._gram)[0] >= LEAST_CONDITION * self._count
        if not (turned and np.all(np.isfinite(self._right))):
            return Cycle(self._open, self._first, self._count, tuple(mean.tolist()), None, **held)
        sine, cosine, offset = np.linalg.solve(self._gram, self._right)
        return Cycle(self._open, self._first, self._count, tuple(offset.tolist()), tuple((sine + 1j * cosine).tolist()), **held)
