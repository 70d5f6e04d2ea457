"""A test whose specimen is known in closed form: it shows gain x + bend x^3 of the command x (in units of its amplitude)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from drivers.loaders import servo_loader
from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.config.bench import Bench, InputChannel, Sensor
from rig.config.experiment import Acquisition, Budget, Command, Comparison, Criterion, Experiment, Free, Identify, Spread
from rig.config.plan import Plan
from rig.recorder.description import Description, StreamShape
from rig.recorder.record import Record
from rig.trajectory import sine

RATE, FORCE, AMPLITUDE = 400.0, "transmitted_force", 1e4
UNCERTAINTY, NOISE = 0.004, 20.0  # of the sensor: expanded (k = 2), a share; rms, N
FREE = (Free("gain", "0.5", "2"), Free("bend", "-0.5", "0.5"))


@dataclass(frozen=True)
class Config(Mechanism):
    CHANNELS: ClassVar = ((FORCE, "N"),)

    gain: float = field(default=1.0, metadata={"unit": "1"})
    bend: float = field(default=0.1, metadata={"unit": "1"})
    fifth: float = field(default=0.02, metadata={"unit": "1"})
    """Known to within the budget only."""

    def __post_init__(self):
        if self.gain > 1.95:
            raise ValueError(f"gain: expected 1.95 at most, got {self.gain:g}")

    def create(self, integrator, rate, source="", path=None, lasting=0.0):
        if self.bend < -0.45:
            raise ModelError("bend: no motion with so little")
        return Stepper(self)


class Stepper:
    lookahead = 0

    def __init__(self, config):
        self._config, self.events = config, []

    def start(self, inputs):
        pass

    def advance(self, inputs):
        return shown(inputs, self._config)[:, None]


def shown(inputs, config):
    x = inputs / AMPLITUDE
    return AMPLITUDE * (config.gain * x + config.bend * x**3 + config.fifth * x**5)


def plan_in(folder: Path, known: bool = False, **identify) -> Plan:
    """known: nothing of specimen and sensor is said to be uncertain."""
    budget = Budget(20, 3, 0.0, (), () if known else (Spread("fifth", relative=0.5),))
    comparison = Comparison(lowpass=60.0, discard_cycles=1, criteria=(Criterion(FORCE, "nrms", 0.05),), budget=budget)
    experiment = Experiment(
        title="a gain", mechanism=Config(), integrator=None,
        trajectory=sine.Config(amplitude=AMPLITUDE, frequency=4.0, cycles=6, soft_start=0.25, soft_stop=0.25),
        acquisition=Acquisition(rate=RATE, block=0.25), command=Command(value_limit=2e4, rate_limit=1e7), comparison=comparison,
        identify=Identify(**{"free": FREE, "specimens": 40, **identify}),
    )  # fmt: skip
    sensor = Sensor(sensitivity=2e3) if known else Sensor(sensitivity=2e3, uncertainty=UNCERTAINTY, noise=NOISE)
    channels = (InputChannel(FORCE, "N", "Dev1/ai0", sensor),)
    bench = Bench(title="a bench", daq=None, loader=servo_loader.Config(), channels=channels)
    return Plan(folder.name, folder, folder, experiment, bench, "title = 1", "title = 2")


def record_in(
    folder: Path, plan: Plan, true: Config, gain: float, seed: int, more=lambda x: 0.0, late: float = 0.0, spoilt=lambda t, x: x
) -> None:
    """A specimen `true` behind a sensor of that gain, with noise; more: N, what the model has not; late: s; spoilt: of t (s) and what was
    measured (N), what the record has of it."""
    trajectory = plan.experiment.trajectory.create()
    value, phase, cycle = trajectory.evaluate(np.arange(int(trajectory.duration * RATE)) / RATE)
    noise = NOISE * np.random.default_rng(seed).standard_normal(len(value))
    then = np.interp(np.arange(len(value)) - late * RATE, np.arange(len(value)), value)
    measured = gain * (shown(then, true) + more(then / AMPLITUDE)) + noise
    sensors = {FORCE: {"sensitivity": 2e3, "offset": 0.0, "expired": False}}
    (folder / "plan.json").write_text("{}")
    record = Record(folder / "run.h5", Description(folder.name, "a gain", "2026-01-01", "title = 1", "title = 2", sensors))
    for name, channels, units, block in (
        ("command", ("value", "phase", "cycle"), ("N", "rad", "1"), np.column_stack((value, phase, cycle))),
        ("measured", (FORCE,), ("N",), spoilt(np.arange(len(value)) / RATE, measured)[:, None]),
        ("predicted_as_measured", (FORCE,), ("N",), shown(value, Config())[:, None]),
    ):
        record.stream(StreamShape(name, channels, units, RATE))
        record.append(name, 0, block)
    record.close()
