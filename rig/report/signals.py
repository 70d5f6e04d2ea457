"""The signals of one run on one grid: row n of all of them is sample n, missing samples are nan. They are read where they are sliced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.paths.course import Timed
from rig.comparison.gap_filling import GapFilled
from rig.comparison.preparation import Counted
from rig.comparison.series import Series, ends, pieces
from rig.comparison.whole_cycles import Absent, WholeCycles
from rig.config.experiment import MODE_UNITS
from rig.config.plan import Plan
from rig.recorder.reading import RunData
from rig.trajectory import create as create_trajectory
from rig.trajectory.blocks import stated
from rig.trajectory.naming import TrajectorySettings

Floats = NDArray[np.float64]
AT_REST = {"value": 0.0, "phase": 0.0, "cycle": -1.0}
"""The command where the record does not have it: not counted."""


class Stored(Mapping[str, Series]):
    """Channels of one stream: a long run need not fit into memory."""

    def __init__(self, run: RunData, stream: str, leave: str = "") -> None:
        self._run, self._stream = run, stream
        self._names = [name for name in run.streams.get(stream, {}) if name != leave]

    def __getitem__(self, name: str) -> Series:
        if name not in self._names:
            raise KeyError(name)
        return self._run.column(self._stream, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class Command:
    """The command stream, and what is known of its wave. value in N or m, phase in rad, all (N,); amplitude A, frequency of a sine.

    cycle: -1 also in fragments of cycles, and where the test was held; these are not compared.
    """

    value: Series
    phase: Series
    cycle: WholeCycles
    unit: str
    amplitude: float
    frequency: float | None
    recorded: Series | None = None
    """The value as the record has it, NaN where it does not; None: as `value`."""


@dataclass(frozen=True)
class Signals:
    """One run; measured and predicted (as measured) by channel name, (N,) each in the channel's unit."""

    rate: float
    command: Command
    measured: Mapping[str, Series]
    predicted: Mapping[str, Series]
    units: Mapping[str, str]
    feedback: str
    """Channel that is shown first: the one that the loader's loop closes on, unless the prediction was fed with it; else the first that is
    judged, or measured."""
    shaft: Series | None = None
    """rad, the angle of the shaft that is commanded, as measured; None where none is, and of a test that was broken off and went on."""


def signals(run: RunData, plan: Plan) -> Signals:
    """Return the signals of a record. The channel that the prediction was fed with is not counted as predicted."""
    followed, closed = plan.bench.showing(plan.experiment.predictor.source), plan.bench.loader_channel(plan.experiment.command.mode)
    fed = "" if followed is None else followed.name
    measured, angle = Stored(run, "measured"), measured_angle(plan)
    # Behind a break the shaft is at its mark again, and its angle says no more how far it has turned.
    broken_off = any(Absent(*one).resumed for one in run.absent)
    turned = not broken_off and angle in measured and run.units.get("measured", {}).get(angle) == "rad"
    return Signals(
        rate=run.rate,
        command=_command(run, plan),
        measured=measured,
        predicted=Stored(run, "predicted_as_measured", leave=fed),
        units=run.units.get("measured", {}),
        feedback=closed if closed and closed != fed else _first(plan),
        shaft=GapFilled(measured[angle]) if turned else None,
    )


def measured_angle(plan: Plan) -> str:
    """The channel that tells how far a rig has turned; empty where the bench has none."""
    driven = plan.experiment.mechanism.course_sources
    return next((channel.name for channel in plan.bench.channels if channel.quantity in driven), "")


def _first(plan: Plan) -> str:
    judged = [criterion.channel for criterion in plan.experiment.comparison.criteria]
    return next(iter(judged), plan.bench.channels[0].name)


def _command(run: RunData, plan: Plan) -> Command:
    """The command, at rest where the record does not have it."""
    value, phase, recorded = _recorded(run)
    discard = plan.experiment.comparison.discard_cycles
    cycle = WholeCycles(recorded, phase, (Absent(*one) for one in run.absent), run.held, discard)
    trajectory = plan.experiment.trajectory
    frequency = (trajectory.create() if isinstance(trajectory, Timed) else create_trajectory(trajectory)).frequency
    unit = MODE_UNITS[plan.experiment.command.mode]
    known = run.column("command", "value") if "value" in run.streams.get("command", ()) else None
    return Command(value, phase, cycle, unit, _amplitude(trajectory, value, cycle), frequency, known)


def _recorded(run: RunData) -> tuple[Series, ...]:
    """Value, phase and cycle as far as all three of them were recorded. What was lost was lost of all three."""
    if not set(AT_REST) <= set(run.streams.get("command", ())):
        return tuple(np.broadcast_to(np.float64(rest), run.samples) for rest in AT_REST.values())
    columns = {name: run.column("command", name) for name in AT_REST}
    recorded = min(column.recorded for column in columns.values())
    return tuple(_AtRest(column, AT_REST[name], recorded) for name, column in columns.items())


class _AtRest:
    """A signal (N,) with another value where it is missing, and from sample `end` on."""

    def __init__(self, x: Series, rest: float, end: int) -> None:
        self._x, self._rest, self._end = x, rest, end

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, part: slice) -> Floats:
        first, last = ends(part, len(self))
        x = self._x[first:last]
        there = np.isfinite(x)
        if last <= self._end and there.all():
            return x
        there[max(0, self._end - first) :] = False
        return np.where(there, x, self._rest)


def _amplitude(trajectory: TrajectorySettings | Timed | None, value: Series, cycle: Series) -> float:
    """A as the experiment states it; the largest counted setpoint where it states none."""
    amplitude, _ = stated(trajectory)
    if amplitude:
        return amplitude
    running = Counted(cycle, 0)
    return max((float(np.max(np.abs(value[part]), where=running[part], initial=0.0)) for part in pieces(0, len(value))), default=0.0)
