"""NI-DAQmx devices: analogue input, counters and analogue output on one sample clock, digital lines on demand, hardware watchdog.

The same code talks to the NI driver of this machine and to an NI gRPC device server, by address. Sample n of the outputs and of the
inputs belong to the same clock edge: the output task runs on the input task's sample clock, so it starts and stops with it. That
holds on one device and between the modules of a chassis, where the clock of the first input's module goes over the backplane.

Inputs may be on several modules in one task (NI-DAQmx gives those one reference clock, sync pulse and start trigger); output, lines and
watchdog are on one device. Dynamic-signal modules put each sample at the clock edge at which the input had its value, and deliver it
later by the delay of their filters: the output is that much further on when the sample arrives, and sample n is still sample n.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from nidaqmx import Task
from nidaqmx.constants import AcquisitionType, TaskMode
from nidaqmx.stream_readers import AnalogMultiChannelReader
from numpy.typing import NDArray

from drivers.daq import inputs as daqmx_inputs
from drivers.daq.counters import Counters
from drivers.daq.lines import Lines, Watchdog
from drivers.daq.output import Output, Volts
from drivers.daq.session import Session, close_tasks
from drivers.daq.settings import DaqSettings
from drivers.daq.wiring import Counter, Input, Wiring, device_of
from drivers.errors import NotConnected, Refused

Block = NDArray[np.float64]


@dataclass(frozen=True)
class Config(DaqSettings):
    """The DAQ devices of one bench. Those of the inputs stand in the channels' terminals."""

    device: str = field(default="Dev1", metadata={"doc": "name of the device of output and lines, as the NI driver knows it"})
    filter_delay: str = field(
        default="hardware",
        metadata={
            "choices": ("hardware", "discard"),
            "doc": "hardware: the modules line samples up with the clock; discard: they do not, what comes first is of before the start",
        },
    )
    timeout: float = field(default=1.0, metadata={"unit": "s", "over": 0.0, "doc": "longest wait for a block beyond its own duration"})
    input_buffer: float = field(default=2.0, metadata={"unit": "s", "over": 0.0, "doc": "host buffer of the inputs"})
    watchdog: float | None = field(
        default=None, metadata={"unit": "s", "over": 0.0, "doc": "hardware watchdog of the digital lines; absent: none armed"}
    )

    def unguarded(self) -> Config:
        """See `DaqSettings`."""
        return replace(self, watchdog=None)

    def create(self, wiring: Wiring, address: str | None = None) -> NiDaq:
        """See `DaqSettings`."""
        return NiDaq(self, wiring, address)


