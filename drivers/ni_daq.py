"""NI-DAQmx devices: analogue input and output on one sample clock, digital lines on demand, hardware watchdog.

The same code talks to the NI driver of this machine and to an NI gRPC device server, by address. Sample n of the outputs and of the
inputs belong to the same clock edge: the output task runs on the input task's sample clock, so it starts and stops with it. That
holds on one device and between the modules of a chassis, where the clock of the first input's module goes over the backplane.

Inputs may be on several modules in one task (NI-DAQmx gives those one reference clock, sync pulse and start trigger); output, lines and
watchdog are on one device. Dynamic-signal modules put each sample at the clock edge at which the input had its value, and deliver it
later by the delay of their filters: the output is that much further on when the sample arrives, and sample n is still sample n.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import nidaqmx
import numpy as np
from nidaqmx.constants import AcquisitionType, Level, LineGrouping, RegenerationMode, TaskMode
from nidaqmx.errors import DaqError
from nidaqmx.stream_readers import AnalogMultiChannelReader, DigitalSingleChannelReader
from nidaqmx.stream_writers import AnalogSingleChannelWriter, DigitalSingleChannelWriter
from nidaqmx.system import System
from nidaqmx.system.watchdog import WatchdogTask
from nidaqmx.types import DOExpirationState
from numpy.typing import NDArray

from drivers import daqmx_inputs
from drivers.daqmx_inputs import Input as Input
from drivers.daqmx_inputs import device_of
from drivers.errors import DriverError, NoReply, NotConnected, Refused

CONNECT_TIMEOUT = 3.0
OUTPUT_UNDERFLOW = -200290
INPUT_OVERRUN = -200279
TIMED_OUT = -200284
SAME_RATE = 1e-6  # share by which rates of one and the same clock may differ, as they are read back

Block = NDArray[np.float64]


@dataclass(frozen=True)
class Config:
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


@dataclass(frozen=True)
class Wiring:
    """What of the device is used: inputs in order, the command output, lines by name, and what lines fall to when nobody is left."""

    inputs: tuple[Input, ...]
    output: str
    output_lines: Mapping[str, str]
    input_lines: Mapping[str, str]
    safe_lines: Mapping[str, bool]


class NiDaq:
    """The devices, from `open` to `close`. Every method raises DriverError in words that name device and terminal."""

    def __init__(self, config: Config, wiring: Wiring, address: str | None) -> None:
        self.config, self.wiring, self.address = config, wiring, address
        self.rate = 0.0
        self.underflows = 0
        self._tasks: dict[str, Any] = {}
        self._channel: Any = None
        self._states = dict.fromkeys(wiring.output_lines, False)
        self._written: deque[tuple[int, Block]] = deque()
        self._written_samples = 0
        self._gains = np.array([i.gain if i.kind == "voltage" else 1.0 for i in wiring.inputs])
        self._offsets = np.array([i.offset for i in wiring.inputs])
        self._sources = ", ".join(daqmx_inputs.by_device(wiring.inputs))
        self._early = 0  # samples that come before sample 0

    # -- opening -------------------------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        """Reach the driver or the server, and find every device. Raises NotConnected."""
        where = self.address or "the NI driver of this machine"
        with self._explained(f"looking for {self.config.device} at {where}"):
            if self.address:
                self._open_channel(self.address)
            names = list((System.remote(self._options()) if self.address else System.local()).devices.device_names)
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
        wanted = [(item.terminal, item.name) for item in self.wiring.inputs]
        wanted += [(self.wiring.output, "the command output")]
        wanted += [(line, name) for lines in (self.wiring.output_lines, self.wiring.input_lines) for name, line in lines.items()]
        found: dict[str, list[str]] = {}
        for terminal, name in wanted:
            found.setdefault(device_of(terminal), []).append(name)
        return found

    def open(self, rate: float, block: int, ahead: int) -> float:
        """Make every task; nothing moves. A watchdog runs from here on and wants `reset_watchdog`.

        Samples at `rate` (Hz), blocks of `block` samples, output filled `ahead` samples.
        Returns the rate that the device really runs at.
        """
        with self._explained("setting up"):
            if self.config.watchdog is not None:
                self._reserve_watchdog(self.config.watchdog)
            self._open_inputs(rate, block)
            self._open_output(ahead, block)
            self._open_lines()
            if "watchdog" in self._tasks:  # last: opening many channels takes longer than it waits
                self._tasks["watchdog"].start()
        return self.rate

    def read_once(self) -> Block:
        """Every input once, on demand, before streaming: (channels,)."""
        with self._explained("reading every channel once"):
            task = nidaqmx.Task(grpc_options=self._options())
            found: list[Block] = []

            def read(samples: int) -> None:
                data = np.zeros((len(self.wiring.inputs), samples))
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
    def extra_task(self, doing: str) -> Iterator[Any]:
        """A task besides those of streaming, closed at the end; what goes wrong is explained with `doing`. See `drivers.daqmx_rest`."""
        with self._explained(doing):
            task = nidaqmx.Task(grpc_options=self._options())
            try:
                yield task
            finally:
                task.close()

    # -- streaming -----------------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the output (it waits for the clock), then the inputs: sample 0 of both."""
        with self._explained("starting"):
            self._tasks["output"].start()
            self._tasks["input"].start()

    def start_inputs(self) -> None:
        """Start the inputs alone, with the output by hand (`hold_output`)."""
        with self._explained("starting the inputs"):
            self._tasks["input"].start()

    def stop_inputs(self) -> None:
        """Stop the inputs; the next start begins at sample 0 again."""
        with self._explained("stopping the inputs"):
            self._tasks["input"].stop()

    def hold_output(self, volts: float) -> None:
        """Take the output by hand: it shows `volts` now, `set_output` changes it at once."""
        with self._explained(f"taking {self.wiring.output} by hand"):
            self._take_by_hand()
        self.set_output(volts)

    def release_output(self) -> None:
        """End of `hold_output`; the last value stays out there until samples come."""
        with self._explained(f"giving {self.wiring.output} back"):
            self._tasks.pop("hold").close()

    def write(self, volts: Block) -> None:
        """Append samples (k,) to the output."""
        with self._explained(f"writing {len(volts)} samples to {self.wiring.output}"):
            self._writer.write_many_sample(np.ascontiguousarray(volts), self.config.timeout)
        self._written.append((self._written_samples, volts))
        self._written_samples += len(volts)

    def read(self, samples: int) -> Block:
        """The next `samples` of every input: (samples, channels) in the channels' quantities."""
        if self._early:
            early, self._early = self._early, 0
            self.read(early)
        data = np.empty((len(self.wiring.inputs), samples))
        with self._explained(f"reading {samples} samples of {self._sources}"):
            self._reader.read_many_sample(data, samples, self.config.timeout + samples / self.rate)
        values: Block = np.multiply(data.T, self._gains, order="C")
        values += self._offsets
        return values

    def samples_waiting(self) -> int:
        """Input samples that are there and have not been read."""
        with self._explained("asking how many samples wait"):
            return int(self._tasks["input"].in_stream.avail_samp_per_chan)

    def samples_ahead(self) -> int:
        """Output samples written and not yet out there."""
        with self._explained("asking how far the output is"):
            out = int(self._tasks["output"].out_stream.total_samp_per_chan_generated)
        while len(self._written) > 1 and self._written[1][0] <= out:
            self._written.popleft()
        return self._written_samples - out

    def abort_output(self) -> float:
        """Stop the output at once; it holds its last value, which is returned (V). `set_output` goes on from there."""
        with self._explained("stopping the output"):
            last = self._written_samples - self.samples_ahead() - 1
            task = self._tasks.pop("output")
            task.stop()
            task.close()
            self._take_by_hand()
        first, volts = self._written[0]
        return float(volts[min(max(last - first, 0), len(volts) - 1)])

    def set_output(self, volts: float) -> None:
        """Put one value out now, after `abort_output` or `hold_output`."""
        with self._explained(f"writing {volts:.4g} V to {self.wiring.output}"):
            self._hand.write_one_sample(volts, self.config.timeout)

    def write_lines(self, states: Mapping[str, bool]) -> None:
        """Set the named output lines in one call; the others keep their state."""
        self._states.update(states)
        with self._explained("writing the digital lines"):
            self._line_writer.write_one_sample_multi_line(np.array(list(self._states.values()), dtype=np.bool_), self.config.timeout)

    def read_lines(self) -> dict[str, bool]:
        """State of the input lines, by name."""
        data = np.zeros(len(self.wiring.input_lines), dtype=np.bool_)
        with self._explained("reading the digital lines"):
            self._line_reader.read_one_sample_multi_line(data, self.config.timeout)
        return {name: bool(state) for name, state in zip(self.wiring.input_lines, data, strict=True)}

    def reset_watchdog(self) -> None:
        """Tell the hardware that this program lives; does nothing where none is armed."""
        if "watchdog" in self._tasks:
            with self._explained("resetting the watchdog"):
                self._tasks["watchdog"].reset_timer()

    def close(self) -> list[str]:
        """Close every task; returns what could not be closed, in words (a dead server cannot close anything)."""
        complaints = []
        for name in [n for n in ("input", "output", "hold", "lines_out", "lines_in", "watchdog") if n in self._tasks]:
            try:
                self._tasks.pop(name).close()
            except Exception as error:  # whatever the vendor's package raises for a server that is gone: said, and on to the next task
                complaints.append(f"DAQ: closing its {name} task: {_first_line(error)}")
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        return complaints

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _open_channel(self, address: str) -> None:
        import grpc

        unlimited = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        self._channel = grpc.insecure_channel(address, options=unlimited)
        try:
            grpc.channel_ready_future(self._channel).result(timeout=CONNECT_TIMEOUT)
        except grpc.FutureTimeoutError:
            self._channel.close()
            self._channel = None
            raise NotConnected(f"DAQ: no device server answers at {address} within {CONNECT_TIMEOUT:g} s; is it running?") from None

    def _options(self) -> Any:
        return nidaqmx.GrpcSessionOptions(self._channel, "") if self._channel is not None else None

    def _reserve_watchdog(self, timeout: float) -> None:
        # First of all tasks: the device does not give it away once another task is reserved.
        task = self._tasks["watchdog"] = WatchdogTask(self.config.device, timeout=timeout, grpc_options=self._options())
        states = [
            DOExpirationState(physical_channel=self.wiring.output_lines[name], expiration_state=Level.HIGH if high else Level.LOW)
            for name, high in self.wiring.safe_lines.items()
        ]
        task.cfg_watchdog_do_expir_states(states)
        task.control(TaskMode.TASK_COMMIT)

    def _add_inputs(self, task: Any) -> None:
        for item in self.wiring.inputs:
            with self._explained(f"channel {item.name} ({item.kind}) on {item.terminal}"):
                daqmx_inputs.add_input(task, item)

    def _open_inputs(self, rate: float, block: int) -> None:
        task = self._tasks["input"] = nidaqmx.Task(grpc_options=self._options())
        self._add_inputs(task)
        buffer = max(4 * block, round(self.config.input_buffer * rate))
        with self._explained(f"sampling {self._sources} at {rate:.9g} Hz"):
            task.timing.cfg_samp_clk_timing(rate, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=buffer)
            self.rate = float(task.timing.samp_clk_rate)
            if self.config.filter_delay == "discard":
                self._early = daqmx_inputs.samples_before_start(task, self.wiring.inputs)
            else:
                daqmx_inputs.let_hardware_remove_delay(task, self.wiring.inputs)
            self._reader = AnalogMultiChannelReader(task.in_stream)
            self._reader.verify_array_shape = False
            task.control(TaskMode.TASK_COMMIT)

    def _open_output(self, ahead: int, block: int) -> None:
        task = self._tasks["output"] = nidaqmx.Task(grpc_options=self._options())
        clock = f"/{self.wiring.inputs[0].device}/ai/SampleClock"
        with self._explained(f"clocking output {self.wiring.output} from {clock}"):
            task.ao_channels.add_ao_voltage_chan(self.wiring.output, min_val=-10.0, max_val=10.0)
            size = ahead + self._early + 4 * block
            task.timing.cfg_samp_clk_timing(self.rate, source=clock, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=size)
            task.control(TaskMode.TASK_VERIFY)
            got = float(task.timing.samp_clk_rate)
        if abs(got - self.rate) > SAME_RATE * self.rate:
            raise Refused(
                f"DAQ: output {self.wiring.output} would run at {got:.9g} Hz and the inputs at {self.rate:.9g} Hz, so their samples do not "
                "belong together; choose an acquisition.rate that both have"
            )
        task.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        self._writer = AnalogSingleChannelWriter(task.out_stream, auto_start=False)
        self._writer.verify_array_shape = False

    def _take_by_hand(self) -> None:
        task = self._tasks["hold"] = nidaqmx.Task(grpc_options=self._options())
        task.ao_channels.add_ao_voltage_chan(self.wiring.output, min_val=-10.0, max_val=10.0)
        self._hand = AnalogSingleChannelWriter(task.out_stream, auto_start=True)

    def _open_lines(self) -> None:
        task = self._tasks["lines_out"] = nidaqmx.Task(grpc_options=self._options())
        task.do_channels.add_do_chan(", ".join(self.wiring.output_lines.values()), line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        self._line_writer = DigitalSingleChannelWriter(task.out_stream, auto_start=True)
        self._line_writer.verify_array_shape = False
        task = self._tasks["lines_in"] = nidaqmx.Task(grpc_options=self._options())
        task.di_channels.add_di_chan(", ".join(self.wiring.input_lines.values()), line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        self._line_reader = DigitalSingleChannelReader(task.in_stream)
        self._line_reader.verify_array_shape = False

    @contextlib.contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        """Turn what the vendor's package raises into a DriverError that says what was being done."""
        try:
            yield
        except DriverError:
            raise
        except DaqError as error:
            raise self._translated(error, doing) from error
        except OSError as error:  # a machine without the NI driver
            raise NotConnected(f"DAQ: {doing}: {_first_line(error)}") from error
        except Exception as error:
            if type(error).__module__.split(".")[0] not in ("nidaqmx", "grpc"):
                raise
            raise NotConnected(f"DAQ: {doing}: {_first_line(error)}") from error

    def _translated(self, error: DaqError, doing: str) -> DriverError:
        text = f"DAQ: {doing}: {_in_short(error)} ({error.error_code})"
        if error.error_code == OUTPUT_UNDERFLOW:
            self.underflows += 1
            return Refused(f"DAQ: output {self.wiring.output} ran dry and holds its last value; raise command.ahead ({error.error_code})")
        if error.error_code == INPUT_OVERRUN:
            return Refused(f"DAQ: samples of {self._sources} were overwritten before they were read ({error.error_code})")
        if error.error_code == TIMED_OUT:
            return NoReply(text)
        return NotConnected(text) if "connect" in str(error).lower() else Refused(text)


def _first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__


def _in_short(error: DaqError) -> str:
    """NI's message in one line: what happened, then the details that name channel, property and value."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    details = [line for line in lines[1:] if ":" in line and not line.startswith(("Task Name", "Status Code"))]
    return "; ".join([lines[0], *details])


def create(config: Config, wiring: Wiring, address: str | None = None) -> NiDaq:
    """A device that is not connected yet."""
    return NiDaq(config, wiring, address)
