"""A column of a file, sample by sample: CSV, HDF5 or universal file 58. Straight between two samples, so that its bounds are exact.

value = scale (x - mean of x) + mean, or scale x where no mean is given. Before and after the column it stands still (under the envelope).
It begins a whole number of samples after its soft start began, so that at equal rate the samples that go out are those of the file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rig import playback
from rig.errors import ConfigError
from rig.playback import SUFFIXES
from rig.playback.column import Column
from rig.playback.resampling import SAME, resample
from rig.trajectory.envelope import Enveloped
from rig.trajectory.naming import Named

Floats = NDArray[np.float64]
BLOCK = 1 << 20  # samples that are looked at at a time
NEAR = 1e-6  # of a sample: this near to one it is that one, whatever n / rate * rate came to


@dataclass(frozen=True)
class Config(Named):
    """The file is found from where the experiment file is; it is read when the trajectory is first evaluated."""

    file: str = field(metadata={"file": True, "doc": f"ends in {SUFFIXES}"})
    column: str = field(metadata={"doc": "header without unit; path of the dataset; number or first line of the function"})
    unit: str | None = field(default=None, metadata={"doc": "of a column whose file does not say it"})
    resample: float | None = field(default=None, metadata={"unit": "Hz", "over": 0.0, "doc": "acquisition.rate, if the file has another"})
    scale: float = 1.0
    mean: float | None = field(default=None, metadata={"unit": "[mode]", "doc": "instead of the column's own"})
    cycles: int = field(default=1, metadata={"at_least": 1, "doc": "how often it is played, end to begin; each is a counted cycle"})
    soft_start: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0, "doc": "up to the next whole sample"})
    soft_stop: float = field(default=0.5, metadata={"unit": "s", "at_least": 0.0})
    sha256: str = field(default="", metadata={"digest_of": "file", "doc": "what the file must be; by itself what it was when checked"})

    def read(self) -> Column:
        """The column as it stands in the file. Raises ConfigError."""
        return playback.read(self.file, self.column, self.unit, self.sha256)

    def create(self) -> Enveloped:
        """The trajectory."""
        return Enveloped(Played(self), self.soft_start, self.soft_stop)


@dataclass(frozen=True)
class Played:
    """The wave; reads its file when it is first asked for anything but its number of cycles."""

    config: Config

    @property
    def cycles(self) -> int:
        """How often it is played."""
        return self.config.cycles

    @cached_property
    def rate(self) -> float:
        """Of the samples as played, Hz."""
        return self.config.resample or self.config.read().rate

    @cached_property
    def samples(self) -> Floats:
        """(N,) as played. Raises ConfigError."""
        c, column = self.config, self.config.read()
        values = column.values
        if c.resample is not None:
            try:
                values = resample(values, column.rate, c.resample, periodic=c.cycles > 1)
            except ValueError as error:
                raise ConfigError(f"{c.file}: {error}") from None
        if c.mean is not None:
            return c.scale * (values - float(np.mean(column.values))) + c.mean
        return values if c.scale == 1.0 else c.scale * values

    @property
    def duration(self) -> float:
        """From the end of the soft start to the last sample, s."""
        return self._wait + self._last / self.rate

    @cached_property
    def _wait(self) -> float:
        """What is missing to a whole sample at the end of the soft start, s."""
        return math.ceil(self.config.soft_start * self.rate - NEAR) / self.rate - self.config.soft_start

    @property
    def _last(self) -> int:
        return self.config.cycles * len(self.samples) - 1

    def evaluate(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """(value, rate, phase 0: no single wave turns)."""
        at = (t - self._wait) * self.rate
        near = np.rint(at)
        at = np.where(np.abs(at - near) < NEAR, near, at)
        inside = (at >= 0.0) & (at < self._last)
        n = np.clip(np.floor(at), 0, self._last).astype(np.intp)
        part = np.clip(at - n, 0.0, 1.0)
        here, there = self.samples[n % len(self.samples)], self.samples[np.minimum(n + 1, self._last) % len(self.samples)]
        return here + part * (there - here), np.where(inside, (there - here) * self.rate, 0.0), np.zeros_like(part)

    def cycle(self, t: Floats) -> Floats:
        """How often it has been played through."""
        return np.maximum(np.floor(((t - self._wait) * self.rate + NEAR) / len(self.samples)), 0.0)

    def bounds(self) -> tuple[float, float, float]:
        """Attained, all three; the step from the end to the begin counts when it is played more than once."""
        return self._bounds

    @cached_property
    def _bounds(self) -> tuple[float, float, float]:
        x = self.samples  # asked for again when there is no time to look through all of them
        low, high = float(x.min()), float(x.max())
        fastest = max(float(np.abs(np.diff(x[n : n + BLOCK + 1])).max()) for n in range(0, len(x) - 1, BLOCK))
        if self.config.cycles > 1:
            fastest = max(fastest, abs(float(x[0] - x[-1])))
        return low, high, fastest * self.rate

    def beyond(self, before: float, after: float) -> tuple[float, float, float, float]:
        """It stands still there."""
        first, last = float(self.samples[0]), float(self.samples[-1])
        return min(first, last), max(first, last), 0.0, 0.0


def faults(config: Config, unit: str, rate: float) -> Iterator[tuple[str, str]]:
    """(key, what is wrong) for a loader that is commanded in `unit` and a sample rate in Hz."""
    if another := playback.another(config.file, config.sha256):
        yield "sha256", another
        return
    try:
        column = config.read()
    except ConfigError as error:
        yield "file", str(error)
        return
    if column.unit != unit:
        yield "column", f"{column.name} is in {column.unit}, but the loader is commanded in {unit} (command.mode)"
    if config.resample is None and abs(column.rate / rate - 1.0) > SAME:
        say = f'resample = "{rate:.9g} Hz" plays it band-limited at that rate'
        yield "resample", f"{config.file} is sampled at {column.rate:.9g} Hz, acquisition.rate is {rate:.9g} Hz; {say}"
    elif config.resample is not None and abs(config.resample / rate - 1.0) > SAME:
        yield "resample", f"expected acquisition.rate, {rate:.9g} Hz; got {config.resample:.9g} Hz"
    else:
        try:
            Played(config).samples.sum()
        except ConfigError as error:
            yield "resample", str(error)
