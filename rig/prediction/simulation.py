"""The model alone: samples, the solver's own extremes between them, events. On a steady trajectory, or with the mechanism's own drive.

A mechanism without SOURCES brings its own drive; one that FOLLOWS_PATH goes along [trajectory] path.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from model.errors import InconsistentStart, ModelError, NotConverged
from model.mechanisms.mechanism import Mechanism
from model.paths.course import Course
from model.stepping.contract import Event, Stepper
from rig.config.experiment import Experiment
from rig.errors import ConfigError
from rig.prediction import ensembles
from rig.prediction.slowness import Slowness
from rig.trajectory import Trajectory
from rig.trajectory import create as create_trajectory
from rig.trajectory.drives import path_of

Floats = NDArray[np.float64]

FINEST_INPUT = 50e3  # Hz: the command is given to the model at least as finely
BLOCK = 20_000  # samples at a time
MOST_ROWS = 20_000_000  # of a table: some 2 GB in memory
SMALLEST_PERIOD = 64  # input samples a period of a sine, at least


@dataclass(frozen=True)
class Simulated:
    """Result on the grid t = n/rate, n = 0..N-1. `low`, `high`: extremes since the sample before, of more than the channels."""

    rate: float
    command: Floats | None  # (N,), none: the mechanism brings its own drive
    cycle: Floats  # (N,)
    channels: tuple[tuple[str, str], ...]  # name, unit
    values: Floats  # (N, channels)
    low: Floats  # (N, channels and more)
    high: Floats
    extremes: tuple[str, ...]  # channels whose largest value is tabled
    events: list[MotionEvent]
    frequency: float | None
    rtf: float
    ensemble: ensembles.Simulated | None = None
    remarks: tuple[str, ...] = ()  # what the mechanism has to say about itself
    equations: str = ""  # where a mechanism has several ways to be moved: which it is, and why

    @property
    def time(self) -> Floats:
        """t, s."""
        return np.arange(len(self.values), dtype=np.float64) / self.rate


class MotionEvent(TypedDict):
    """What happened: when (s), what, where, and how fast (m/s) two parts that met came upon each other."""

    time_s: float
    kind: str
    where: str
    approach_speed: float | None


class Along(TypedDict, total=False):
    """What a mechanism follows that goes along a path, and for how long (s)."""

    path: Course
    lasting: float


@dataclass(frozen=True)
class Drive:
    """What a mechanism is fed with: a trajectory's setpoint, or nothing for `lasting` s."""

    trajectory: Trajectory | None
    lasting: float

    @classmethod
    def from_experiment(cls, experiment: Experiment) -> Drive:
        """The trajectory without its soft start and stop; for a mechanism with its own drive its own duration."""
        mechanism = experiment.mechanism
        if not loaded(experiment):
            path = _path(experiment)
            own = mechanism.own_duration() if path is None else path.duration
            return cls(None, experiment.simulate.duration or own)
        trajectory = create_trajectory(experiment.trajectory).steady()
        return cls(trajectory, experiment.simulate.duration or trajectory.duration)

    @property
    def frequency(self) -> float | None:
        """Of a sine, Hz."""
        return self.trajectory.frequency if self.trajectory else None

    @property
    def finest(self) -> float:
        """Rate at which the model has to be given it, Hz."""
        return max(FINEST_INPUT, SMALLEST_PERIOD * (self.frequency or 0.0)) if self.trajectory else 0.0

    def evaluate(self, times: Floats) -> tuple[Floats, Floats]:
        """(setpoint, cycle) at the times, s."""
        if self.trajectory is None:
            return np.zeros(len(times)), np.zeros(len(times))
        value, _, cycle = self.trajectory.evaluate(times)
        return np.asarray(value, dtype=np.float64), np.asarray(cycle, dtype=np.float64)


