"""A task: its channels, what is configured, and the DAQmx state it is in."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, TypeVar

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.alias_filter import AliasFilter
from drivers.simulated.daqmx.core.buffers import InputBuffer, OutputBuffer
from drivers.simulated.daqmx.core.clocks import Clock
from drivers.simulated.daqmx.core.digital_filter import Filter
from drivers.simulated.daqmx.core.names import expand, unpadded
from drivers.simulated.daqmx.core.trigger_types import ANALOG_EDGE, ANALOG_WINDOW, DIGITAL_EDGE, MULTI_EDGE, NONE, PATTERN, Phase
from drivers.simulated.daqmx.core.values import Value, as_int, as_sequence
from drivers.simulated.daqmx.status.errors import DaqmxError

FINITE, CONTINUOUS, HW_TIMED = (
    ni.AcquisitionType.FINITE.value, ni.AcquisitionType.CONTINUOUS.value, ni.AcquisitionType.HW_TIMED_SINGLE_POINT.value,
)  # fmt: skip
SAMPLE_CLOCK, ON_DEMAND, CHANGE_DETECTION, IMPLICIT = (
    ni.SampleTimingType.SAMPLE_CLOCK.value, ni.SampleTimingType.ON_DEMAND.value, ni.SampleTimingType.CHANGE_DETECTION.value,
    ni.SampleTimingType.IMPLICIT.value,
)  # fmt: skip
HANDSHAKE, BURST, PIPELINED = (
    ni.SampleTimingType.HANDSHAKE.value, ni.SampleTimingType.BURST_HANDSHAKE.value, ni.SampleTimingType.PIPELINED_SAMPLE_CLOCK.value,
)  # fmt: skip
RISING, FALLING = ni.Edge.RISING.value, ni.Edge.FALLING.value
LONGEST_TIMEOUT = 4294967.0
"""s; text of -200453."""
ALLOW_REGENERATION, DONT_ALLOW_REGENERATION = (
    ni.RegenerationMode.ALLOW_REGENERATION.value, ni.RegenerationMode.DONT_ALLOW_REGENERATION.value,
)  # fmt: skip
DONT_OVERWRITE, OVERWRITE = ni.OverwriteMode.DO_NOT_OVERWRITE_UNREAD_SAMPLES.value, ni.OverwriteMode.OVERWRITE_UNREAD_SAMPLES.value
SUBSYSTEMS = {ch.ANALOG_INPUT: "ai", ch.ANALOG_OUTPUT: "ao", ch.DIGITAL_INPUT: "di", ch.DIGITAL_OUTPUT: "do",
              ch.COUNTER_INPUT: "ctr", ch.COUNTER_OUTPUT: "ctr"}  # fmt: skip

ON_DEMAND_IS_DONE = (ch.ANALOG_INPUT, ch.ANALOG_OUTPUT, ch.DIGITAL_INPUT, ch.DIGITAL_OUTPUT)
"""Channel types whose tasks are done at once when they have no sample clock; a counter goes on counting."""

Changes = tuple[tuple[str, ...], tuple[str, ...]]
Kind = TypeVar("Kind", bound=ch.Channel)
Scalar = TypeVar("Scalar", bound=np.generic)


class State(IntEnum):
    """States of the DAQmx task model."""

    UNVERIFIED = 0
    VERIFIED = 1
    RESERVED = 2
    COMMITTED = 3
    RUNNING = 4


class SampleLog(Protocol):
    """The log of a run (`subsystems/analog/tdms.py`)."""

    def acquired(self) -> None: ...

    def write(self, data: NDArray[np.float64]) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


class Subscription(Protocol):
    """Somebody who is told of an event of the task (`io/events.py`); `over`: no more."""

    @property
    def over(self) -> bool: ...

    def verify(self) -> None: ...


@dataclass
class Timing:
    """Sample timing as configured; `rate` is the one that the device makes of it (S/s)."""

    kind: int = ON_DEMAND
    rate: float = 1000.0
    source: str = ""
    edge: int = RISING
    mode: int = CONTINUOUS
    samples: int = 1000
    divisor: int | None = None
    changes: Changes = ((), ())
    """Lines whose rises, and whose falls, are the clock of change detection."""


@dataclass(eq=False)
class Task:
    """`phase`, `clock`: how far a run has come, and what it samples by. `count`: edges of the sample clock that it has taken, of `quota`.
    `settings`: what was set of triggers, streams and so on, by NI's attribute names. `exports`: signal -> terminals that it goes out at.

    `last`, `events`: instants of the last sample and of the last event of each name. `ended`: status that a run ended with, None while
    it goes on. `run`: what its type (`subsystems`) keeps for the run.

    `handle`: what the engine knows it by, its name unless several programs have tasks of that name.

    `client`: who used the task last, in words of the transport. `host`: the chassis that the modules of the task are in, and
    `timing_engine` the one of its three that an input task has reserved.
    """

    name: str
    channels: list[ch.Channel] = field(default_factory=list)
    timing: Timing = field(default_factory=Timing)
    settings: dict[str, Value] = field(default_factory=dict)
    regeneration: int = ALLOW_REGENERATION
    overwrite: int = DONT_OVERWRITE
    read_auto_start: bool = True
    started_by_read: bool = False
    read_all_available: bool = False
    buffer_size: int | None = None
    state: State = State.UNVERIFIED
    resting: State = State.UNVERIFIED
    stale: bool = False
    """Whether settings were changed since the task has come into its state."""
    reserved: tuple[str, ...] = ()
    input: InputBuffer | None = None
    output: OutputBuffer | None = None
    phase: Phase = Phase.IDLE
    clock: Clock | None = None
    count: int = 0
    quota: float = 0.0
    started: float = 0.0
    begun: float = 0.0
    """When it was started (bench time in s), be it that it waits for a trigger since."""
    silent: bool = False
    """Whether its sample clock has failed: no sample comes any more, and nothing ends it."""
    again: float | None = None
    """When the next trigger of a retriggerable task comes at the earliest (bench time in s), on a pin to which nothing is connected."""
    last: float | None = None
    width: float = 0.0
    """Width (s) of the pulses of its sample clock; the last one ends behind the run."""
    reference: int | None = None
    """Sample at or behind the reference trigger, None before it has come."""
    seeking: bool = False
    awaited: int | None = None
    """Sample clock edges at the end of the last wait for one."""
    iterations: dict[int, int] = field(default_factory=dict)
    """How often this run was asked, by what a late one is told (`io/lateness.py`)."""
    filters: dict[str, Filter] = field(default_factory=dict)
    """Digital filters of the run, by the head of their properties or the line that they are at."""
    told: dict[str, int] = field(default_factory=dict)
    """Signal -> how often it came in this run."""
    events: dict[str, float] = field(default_factory=dict)
    exports: dict[str, list[str]] = field(default_factory=dict)
    host: str = ""
    timing_engine: str = ""
    filter: AliasFilter | None = None
    log: SampleLog | None = None
    overloads: str | None = None
    """Overloaded channels when it was last asked whether there are any."""
    run: object = None
    ended: int | None = None
    why: dict[str, object] = field(default_factory=dict)
    """What is said under the error that a run ended with."""
    runs: int = 0
    demanded: int = 0
    client: str = ""
    handle: str = ""
    subscriptions: list[Subscription] = field(default_factory=list)

    @property
    def kind(self) -> int | None:
        """Channel type of the task's channels, None without any."""
        return self.channels[0].kind if self.channels else None

    def channels_of(self, kind: type[Kind]) -> list[Kind]:
        """The channels of a class: of a task of that kind, all."""
        return [channel for channel in self.channels if isinstance(channel, kind)]

    @property
    def subsystem(self) -> str:
        """`ai`, `ao`, `di` or `do`."""
        return SUBSYSTEMS[self.channels[0].kind]

    @property
    def device(self) -> str:
        return self.channels[0].device

    @property
    def owner(self) -> str:
        """The device whose clock and triggers the task has: the chassis, of modules."""
        return self.host or self.device

    @property
    def part(self) -> str:
        """The part of the owner whose clock and triggers the task has: its subsystem, or the timing engine of a chassis."""
        return self.timing_engine or self.subsystem

    @property
    def devices(self) -> list[str]:
        return list(dict.fromkeys(c.device for c in self.channels))

    @property
    def running(self) -> bool:
        return self.state is State.RUNNING

    @property
    def clocked(self) -> bool:
        return bool(self.timing.kind != ON_DEMAND)

    @property
    def sampled(self) -> bool:
        """Whether it goes by a sample clock."""
        return self.timing.kind in (SAMPLE_CLOCK, BURST)

    @property
    def finite(self) -> bool:
        return self.clocked and self.timing.mode == FINITE

    @property
    def single_point(self) -> bool:
        """Hardware-timed single point: one sample at each edge, and no buffer."""
        return self.clocked and self.timing.mode == HW_TIMED

    @property
    def unbuffered(self) -> bool:
        """Change detection with a buffer of size 0: a read gives the newest sample, or waits for the next one."""
        return self.timing.kind == CHANGE_DETECTION and self.timing.mode == CONTINUOUS and self.buffer_size == 0

    @property
    def trigger_type(self) -> int:
        """Type of the start trigger."""
        return int(self.settings.get("START_TRIG_TYPE", NONE))

    @property
    def trigger_source(self) -> str:
        """Where the start trigger comes from, as configured."""
        if self.trigger_type == MULTI_EDGE:
            return str(self.settings.get("ANLG_MULTI_EDGE_START_TRIG_SRCS", ""))
        heads = {DIGITAL_EDGE: "DIG_EDGE", ANALOG_EDGE: "ANLG_EDGE", ANALOG_WINDOW: "ANLG_WIN", PATTERN: "DIG_PATTERN"}
        return str(self.settings.get(f"{heads.get(self.trigger_type, 'DIG_EDGE')}_START_TRIG_SRC", ""))

    @property
    def retriggerable(self) -> bool:
        return self.finite and bool(self.settings.get("START_TRIG_RETRIGGERABLE", False))

    @property
    def referenced(self) -> bool:
        """Whether there is a reference trigger."""
        return bool(self.settings.get("REF_TRIG_TYPE", NONE) != NONE)

    @property
    def pretrigger(self) -> int:
        """Samples to be kept from before the reference trigger."""
        return as_int(self.settings.get("REF_TRIG_PRETRIG_SAMPLES", 2))

    @property
    def gated(self) -> bool:
        """Whether something but its clock decides which edges it takes."""
        return self.retriggerable or self.referenced or bool(self.settings.get("PAUSE_TRIG_TYPE", NONE) != NONE)

    @property
    def rows_to_read(self) -> list[int]:
        """Places of the channels that reads give, in their order: those of `ChannelsToRead`, all where none were chosen."""
        chosen = self.settings.get("CHANNELS_TO_READ")
        if chosen is None:
            return list(range(len(self.channels)))
        return [row for name in as_sequence(chosen) for row, channel in enumerate(self.channels) if channel.name == name]

    @property
    def to_read(self) -> list[ch.Channel]:
        """The channels that reads give."""
        return [self.channels[row] for row in self.rows_to_read]

    def of_channels_to_read(self, data: NDArray[Scalar]) -> NDArray[Scalar]:
        """The rows of (channels, ...) that reads give."""
        return data if "CHANNELS_TO_READ" not in self.settings else data[self.rows_to_read]

    def column_of(self, name: str) -> int | None:
        """Place of a channel by its name or that of its physical channel."""
        for column, channel in enumerate(self.channels):
            if name.strip().strip("/").lower() in (
                channel.name.lower(),
                channel.physical.lower(),
                channel.physical.lower().partition("/")[2],
            ):
                return column
        return None

    def channel_named(self, name: str) -> int | None:
        """Place of the channel of this name, which is that of its physical channel where it was not given one."""
        wanted = name.strip().strip("/").lower()
        return next((column for column, channel in enumerate(self.channels) if channel.name.lower() == wanted), None)

    def seeks(self, name: str) -> bool:
        """Whether an analogue trigger, or one of several edges, is on a channel of the task itself."""
        return self.kind == ch.ANALOG_INPUT and any(self.column_of(part) is not None for part in (name, *expand(name)))

    @property
    def done(self) -> bool:
        """Not running, ended by itself, or without anything that could end: samples on demand."""
        return not self.running or self.ended is not None or (not self.clocked and self.kind in ON_DEMAND_IS_DONE)

    def fail(self, code: int, samples: int = 0, /, **details: object) -> DaqmxError:
        """The error `code` with this task's name in it."""
        return DaqmxError(code, self.name, samples, **details)

    @contextlib.contextmanager
    def naming(self, **details: object) -> Iterator[None]:
        """Errors of what does not know which task it works for get the name of this one, and further details."""
        try:
            yield
        except DaqmxError as error:
            raise self.fail(error.code, 0, **{**error.details, **details}) from None

    def need_no_events(self, code: int) -> None:
        """Raise DaqmxError `code` where somebody is to be told of events: neither a read nor a write starts the task then."""
        if any(not subscription.over for subscription in self.subscriptions):
            raise self.fail(code)

    def need_timeout(self, timeout: float) -> None:
        """Raise DaqmxError -200453 for a time-out (s) that is neither of 0 to 4294967 nor -1."""
        if not 0 <= timeout <= LONGEST_TIMEOUT and timeout != -1:
            raise self.fail(-200453, Requested_Value=timeout)

    def need_channels(self) -> None:
        """Raise DaqmxError -200478 when the task has none."""
        if not self.channels:
            raise self.fail(-200478)

    def need_one_to_read(self) -> None:
        """Raise DaqmxError -200523 where a single number would have to be read of several channels."""
        if len(self.to_read) > 1:
            raise self.fail(-200523)

    def need_one_to_write(self) -> None:
        """Raise DaqmxError -200524 where a single number would have to be written to several channels."""
        if len(self.channels) > 1:
            raise self.fail(-200524)

    def need_stopped(self) -> None:
        """Raise DaqmxError -200479 when the task is running."""
        if self.running:
            raise self.fail(-200479)

    def need_kind(self, kinds: Sequence[int], code: int) -> None:
        """Raise DaqmxError -200478 or `code` unless the channels are of one of the kinds."""
        self.need_channels()
        if self.kind not in kinds:
            raise self.fail(code)

    def find(self, text: str, names: Sequence[str]) -> list[ch.Channel]:
        """Channels by name, all for an empty text. Raises DaqmxError -200486."""
        if not text.strip():
            return list(self.channels)
        by_name = {c.name.lower(): c for c in self.channels}
        whole = by_name.get(text.strip().lower())
        if whole is not None:
            return [whole]
        # A client may name a channel as it wrote what it was made of: `/Dev1/PFI0`, `Dev1/ai03`.
        found = [by_name.get(n.lower(), by_name.get(unpadded(n.lower().lstrip("/")) if "/" in n else "")) for n in names]
        if None in found:
            raise self.fail(-200486, Channel_Name=names[found.index(None)])
        return [channel for channel in found if channel is not None]
