"""The signals of one run on one grid: row n of every array is sample n, missing samples are nan."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.comparison.preparation import counted
from rig.plan import Plan
from rig.recorder.reading import RunData

Floats = NDArray[np.float64]


class Stored(Mapping[str, Floats]):
    """Channels of one stream, read from the record each time they are asked for: a long run need not fit into memory."""

    def __init__(self, run: RunData, stream: str, leave: str = "") -> None:
        self._run, self._stream = run, stream
        self._names = [name for name in run.streams.get(stream, {}) if name != leave]

    def __getitem__(self, name: str) -> Floats:
        if name not in self._names:
            raise KeyError(name)
        return self._run.channel(self._stream, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class Command:
    """The command stream, and what is known of its wave. value in N or m, phase in rad, all (N,); amplitude A, frequency of a sine."""

    value: Floats
    phase: Floats
    cycle: Floats
    unit: str
    amplitude: float
    frequency: float | None


@dataclass(frozen=True)
class Signals:
    """One run; measured and predicted (as measured) by channel name, (N,) each in the channel's unit."""

    rate: float
    command: Command
    measured: Mapping[str, Floats]
    predicted: Mapping[str, Floats]
    units: Mapping[str, str]
    feedback: str
    """Channel that the loader's loop closes on: the counterpart of the command."""


def signals(run: RunData, plan: Plan) -> Signals:
    """Return the signals of a record. The channel that the prediction was fed with is not counted as predicted."""
    mode = plan.experiment.command.mode
    return Signals(
        rate=run.rate,
        command=_command(run, plan),
        measured=Stored(run, "measured"),
        predicted=Stored(run, "predicted_as_measured", leave=plan.experiment.predictor.source),
        units=run.units.get("measured", {}),
        feedback=getattr(plan.bench.loader, f"{mode}_channel"),
    )


def _command(run: RunData, plan: Plan) -> Command:
    """The command, at rest (and not counted) where the record does not have it."""
    stream: Mapping[str, Floats] = run.streams.get("command", {})
    nothing = np.full(run.samples, np.nan)
    value, phase, cycle = (stream.get(name, nothing) for name in ("value", "phase", "cycle"))
    missing = ~(np.isfinite(value) & np.isfinite(phase) & np.isfinite(cycle))
    value, phase, cycle = (np.where(missing, rest, x) for x, rest in ((value, 0.0), (phase, 0.0), (cycle, -1.0)))
    trajectory = plan.experiment.trajectory
    frequency = sys.modules[type(trajectory).__module__].create(trajectory).frequency
    unit = "N" if plan.experiment.command.mode == "force" else "m"
    return Command(value, phase, cycle, unit, _amplitude(trajectory, value, cycle), frequency)


def _amplitude(trajectory: Any, value: Floats, cycle: Floats) -> float:
    """A as the experiment states it; the largest counted setpoint where it states none."""
    stated = getattr(trajectory, "amplitude", None)
    if stated:
        return float(stated)
    running = counted(cycle, 0)
    return float(np.max(np.abs(value[running]))) if running.any() else 0.0
