"""Figures that are gathered piece by piece from the samples that count: levels, wave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.comparison.fundamental import Waves, phase_difference
from rig.comparison.preparation import whole
from rig.comparison.series import Floats

Ratio = float | None


@dataclass
class Levels:
    """Sums and largest values of both signals and of their difference."""

    samples: int = 0
    difference: float = 0.0
    """Sum of (measured - predicted)^2."""
    measured: float = 0.0
    """Sum of measured^2."""
    predicted: float = 0.0
    low: float = np.inf
    """Smallest and largest measured value."""
    high: float = -np.inf
    low_predicted: float = np.inf
    high_predicted: float = -np.inf

    def add(self, measured: Floats, predicted: Floats) -> None:
        """The next samples that count, (k,) each, k > 0."""
        self.samples += len(measured)
        self.difference += float(np.sum(np.square(measured - predicted)))
        self.measured += float(np.sum(np.square(measured)))
        self.predicted += float(np.sum(np.square(predicted)))
        self.low, self.high = min(self.low, float(np.min(measured))), max(self.high, float(np.max(measured)))
        self.low_predicted = min(self.low_predicted, float(np.min(predicted)))
        self.high_predicted = max(self.high_predicted, float(np.max(predicted)))

    @property
    def rms_difference(self) -> float:
        return float(np.sqrt(self.difference / self.samples))

    @property
    def rms_measured(self) -> float:
        return float(np.sqrt(self.measured / self.samples))

    @property
    def rms_predicted(self) -> float:
        return float(np.sqrt(self.predicted / self.samples))

    @property
    def max_measured(self) -> float:
        return max(abs(self.low), abs(self.high))

    @property
    def max_predicted(self) -> float:
        return max(abs(self.low_predicted), abs(self.high_predicted))

    @property
    def half_range(self) -> float:
        """Half the measured range."""
        return 0.5 * (self.high - self.low)


class Wave:
    """Fundamental of both signals: error of the amplitude, and lead of predicted over measured."""

    def __init__(self) -> None:
        self._waves = Waves(2)

    def add(self, measured: Floats, predicted: Floats, phase: Floats, basis: Floats) -> None:
        """The next samples that count, (k,) each, k > 0, with the phase of the command, rad, and its `fundamental.basis` (3, k)."""
        self._waves.add(np.stack((measured, predicted)), phase, basis)

    def errors(self) -> tuple[Ratio, Ratio]:
        """(ratio of the amplitudes minus 1, lead in deg); None each when there is no wave."""
        found = self._waves.solve()
        if found is None or 0.0 in (abs(found[0]), abs(found[1])):
            return None, None
        measured, predicted = found
        return abs(predicted) / abs(measured) - 1.0, phase_difference(predicted, measured)


class CycleLevels:
    """Rms of both signals in each counted cycle, in order."""

    def __init__(self) -> None:
        self._rows: list[Floats] = []  # (runs, 4) of number, samples, sums of squares

    def add(self, measured: Floats, predicted: Floats, cycle: Floats) -> None:
        """The next samples that count, (k,) each, k > 0."""
        numbers = whole(cycle)
        starts = np.concatenate(([0], np.flatnonzero(numbers[1:] != numbers[:-1]) + 1))
        counts = np.diff(np.append(starts, len(numbers)))
        rows = np.column_stack((numbers[starts], counts, *(np.add.reduceat(np.square(x), starts) for x in (measured, predicted))))
        if self._rows and self._rows[-1][-1, 0] == rows[0, 0]:  # the cycle that the last piece ended in
            self._rows[-1][-1, 1:] += rows[0, 1:]
            rows = rows[1:]
        if len(rows):
            self._rows.append(rows)

    @property
    def sums(self) -> Floats:
        """(cycles, 4): number, samples, sums of the squares of measured and of predicted."""
        return np.concatenate(self._rows) if self._rows else np.empty((0, 4))

    @property
    def rows(self) -> Floats:
        """(cycles, 3): number, rms measured, rms predicted."""
        found = self.sums
        return np.column_stack((found[:, 0], np.sqrt(found[:, 2:] / found[:, 1:2])))
