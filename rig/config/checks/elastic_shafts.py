"""Shafts that give way between a drive and its mechanism, where what swings on them does so within what is compared."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError
from rig.config.bench import Axis, Bench
from rig.config.experiment import Experiment
from rig.config.kinds import kind_of
from rig.trajectory import create

POSES = 24  # of a turn, or of the way that the trajectory goes, in which the inertia is looked at
SAMPLES = 2000  # of the trajectory, for its ends
TURN = 2.0 * math.pi
BELOW = 3.0  # what is compared this many times below a mode is changed by it by 12 %: 1 / (1 - 1/9)


@runtime_checkable
class ShaftsOfPlant(Protocol):
    """Of a virtual bench's plant that has shafts which give way."""

    def shaft_stiffness(self, axis: str) -> float | None:
        """N m/rad; None for one that does not."""


@dataclass(frozen=True)
class Shaft:
    """Of an axis; stiffness in N m/rad, `said` where else than in the axis."""

    axis: str
    stiffness: float
    said: str = ""

    def mode(self, inertia: float) -> float:
        """Hz at which an inertia (kg m^2) swings on it, its other end held."""
        return math.sqrt(self.stiffness / inertia) / TURN


def doubts(experiment: Experiment, bench: Bench) -> Iterator[str]:
    """A line for each shaft whose mode is compared, and of which the model has nothing. A mechanism that its torque leads needs none."""
    mechanism = experiment.mechanism
    shafts = [shaft for axis in bench.axes if (shaft := shaft_of(bench, axis)) is not None]
    if not shafts or experiment.predictor.source in mechanism.effort_sources:
        return
    sprung, edge = mechanism.sprung_drives, _edge(experiment)
    try:
        inertias = mechanism.felt_inertia(courses(experiment))
    except ModelError:  # told where it is to move
        return
    names = [name for name, _ in mechanism.setpoint_channels]
    for shaft in shafts:
        if inertias is None:
            kind = kind_of(mechanism)
            yield f"{shaft.axis}: its shaft's stiffness is not used, as {kind} does not tell what inertia its drives feel"
        elif shaft.axis not in sprung and shaft.mode(felt := float(np.max(inertias[:, names.index(shaft.axis)]))) < edge[0]:
            yield _told(shaft, felt, *edge)


def in_lines(experiment: Experiment, bench: Bench) -> Iterator[str]:
    """A line for each shaft in the model that swings, within what is compared, faster than the model follows the encoder before it."""
    mechanism, edge = experiment.mechanism, _edge(experiment)
    if not mechanism.sprung_drives or not _follows(experiment, bench):
        return
    try:
        hung = mechanism.hung_inertia(courses(experiment))
    except ModelError:  # told where it is to move
        return
    names = [name for name, _ in mechanism.setpoint_channels]
    for axis in bench.axes:
        shaft = shaft_of(bench, axis)
        if hung is None or shaft is None or axis.name not in mechanism.sprung_drives:
            continue
        hangs = float(np.max(hung[:, names.index(axis.name)]))
        if experiment.predictor.measured_bandwidth < shaft.mode(hangs) < edge[0]:
            yield _above(shaft, hangs, experiment, *edge)


def _follows(experiment: Experiment, bench: Bench) -> bool:
    """Whether the model goes as an encoder shows it, made smooth."""
    followed = bench.showing(experiment.predictor.source)
    return followed is not None and followed.kind == "encoder" and experiment.command.mode == "angle"


def _above(shaft: Shaft, hangs: float, experiment: Experiment, edge: float, key: str) -> str:
    hz = shaft.mode(hangs)
    under = f"below {key}, {edge:.4g} Hz" if math.isfinite(edge) else f"and {key}"
    return (
        f"{shaft.axis}: what hangs on the model's shaft ({hangs:.3g} kg m^2 on {shaft.stiffness:.4g} N m/rad) swings at {hz:.3g} Hz, "
        f"{under}, and above predictor.measured_bandwidth, {experiment.predictor.measured_bandwidth:.4g} Hz, up to which the model follows "
        "the encoder. On the rig what turns before the shaft swings against it, and faster: a right model may be off by that, a level "
        "above all; docs/own_mechanism.md, Elastic shafts"
    )


def _told(shaft: Shaft, felt: float, edge: float, key: str) -> str:
    hz = shaft.mode(felt)
    under = f"below {key}, {edge:.4g} Hz" if math.isfinite(edge) else f"and {key}"
    return (
        f"{shaft.axis}: on its shaft ({shaft.stiffness:.4g} N m/rad{shaft.said}) the mechanism (up to {felt:.3g} kg m^2, as the drive "
        f"feels it) swings at {hz:.3g} Hz, {under}; the model's shaft is rigid, so a right model may fail by that. Compare below it "
        f'(comparison.lowpass = "{hz / BELOW:.2g} Hz"), or give the model the shaft: docs/own_mechanism.md, Elastic shafts'
    )


def _edge(experiment: Experiment) -> tuple[float, str]:
    """(Hz, key) up to which something is compared."""
    comparison = experiment.comparison
    judged = comparison.band is not None and any(one.metric == "band_level" for one in comparison.criteria)
    edges = [(math.inf, "comparison.lowpass is none") if comparison.lowpass is None else (comparison.lowpass, "comparison.lowpass")]
    if judged and comparison.band is not None:
        edges.append((comparison.band[1], "comparison.band_high"))
    return max(edges)


def shaft_of(bench: Bench, axis: Axis) -> Shaft | None:
    """The shaft of an axis, None for one that is rigid; what a virtual bench's plant has counts for that bench alone."""
    if axis.shaft_stiffness is not None:
        return Shaft(axis.name, axis.shaft_stiffness)
    if bench.address is not None or not isinstance(bench.plant, ShaftsOfPlant):
        return None
    stiffness = bench.plant.shaft_stiffness(axis.name)
    where = " in this virtual bench's plant; a real bench states it as axes.shaft_stiffness"
    return None if stiffness is None else Shaft(axis.name, stiffness, where)


def courses(experiment: Experiment) -> NDArray[np.float64]:
    """(POSES,) of the course along the trajectory, of a turn at the most."""
    trajectory = create(experiment.trajectory)
    value = trajectory.evaluate(np.linspace(0.0, trajectory.duration, SAMPLES))[0]
    low, high = float(np.min(value)), float(np.max(value))
    return np.linspace(low, min(high, low + TURN), POSES)
