"""A file of a real-time hybrid test: which partitions, which compensators, what shakes, what is measured how well, what stops it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.contact.laws import LAWS
from rig.hybrid.ground import Ground
from rig.hybrid.realtime.clearance import Clearance
from rig.hybrid.realtime.compensators.named import COMPENSATORS
from rig.hybrid.realtime.excitation import Chirp, GroundNoise, recorded
from rig.hybrid.realtime.frame import CASES
from rig.hybrid.realtime.monitor import Monitor

Floats = NDArray[np.float64]

NAMES = ", ".join(COMPENSATORS)


@dataclass(frozen=True)
class Sensors:
    """White noise of each, and the quantum of the command; the package's. 0: none."""

    displacement_noise: float = field(default=16e-6, metadata={"unit": "m", "at_least": 0.0, "doc": "rms; 0.002 V at 7.89 mm/V"})
    force_noise: float = field(default=2.18, metadata={"unit": "N", "at_least": 0.0, "doc": "rms; 0.002 V at 1096 N/V"})
    quantum: float = field(default=1.0 / 2**18, metadata={"unit": "m", "at_least": 0.0, "doc": "of the command"})


@dataclass(frozen=True)
class Bounds:
    """What the actuator may do (Silva et al. 2020, section 3.4); beyond it the test is lost."""

    stroke: float = field(default=7e-3, metadata={"unit": "m", "over": 0.0})
    force: float = field(default=8900.0, metadata={"unit": "N", "over": 0.0})


@dataclass(frozen=True)
class Experiment:
    """One of [ground], [chirp], [ground_noise] shakes it."""

    title: str
    cases: tuple[int, ...] = field(default=tuple(CASES), metadata={"doc": "partitions of the benchmark, 1 to 4"})
    compensators: tuple[str, ...] = field(default=tuple(COMPENSATORS), metadata={"doc": NAMES})
    rate: float = field(default=4096.0, metadata={"unit": "Hz", "at_least": 1024.0, "at_most": 16384.0, "doc": "of the loop"})
    perturbed: int = field(default=0, metadata={"at_least": 0, "at_most": 1000, "doc": "plants beside the nominal one"})
    seed: int = field(default=1, metadata={"at_least": 0, "doc": "of noise and of perturbed plants"})
    stop: bool = field(default=True, metadata={"doc": "a trip of the monitor ends the test; else it is noted, and the bounds end it"})
    ground: Ground | None = field(default=None, metadata={"doc": "a record"})
    chirp: Chirp | None = None
    ground_noise: GroundNoise | None = field(default=None, metadata={"doc": "made here"})
    sensors: Sensors = field(default_factory=Sensors)
    bounds: Bounds = field(default_factory=Bounds)
    monitor: Monitor = field(default_factory=Monitor)
    clearance: Clearance | None = field(default=None, metadata={"doc": "between actuator and specimen; none: bolted"})

    def acceleration(self) -> Floats:
        """(N + 1,) m/s^2 of the ground. Raises ConfigError for a record that cannot be read."""
        if self.ground is not None:
            return recorded(self.ground, self.rate)
        made = self.chirp or self.ground_noise
        assert made is not None
        return made.acceleration(self.rate)

    def faults(self) -> Iterator[tuple[str, str]]:
        """(key, what is wrong) with values that are right one by one."""
        if wrong := [case for case in self.cases if case not in CASES]:
            yield "cases", f"expected some of 1, 2, 3, 4; got {', '.join(map(str, wrong))}"
        if unknown := [name for name in self.compensators if name not in COMPENSATORS]:
            yield "compensators", f"expected some of {NAMES}; got {', '.join(unknown)}"
        for key, values in (("cases", self.cases), ("compensators", self.compensators)):
            if not values or len(set(values)) < len(values):
                yield key, f"expected each once and one at least, got {list(values)}"
        given = [name for name in ("ground", "chirp", "ground_noise") if getattr(self, name) is not None]
        if len(given) != 1:
            yield "ground", f"expected one of [ground], [chirp], [ground_noise], got {' and '.join(given) or 'none'}"
        if self.ground is not None:
            yield from ((f"ground.{key}", text) for key, text in self.ground.faults())
        if self.clearance is not None and self.clearance.law not in LAWS:
            yield "clearance.law", f"expected one of {', '.join(LAWS)}; got {self.clearance.law!r}"