def simulate(experiment: Experiment) -> Simulated:
    """Run the mechanism from its start state.

    Raises ConfigError for settings that cannot be run (a step above the stability limit), NotConverged when the motion diverges.
    """
    mechanism = experiment.mechanism
    drive, rate = Drive.from_experiment(experiment), experiment.simulate.output_rate
    samples = math.floor(drive.lasting * rate + 1e-6) + 1
    if samples > MOST_ROWS:
        raise ConfigError(
            f"simulate: {drive.lasting:g} s at {rate:g} Hz is a table of {samples:.3g} rows, more than {MOST_ROWS:.3g};"
            " lower simulate.output_rate or simulate.duration"
        )
    part = max(1, math.ceil(drive.finest / rate - 1e-9))  # input samples an output sample

    along = following(experiment, drive.lasting)

    def create(one: Mechanism) -> Stepper:
        return one.create(experiment.integrator, rate * part, source_of(experiment), **along)

    settings = experiment.simulate.ensemble
    try:
        stepper = create(experiment.mechanism)
        members = ensembles.members(experiment.mechanism, settings, create) if settings else None
    except ModelError as error:
        raise ConfigError(str(error)) from error
    inputs = np.arange((samples - 1) * part + 1 + stepper.lookahead, dtype=np.float64) / (rate * part)
    value, cycle = drive.evaluate(inputs)
    stepper.watch = Slowness(drive.lasting)
    try:
        stepper.start(value[: stepper.lookahead])
    except InconsistentStart as error:
        raise ConfigError(str(error)) from error
    spent, blocks = 0.0, []
    for first in range(stepper.lookahead, len(value), BLOCK * part):
        begun = time.perf_counter()
        block = _advanced(stepper, value[first : first + BLOCK * part])
        spent += time.perf_counter() - begun
        blocks.append(block)
        _refuse_not_finite(block[0], mechanism.channels, (first - stepper.lookahead) / (rate * part), rate * part)
    values, low, high = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    lasting = max(drive.lasting, 1.0 / rate)
    return Simulated(
        rate=rate,
        command=value[: len(values) : part] if loaded(experiment) else None,
        cycle=cycle[: len(values) : part],
        channels=mechanism.channels,
        values=values[::part],
        low=_folded(low, part, np.minimum),
        high=_folded(high, part, np.maximum),
        extremes=mechanism.extremes,
        events=_events(stepper.events, mechanism, float(inputs[-1 - stepper.lookahead])),
        frequency=drive.frequency,
        rtf=spent / lasting,
        ensemble=ensembles.simulate(members, settings, value, part, values.shape[1], lasting) if members and settings else None,
        remarks=stepper.remarks,
        equations=str(getattr(stepper, "equations", "")),
    )


def _advanced(stepper: Stepper, value: Floats) -> tuple[Floats, Floats, Floats]:
    """As its `advance_with_extremes`; what is found on the way to be wrong with the settings is their fault, not the run's."""
    try:
        return stepper.advance_with_extremes(value)
    except NotConverged:
        raise
    except ModelError as error:
        raise ConfigError(str(error)) from error


def _refuse_not_finite(values: Floats, channels: tuple[tuple[str, str], ...], begin: float, rate: float) -> None:
    """Raise NotConverged for the first sample (k, channels) that is no number; the first is at `begin`, s."""
    bad = ~np.isfinite(values)
    if bad.any():
        row = int(np.argmax(bad.any(axis=1)))
        name = channels[int(np.argmax(bad[row]))][0]
        raise NotConverged(
            f"stopped at {begin + row / rate:.6g} s: {name} is not a finite number; the mechanism cannot move so fast or so far"
        )


def loaded(experiment: Experiment) -> bool:
    """Whether a loader's trajectory moves it. One that has a drive of its own goes by that where there is no trajectory."""
    mechanism = experiment.mechanism
    return bool(mechanism.loader_sources) and not (mechanism.course_unit and experiment.trajectory is None)


def source_of(experiment: Experiment) -> str:
    """What its mechanism is fed with; empty: nothing, it moves by itself."""
    if not loaded(experiment):
        return ""
    return "stroke" if experiment.command.mode == "stroke" else "command"


def following(experiment: Experiment, lasting: float) -> Along:
    """What `create` of a mechanism that goes along a path takes beside the rest; lasting: s."""
    path = _path(experiment)
    return {} if path is None else {"path": path, "lasting": lasting}


def _path(experiment: Experiment) -> Course | None:
    return path_of(experiment.trajectory) if experiment.mechanism.FOLLOWS_PATH else None


def _folded(extremes: Floats, part: int, take: np.ufunc) -> Floats:
    """From the input's grid to the output's: row n holds what happened since output sample n - 1."""
    if part == 1:
        return extremes
    rest = extremes[1:].reshape(-1, part, extremes.shape[1])
    return np.concatenate([extremes[:1], np.asarray(take.reduce(rest, axis=1))])


def _events(found: Sequence[Event], mechanism: Mechanism, last: float) -> list[MotionEvent]:
    """What happened up to the last sample, as the mechanism calls it."""
    events: list[MotionEvent] = []
    for one in found:
        named = mechanism.event(one.guard, one.noted) if one.time <= last else None
        if named is not None:
            events.append({"time_s": one.time, "kind": named[0], "where": named[1], "approach_speed": named[2]})
    return events
