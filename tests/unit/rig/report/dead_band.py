"""A record to be compared, of a stand-in for a mechanism.

It is a dead band whose width is its only property, with a law that does nothing, or a lot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from drivers.loaders import servo_loader
from model.mechanisms.mechanism import Mechanism
from rig.config.bench import Bench, InputChannel, Sensor
from rig.config.experiment import Acquisition, Command, Comparison, Criterion, Experiment
from rig.recorder.description import NOT_KEPT, Description, Event, Gap, StreamShape
from rig.recorder.record import Record
from rig.sensors.transfer import Transfer
from rig.trajectory import sine

RATE = 6400.0
FORCE = "transmitted_force"
CHANNELS = ((FORCE, "N"), ("inside", "N"), ("stroke", "m"))


@dataclass(frozen=True)
class Contact:
    law: str = "plain"


@dataclass(frozen=True)
class Config(Mechanism):
    CHANNELS: ClassVar = CHANNELS

    contact: Contact = field(default_factory=Contact)

    def __post_init__(self):
        if self.contact.law not in BANDS:
            raise ValueError(f"contact.law: expected one of {', '.join(BANDS)}; got {self.contact.law}")

    @property
    def contact_law(self):
        return self.contact.law

    def with_contact_law(self, law):
        return replace(self, contact=replace(self.contact, law=law))

    def create(self, integrator, rate, source="", path=None, lasting=0.0):
        return Stepper(BANDS[self.contact.law])


BANDS = {"plain": 0.3, "neighbour": 0.3001, "loose": 0.45}


class Stepper:
    """The input of two samples ago, without the part inside the dead band; like any stepper it runs behind by its lookahead."""

    lookahead = 2

    def __init__(self, band: float) -> None:
        self._band, self._past, self.events = band, np.empty(0), []

    def start(self, inputs):
        self._past = inputs.copy()

    def advance(self, inputs):
        longer = np.concatenate((self._past, inputs))
        now, self._past = longer[: len(inputs)], longer[len(inputs) :]
        force = np.where(np.abs(now) < self._band * 1e4, 0.0, now)
        return np.column_stack((force, 0.5 * force, 1e-8 * force))


def channel(name: str, unit: str, volt: float) -> InputChannel:
    return InputChannel(name, unit, f"Dev1/{name}", Sensor(sensitivity=volt, bandwidth=1000.0))


def experiment(**changes) -> Experiment:
    criteria = (Criterion(FORCE, "max", 0.01), Criterion(FORCE, "first_impact", 0.005), Criterion(FORCE, "nrms", 0.02))
    parts = {
        "title": "dead band",
        "mechanism": Config(),
        "trajectory": sine.Config(amplitude=1e4, frequency=4.0, cycles=6, soft_start=0.25, soft_stop=0.25),
        "integrator": None,
        "acquisition": Acquisition(rate=RATE),
        "command": Command(value_limit=2e4, rate_limit=1e7),
        "comparison": Comparison(criteria=criteria),
    }
    return Experiment(**{**parts, **changes})


BENCH = Bench(
    title="a bench",
    daq=None,
    loader=servo_loader.Config(),
    channels=(channel(FORCE, "N", 2e3), channel("stroke", "m", 1e-4), channel("monitor", "N", 2e3)),
)


def record(
    path: Path,
    chosen: Experiment,
    share: float,
    ran: float = 1.0,
    kept: Sequence[range] | None = None,
    wrong: range = range(0),
    held: range = range(0),
) -> None:
    """kept: samples that are, None for all; wrong: samples of which everything measured is 1.3 times as much; held: those of a hold, as its
    events tell, though the command goes on."""
    trajectory = chosen.trajectory.create()
    t = np.arange(int(ran * trajectory.duration * RATE)) / RATE
    value, phase, cycle = trajectory.evaluate(t)
    sensors = {c.name: {"sensitivity": c.sensor.sensitivity, "offset": 0.0, "expired": False} for c in BENCH.channels}
    record = Record(path, Description("0001-deadband", "dead band", "2026-01-01", "title = 1", "title = 2", sensors))
    stepper = chosen.mechanism.create(None, RATE, "command")
    stepper.start(value[:2])
    predicted = np.concatenate([stepper.advance(part) for part in np.array_split(np.concatenate((value[2:], value[-1:], value[-1:])), 7)])
    transfers = {c.name: Transfer(c, RATE) for c in BENCH.channels}
    as_measured = np.column_stack([transfers[FORCE].apply(predicted[:, 0]), transfers["stroke"].apply(predicted[:, 2])])
    noise = np.random.default_rng(1).standard_normal((len(t), 3)) * (20.0, 1e-8, 20.0)
    measured = np.column_stack((as_measured[:, 0], as_measured[:, 1], value)) + noise
    measured[wrong] *= 1.3
    for name, channels, units, block in (
        ("command", ("value", "phase", "cycle"), ("N", "rad", "1"), np.column_stack((value, phase, cycle))),
        ("measured", (FORCE, "stroke", "monitor"), ("N", "m", "N"), measured),
        ("predicted_as_measured", (FORCE, "stroke"), ("N", "m"), as_measured[: int(share * len(t))]),
    ):
        record.stream(StreamShape(name, channels, units, RATE))
        at = 0
        for part in [range(len(block))] if kept is None else [*kept, range(len(block), len(block))]:
            if part.start > at:
                record.gap(Gap(name, at, part.start - at, NOT_KEPT))
            if len(part):
                record.append(name, part.start, block[part])
            at = part.stop
    if held:
        for n, word in (
            (held.start, "holding: hold by a test"),
            (held.start + 9, "hold"),
            (held.stop - 9, "resuming"),
            (held.stop, "running"),
        ):
            record.event(Event(n, n / RATE, "bench", "state", word))
    record.close()
