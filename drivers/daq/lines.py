"""Digital lines of an NI-DAQmx device on demand, and the hardware watchdog that lets them fall when nobody is left."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import numpy as np
from nidaqmx import Task
from nidaqmx.constants import Level, LineGrouping, TaskMode
from nidaqmx.stream_readers import DigitalSingleChannelReader
from nidaqmx.stream_writers import DigitalSingleChannelWriter
from nidaqmx.system.watchdog import WatchdogTask
from nidaqmx.types import DOExpirationState

from drivers.daq.session import Session


class Lines:
    """Output and input lines by name -> terminal. Every method raises DriverError. `tasks` are its own, by name."""

    def __init__(self, session: Session, outputs: Mapping[str, str], inputs: Mapping[str, str], timeout: float) -> None:
        self.tasks: dict[str, Task] = {}
        self._session, self._outputs, self._inputs, self._timeout = session, outputs, inputs, timeout
        self._states = dict.fromkeys(outputs, False)
        self._writing = threading.Lock()  # drives have threads of their own, and each write is of all lines

    def open(self) -> None:
        """Make the tasks, where there are lines."""
        if self._outputs:
            self._open_outputs()
        if self._inputs:
            self._open_inputs()

    def write(self, states: Mapping[str, bool]) -> None:
        """Set the named lines in one call; the others keep their state."""
        with self._writing, self._session.explained("writing the digital lines"):
            self._states.update(states)
            if self._states:
                self._writer.write_one_sample_multi_line(np.array(list(self._states.values()), dtype=np.bool_), self._timeout)

    def read(self) -> dict[str, bool]:
        """State of the input lines, by name."""
        data = np.zeros(len(self._inputs), dtype=np.bool_)
        if not self._inputs:
            return {}
        with self._session.explained("reading the digital lines"):
            self._reader.read_one_sample_multi_line(data, self._timeout)
        return {name: bool(state) for name, state in zip(self._inputs, data, strict=True)}

    def _open_outputs(self) -> None:
        task = self.tasks["lines_out"] = self._session.task()
        task.do_channels.add_do_chan(", ".join(self._outputs.values()), line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        self._writer = DigitalSingleChannelWriter(task.out_stream, auto_start=True)
        self._writer.verify_array_shape = False

    def _open_inputs(self) -> None:
        task = self.tasks["lines_in"] = self._session.task()
        task.di_channels.add_di_chan(", ".join(self._inputs.values()), line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        self._reader = DigitalSingleChannelReader(task.in_stream)
        self._reader.verify_array_shape = False
        task.start()  # a task that does not run is reserved, started and stopped by each read, which takes four times as long


class Watchdog:
    """Of one device. Reserved before all other tasks: the device does not give it away once another task is reserved."""

    def __init__(self, session: Session, device: str) -> None:
        self.tasks: dict[str, WatchdogTask] = {}
        self._session, self._device = session, device
        self._runs = False

    def reserve(self, timeout: float, safe: Mapping[str, bool]) -> None:
        """Terminal -> state that it takes when `timeout` s pass without `reset`. It does not run yet, whatever one before it did."""
        self._runs = False
        task = self.tasks["watchdog"] = WatchdogTask(self._device, timeout=timeout, grpc_options=self._session.options())
        states = [
            DOExpirationState(physical_channel=terminal, expiration_state=Level.HIGH if high else Level.LOW)
            for terminal, high in safe.items()
        ]
        task.cfg_watchdog_do_expir_states(states)
        task.control(TaskMode.TASK_COMMIT)

    def start(self) -> None:
        """From here on it wants `reset`; nothing where none is reserved."""
        if "watchdog" in self.tasks and not self._runs:
            with self._session.explained("starting the watchdog"):
                self.tasks["watchdog"].start()
            self._runs = True

    def reset(self) -> None:
        """Tell the hardware that this program lives; nothing before `start`, nor once its task is closed."""
        if self._runs and "watchdog" in self.tasks:
            with self._session.explained("resetting the watchdog"):
                self.tasks["watchdog"].reset_timer()
