"""Counters of NI-DAQmx devices that follow a shaft: angles by encoders and pulses of pickups, on the analogue inputs' sample clock.

Sample n of a counter and of the inputs belong to the same clock edge. A counter counts from its start on, is sampled at each active edge
of its sample clock, and the clock does not reset it ("X Series User Manual", Buffered (Sample Clock) Position Measurement and Edge
Counting). The first edge of ai/SampleClock comes two ticks of its timebase after the inputs' start (there, AI Sample Clock Signal). So a
counter is started before the inputs and without an arm start trigger: it sees that first edge, and sample 0 is what it has counted by
then. Armed by ai/StartTrigger it might miss that edge, two ticks later, and be one sample late from then on.

A counter that is sampled faster than pulses come gives no frequency (NI-DAQmx error -201314), hence a tachometer wheel is a `pickup`
with several pulses a turn: its pulses are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from nidaqmx import Task
from nidaqmx.constants import AcquisitionType, AngleUnits, CountDirection, Edge, EncoderType, EncoderZIndexPhase, TaskMode
from nidaqmx.stream_readers import CounterReader
from nidaqmx.task.channels import CIChannel
from numpy.typing import NDArray

from drivers.daq.pickup_silence import pairs
from drivers.daq.session import Session
from drivers.daq.wiring import Counter

KINDS = ("encoder", "pickup")
DECODINGS = {"x1": EncoderType.X_1, "x2": EncoderType.X_2, "x4": EncoderType.X_4}
PHASES = {
    "high_high": EncoderZIndexPhase.AHIGH_BHIGH, "high_low": EncoderZIndexPhase.AHIGH_BLOW, "low_high": EncoderZIndexPhase.ALOW_BHIGH,
    "low_low": EncoderZIndexPhase.ALOW_BLOW,
}  # fmt: skip
EDGES = {"rising": Edge.RISING, "falling": Edge.FALLING}
TURN = 2.0 * np.pi

Block = NDArray[np.float64]


class Counters:
    """Every method raises DriverError in words that name channel and counter. `tasks` are its own, by name, one for each counter."""

    def __init__(self, session: Session, counters: Sequence[Counter], timeout: float) -> None:
        self.tasks: dict[str, Task] = {}
        self._session, self._counters, self._timeout = session, tuple(counters), timeout
        self._readers: list[CounterReader] = []
        self._unwrapped = [_Unwrapped() for _ in counters]
        self._pairs = pairs(self._counters, {item.name: item.resolution for item in counters})
        self.starts = np.array([item.at_start for item in counters])
        """Values at the next start: rad, or no pulse."""
        self._rate = 1.0

    def open(self, rate: float, clock: str, size: int) -> None:
        """On the clock at terminal `clock`, which runs at `rate` (Hz); buffers of `size` samples."""
        self._rate = rate
        for item in self._counters:
            task = self.tasks[item.name] = self._session.task()
            with self._session.explained(f"channel {item.name} ({item.kind}) on {item.terminal}"):
                _add(task, item)
                task.timing.cfg_samp_clk_timing(rate, source=clock, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=size)
                task.control(TaskMode.TASK_COMMIT)
            reader = CounterReader(task.in_stream)
            reader.verify_array_shape = False  # it asks the device for its number of channels at every read
            self._readers.append(reader)

    def place(self, angles: Mapping[str, float]) -> None:
        """Value (rad) by channel that encoders begin with from the next start on."""
        for column, item in enumerate(self._counters):
            if item.name in angles:
                self.starts[column] = angles[item.name]
                with self._session.explained(f"placing {item.name} at {angles[item.name]:.6g} rad"):
                    channel = self.tasks[item.name].ci_channels[0]
                    channel.ci_ang_encoder_initial_angle = item.gain * (angles[item.name] - item.offset)

    def start(self) -> None:
        """They count from here on; their first sample is at the clock's first edge."""
        self._unwrapped = [_Unwrapped() for _ in self._counters]
        for pair, _, encoder in self._pairs:
            pair.begin(float(self.starts[encoder]))
        for name, task in self.tasks.items():
            with self._session.explained(f"starting counter {name}"):
                task.start()

    def stop(self) -> None:
        """The next start begins at sample 0 and at the initial angle again."""
        for name, task in self.tasks.items():
            with self._session.explained(f"stopping counter {name}"):
                task.stop()

    def read(self, samples: int) -> Block:
        """The next samples, that the inputs have given already: (samples, counters)."""
        values = np.empty((samples, len(self._counters)))
        for column, (item, reader) in enumerate(zip(self._counters, self._readers, strict=True)):
            data = np.empty(samples)
            with self._session.explained(f"reading {samples} samples of {item.name} ({item.kind}) on {item.terminal}"):
                reader.read_many_sample_double(data, samples, self._timeout + samples / self._rate)
            if item.kind == "encoder":
                data = self._unwrapped[column].follow(item.gain * data)
            values[:, column] = data + item.offset
        for pair, pickup, encoder in self._pairs:
            pair.look(values[:, pickup] - self._counters[pickup].offset, values[:, encoder])
        return values


class _Unwrapped:
    """An angle that an index puts right once a turn, without the jumps of a turn that this makes."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._turns = 0.0

    def follow(self, angle: Block) -> Block:
        """The next samples (k,) in rad."""
        if not len(angle):
            return angle
        before = angle[0] if self._last is None else self._last
        self._last = float(angle[-1])
        turns = self._turns - np.cumsum(np.rint(np.diff(angle, prepend=before) / TURN))
        self._turns = float(turns[-1])
        return np.asarray(angle + TURN * turns)


def _add(task: Task, item: Counter) -> None:
    channels = task.ci_channels
    if item.kind == "pickup":
        channel = channels.add_ci_count_edges_chan(
            item.terminal, item.name, edge=EDGES[item.edge], initial_count=0, count_direction=CountDirection.COUNT_UP
        )
        _connect(channel, {"count_edges": item.a}, item.filter)
        return
    channel = channels.add_ci_ang_encoder_chan(
        item.terminal, item.name, decoding_type=DECODINGS[item.decoding], zidx_enable=item.index is not None,
        zidx_val=item.gain * ((item.index or 0.0) - item.offset), zidx_phase=PHASES[item.index_phase], units=AngleUnits.RADIANS,
        pulses_per_rev=item.pulses, initial_angle=item.gain * (item.initial - item.offset),
    )  # fmt: skip
    inputs = {"encoder_a_input": item.a, "encoder_b_input": item.b}
    _connect(channel, inputs | ({"encoder_z_input": item.z} if item.index is not None else {}), item.filter)


def _connect(channel: CIChannel, inputs: dict[str, str], shortest: float | None) -> None:
    """The terminals of the counter's inputs (empty: its own), and their filters."""
    for name, terminal in inputs.items():
        if terminal:
            setattr(channel, f"ci_{name}_term", f"/{terminal.strip('/')}")
        if shortest is not None:
            setattr(channel, f"ci_{name}_dig_fltr_min_pulse_width", shortest)
            setattr(channel, f"ci_{name}_dig_fltr_enable", True)
