"""What a record says besides its samples: what was run, on what, with which sensors."""

from __future__ import annotations

import dataclasses
import datetime
import os
from collections.abc import Sequence
from dataclasses import dataclass

from drivers.files.plain_values import Json
from rig.config.bench import InputChannel, Sensor
from rig.config.checks.calibration import is_expired
from rig.config.counter import Counter
from rig.config.plan import Plan
from rig.release import VERSION
from rig.streaming import streams


@dataclass(frozen=True)
class Description:
    """One run; JSON-able, so that the journal can carry it. `sensors` holds one flat table per channel."""

    run: str
    title: str
    started: str
    experiment_text: str
    bench_text: str
    sensors: dict[str, dict[str, Json]]
    rig_version: str = VERSION
    writer: int = 0
    writer_started: float = 0.0
    compression: str = "none"
    shown: str = ""
    """Channel of the default plot; empty: the first one that is predicted."""
    part: int = 0
    """Of a record in parts: which one this is about, from 1 on."""
    part_first: int = 0
    """n of the first sample of that part."""
    cycles: bool = False
    """Whether it has a table of the cycles of every stream."""
    samples: str = "all"
    """Which are kept: all, or snapshots."""
    whole: bool = False
    """Whether the table of cycles has the column `whole`; journals of older versions do not say it, and have none."""


@dataclass(frozen=True)
class StreamShape:
    """One stream as recorded: channel names and units in order, rate in Hz."""

    name: str
    channels: tuple[str, ...]
    units: tuple[str, ...]
    rate: float
    first_sample: int = 0


@dataclass(frozen=True)
class Event:
    """Something that happened; sample and time (s) are None when it belongs to no sample."""

    sample: int | None
    time: float | None
    source: str
    kind: str
    text: str


@dataclass(frozen=True)
class Gap:
    """Samples first .. first + count - 1 of a stream that the record does not have, and why."""

    stream: str
    first: int
    count: int
    reason: str


LOST = "lost"  # overwritten before the recorder could read them
NOT_PUBLISHED = "not published"  # the writer began later or ended earlier than the others
BROKEN_OFF = "broken off"  # between what a test recorded before it was broken off and where it went on; nobody knows what was lost
NOT_KEPT = "not kept by choice"  # left out as `record.samples` says; counts as lost nowhere
NOT_YET = "not shown yet"  # where the closed parts of a test that goes on end
UNREADABLE = "unreadable"  # damaged in the journal that the record was recovered from


def describe(plan: Plan) -> Description:
    """The description of the run that `plan` is about, recorded by this process."""
    return Description(
        run=plan.run,
        title=plan.experiment.title,
        started=datetime.datetime.now().astimezone().isoformat(timespec="milliseconds"),
        experiment_text=plan.experiment_text,
        bench_text=plan.bench_text,
        sensors=sensor_tables(plan.bench.channels, datetime.date.today()),
        writer=os.getpid(),
        writer_started=streams.start_time(os.getpid()),
        compression=plan.experiment.record.compression,
        cycles=plan.experiment.record.with_cycles,
        whole=plan.experiment.record.with_cycles,
        samples=plan.experiment.record.samples,
        shown=next((one.channel for one in plan.experiment.comparison.criteria), "") if plan.bench.axes else "",
    )


def sensor_tables(channels: Sequence[InputChannel], today: datetime.date) -> dict[str, dict[str, Json]]:
    """Channel name -> its wiring and its sensor's record; `expired` tells whether the calibration had run out on that day."""
    tables = {}
    for channel in channels:
        wiring = {key: value for key, value in dataclasses.asdict(channel).items() if key not in ("name", "sensor", "counter")}
        counter = {} if channel.counter is None else {f"counter_{key}": value for key, value in _table(channel.counter).items()}
        tables[channel.name] = {**wiring, **counter, **_table(channel.sensor), "expired": is_expired(channel, today)}
    return tables


def _table(table: Sensor | Counter) -> dict[str, Json]:
    return {key: value for key, value in dataclasses.asdict(table).items() if value is not None}
