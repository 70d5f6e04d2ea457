"""What a case of the benchmark is, and what a program makes of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Metric:
    """Error of a run: the largest difference of `channel` from the converged run at the output samples up to `until` (s)."""

    channel: str
    unit: str
    at: float  # error at which programs are compared, in `unit`
    until: float = math.inf  # s: motion that is chaotic after many impacts has no converged run later on

    @property
    def name(self) -> str:
        """As the tables have it."""
        until = "" if math.isinf(self.until) else f" up to {self.until * 1e3:g} ms"
        return f"max |{self.channel} - converged|{until}"


@dataclass(frozen=True)
class Case:
    """One row of the table. Settings, `reference` and `check` are overrides of the experiment ("KEY=VALUE"), SI.

    reference: the converged run; check: a coarser one, which shows that it is converged by how little it differs.
    """

    name: str
    experiment: str  # file in configs/experiments, without .toml
    duration: float  # s
    metrics: tuple[Metric, ...] = ()
    conditions: tuple[str, ...] = ()
    settings: tuple[tuple[str, ...], ...] = tuple((f"integrator.tolerance={tolerance:g}",) for tolerance in (1e-4, 1e-6, 1e-8, 1e-10))
    reference: tuple[str, ...] = ("integrator.tolerance=1e-13",)
    check: tuple[str, ...] = ("integrator.tolerance=1e-12",)
    rate: float = 100e3  # Hz, of the output
    peers: tuple[str, ...] = ()  # modules of rig.benchmark.peers
    frame_setting: int = -2  # which of the settings is streamed in frames
    members: int = 0  # > 0: an ensemble of so many, of each experiment (with conditions) of `together`
    together: tuple[tuple[str, tuple[str, ...], float], ...] = ()  # each with its simulated time, s


@dataclass(frozen=True)
class Run:
    """What one run took and gave."""

    wall: float  # s
    cpu: float  # s of its threads
    times: Floats = field(default_factory=lambda: np.empty(0))
    values: Mapping[str, Floats] = field(default_factory=dict)


class Runner(Protocol):
    """A program with its settings on a case; `run` may be called again and again."""

    @property
    def program(self) -> str: ...
    @property
    def settings(self) -> Mapping[str, object]: ...
    def run(self) -> Run: ...