class NiDaq:
    """The devices, from `open` to `close`. Every method raises DriverError in words that name device and terminal."""

    def __init__(self, config: Config, wiring: Wiring, address: str | None) -> None:
        self.config, self.wiring = config, wiring
        self.rate = 0.0
        self._analogue = tuple(item for item in wiring.inputs if isinstance(item, Input))
        self._sources = ", ".join(daqmx_inputs.by_device(self._analogue))
        self._session = Session(address, ", ".join(wiring.outputs), self._sources)
        self._tasks: dict[str, Task] = {}
        self._output = Output(self._session, wiring.outputs, config.timeout)
        self._lines = Lines(self._session, wiring.output_lines, wiring.input_lines, config.timeout)
        self._watchdog = Watchdog(self._session, config.device)
        self._counters = Counters(self._session, [item for item in wiring.inputs if isinstance(item, Counter)], config.timeout)
        self._counted = np.array([isinstance(item, Counter) for item in wiring.inputs], dtype=np.bool_)
        self._gains = np.array([i.gain if i.kind == "voltage" else 1.0 for i in self._analogue])
        self._offsets = np.array([i.offset for i in self._analogue])
        self._early = 0  # samples that come before sample 0

    @property
    def underflows(self) -> int:
        """How often the output ran dry."""
        return self._session.underflows

    # -- opening -------------------------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        """Reach the driver or the server, and find every device. Raises NotConnected."""
        where = self._session.where
        with self._session.explained(f"looking for {self.config.device} at {where}"):
            names = self._session.devices()
        have = ", ".join(names) or "none"
        if self.config.device not in names:
            raise NotConnected(f"DAQ: no device '{self.config.device}' at {where}; there are: {have}. Set daq.device in the bench file")
        there = {name.lower() for name in names}
        missing = {device: used for device, used in self._used().items() if device.lower() not in there}
        if missing:
            told = "; ".join(f"'{device}', wanted for {', '.join(used)}" for device, used in missing.items())
            raise NotConnected(f"DAQ: no such device at {where}: {told}. There are: {have}. Set the terminals in the bench file")

    def _used(self) -> dict[str, list[str]]:
        """Device -> what it is wanted for."""
        wanted = [(i.terminal, i.name) for i in self.wiring.inputs] + [(t, "the command output") for t in self.wiring.outputs]
        wanted += [(line, name) for lines in (self.wiring.output_lines, self.wiring.input_lines) for name, line in lines.items()]
        found: dict[str, list[str]] = {}
        for terminal, name in wanted:
            found.setdefault(device_of(terminal), []).append(name)
        return found

    def open(self, rate: float, block: int, ahead: int) -> float:
        """Make every task; nothing moves. A watchdog is reserved; it runs from `start_watchdog` on.

        Samples at `rate` (Hz), blocks of `block` samples, output filled `ahead` samples.
        Returns the rate that the device really runs at.
        """
        if not self._analogue:
            raise Refused("DAQ: outputs and counters go by the sample clock of an analogue input, and no channel is one; add a channel")
        with self._session.explained("setting up"):
            if self.config.watchdog is not None:
                safe = {self.wiring.output_lines[name]: high for name, high in self.wiring.safe_lines.items()}
                self._watchdog.reserve(self.config.watchdog, safe)
            size = max(4 * block, round(self.config.input_buffer * rate))
            self._open_inputs(rate, size)
            clock = f"/{self._analogue[0].device}/ai/SampleClock"
            self._counters.open(self.rate, clock, size)
            self._output.open(self.rate, clock, ahead + self._early + 4 * block)
            self._lines.open()
        return self.rate

    def read_once(self) -> Block:
        """Every input once, on demand, before streaming: (channels,); of a counter what it will begin with."""
        values = np.empty(len(self.wiring.inputs))
        values[self._counted] = self._counters.starts
        if self._analogue:
            values[~self._counted] = self._read_inputs_once()
        return values

    def place_encoders(self, angles: Mapping[str, float]) -> None:
        """Value (rad) by channel that encoders begin with from the next start on, instead of `Counter.initial`; after `open`."""
        self._counters.place(angles)

    def _read_inputs_once(self) -> Block:
        with self._session.explained("reading every channel once"):
            task = self._session.task()
            found: list[Block] = []

            def read(samples: int) -> None:
                data = np.zeros((len(self._analogue), samples))
                reader = AnalogMultiChannelReader(task.in_stream)
                reader.verify_array_shape = False
                reader.read_many_sample(data, samples, self.config.timeout)
                found.append(data[:, -1])

            try:
                self._add_inputs(task)
                daqmx_inputs.read_single(task, read)
            finally:
                task.close()
        return np.asarray(found[-1] * self._gains + self._offsets)

    @contextlib.contextmanager
    def extra_task(self, doing: str) -> Iterator[Task]:
        """A task besides those of streaming, closed at the end; what goes wrong is explained with `doing`. See `drivers.daq.at_rest`."""
        with self._session.explained(doing):
            task = self._session.task()
            try:
                yield task
            finally:
                task.close()

    # -- streaming -----------------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start counters and output (they wait for the clock), then the inputs: sample 0 of all."""
        with self._session.explained("starting"):
            self._counters.start()
            self._output.start()
            self._tasks["input"].start()

    def start_inputs(self) -> None:
        """Start the inputs alone, with the output by hand (`hold_output`)."""
        with self._session.explained("starting the inputs"):
            self._counters.start()
            self._tasks["input"].start()

    def stop_inputs(self) -> None:
        """Stop the inputs; the next start begins at sample 0 again."""
        with self._session.explained("stopping the inputs"):
            self._tasks["input"].stop()
            self._counters.stop()

    def hold_output(self, volts: Volts) -> None:
        """Take the output by hand: it shows `volts` now, `set_output` changes it at once."""
        self._output.hold(volts)

    def release_output(self) -> None:
        """End of `hold_output`; the last value stays out there until samples come."""
        self._output.release()

    def write(self, volts: Block) -> None:
        """Append samples (k,), or (k, outputs) where there are several, to the output."""
        self._output.write(volts)

    def read(self, samples: int) -> Block:
        """The next `samples` of every input: (samples, channels) in the channels' quantities."""
        if self._early:
            early, self._early = self._early, 0
            self._measured(early)  # of before the start: the counters have none of them
        measured = self._measured(samples)
        if not self._counted.any():
            return measured
        values = np.empty((samples, len(self.wiring.inputs)))
        values[:, ~self._counted] = measured
        values[:, self._counted] = self._counters.read(samples)
        return values

    def _measured(self, samples: int) -> Block:
        """The next samples of the analogue inputs."""
        data = np.empty((len(self._analogue), samples))
        with self._session.explained(f"reading {samples} samples of {self._sources}"):
            self._reader.read_many_sample(data, samples, self.config.timeout + samples / self.rate)
        values: Block = np.multiply(data.T, self._gains, order="C")
        values += self._offsets
        return values

    def samples_waiting(self) -> int:
        """Input samples that are there and have not been read."""
        with self._session.explained("asking how many samples wait"):
            return int(self._tasks["input"].in_stream.avail_samp_per_chan)

    def samples_ahead(self) -> int:
        """Output samples written and not yet out there."""
        return self._output.samples_ahead()

    def abort_output(self) -> Volts:
        """Stop the output at once; it holds its last value, which is returned (V). `set_output` goes on from there."""
        return self._output.abort()

    def set_output(self, volts: Volts) -> None:
        """Put one value out now, after `abort_output` or `hold_output`."""
        self._output.set(volts)

    def write_lines(self, states: Mapping[str, bool]) -> None:
        """Set the named output lines in one call; the others keep their state."""
        self._lines.write(states)

    def read_lines(self) -> dict[str, bool]:
        """State of the input lines, by name."""
        return self._lines.read()

    def start_watchdog(self) -> None:
        """From here on it wants `reset_watchdog`: before the first line or output is given power. Nothing where none is armed."""
        self._watchdog.start()

    def reset_watchdog(self) -> None:
        """Tell the hardware that this program lives; does nothing where none runs."""
        self._watchdog.reset()

    def close(self) -> list[str]:
        """Close every task; returns what could not be closed, in words (a dead server cannot close anything)."""
        parts = (self._tasks, self._counters.tasks, self._output.tasks, self._lines.tasks)
        complaints = [text for tasks in parts for text in close_tasks(tasks)] + close_tasks(self._watchdog.tasks)
        self._session.close()
        return complaints

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _add_inputs(self, task: Task) -> None:
        for item in self._analogue:
            with self._session.explained(f"channel {item.name} ({item.kind}) on {item.terminal}"):
                daqmx_inputs.add_input(task, item)

    def _open_inputs(self, rate: float, size: int) -> None:
        task = self._tasks["input"] = self._session.task()
        self._add_inputs(task)
        with self._session.explained(f"sampling {self._sources} at {rate:.9g} Hz"):
            task.timing.cfg_samp_clk_timing(rate, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=size)
            self.rate = float(task.timing.samp_clk_rate)
            if self.config.filter_delay == "discard":
                self._early = daqmx_inputs.samples_before_start(task, self._analogue)
            else:
                daqmx_inputs.let_hardware_remove_delay(task, self._analogue)
            self._reader = AnalogMultiChannelReader(task.in_stream)
            self._reader.verify_array_shape = False
            task.control(TaskMode.TASK_COMMIT)
