"""Logging of what a task acquires to TDMS files (npTDMS writes them, where it is installed).

"NI-DAQmx Help", TDMS Logging: in a group with the task's name, or the one given (with " #1" behind it where there is such a group), a
channel for each virtual channel, with its name and unit, and the time and distance of its samples. In mode Log and Read samples are
written as they are read, in mode Log as they are acquired, and nothing can be read. Samples are codes of the converter, with the scale
that makes values of them; those of channels without a straight line are values. What a file of the driver has, as one was listed in
juliancabaleiro/nidaqmx-python-examples: NI_Scaling_Status, NI_Scale[...], NI_ChannelName, NI_UnitDescription, unit_string, wf_*.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Protocol

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import AnalogChannel, PowerChannel
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.subsystems.analog.log_files import LogFiles, failure

OFF, LOG, LOG_AND_READ = ni.LoggingMode.OFF.value, ni.LoggingMode.LOG.value, ni.LoggingMode.LOG_AND_READ.value
OPEN, OPEN_OR_CREATE, CREATE_OR_REPLACE, CREATE = (
    ni.LoggingOperation.OPEN.value, ni.LoggingOperation.OPEN_OR_CREATE.value, ni.LoggingOperation.CREATE_OR_REPLACE.value,
    ni.LoggingOperation.CREATE.value,
)  # fmt: skip
OF_RAW_DATA = 0xFFFFFFFF
"""Where a scale takes its input from: the samples themselves."""
PIECE = 0.1
"""Least time (s) of samples that are written at once in mode Log."""


def verify(task: Task) -> None:
    """Raise DaqmxError -201299 for mode Log of a task without a buffer, -201310 without the library, -200077 without a file."""
    if mode(task) == OFF:
        return
    if mode(task) == LOG and (not task.clocked or task.single_point):
        raise task.fail(-201299)
    if any(isinstance(channel, PowerChannel) for channel in task.channels):
        raise NotServed("logging of power supplies")
    if find_spec("nptdms") is None:
        raise task.fail(-201310, Reason="npTDMS is not installed where the devices are simulated: pip install npTDMS")
    if not task.settings.get("LOGGING_FILE_PATH"):
        raise task.fail(-200077, Property="DAQmx_Logging_FilePath", Requested_Value="")


def mode(task: Task) -> int:
    """Whether the task logs, and how."""
    return int(task.settings.get("LOGGING_MODE", OFF))


class SegmentWriter(Protocol):
    """The part of nptdms.TdmsWriter that is used."""

    def open(self) -> None: ...

    def close(self) -> None: ...

    def write_segment(self, objects: Sequence[object]) -> None: ...


class Log:
    """One run's file, or files. `rate` of the samples (S/s), 0 on demand; `units`: of each channel, in words.

    Raises DaqmxError -50204 for a file that cannot be opened, is not there, or is there already, and as LogFiles does. What cannot be
    written ends the run of the task, with the error that every further write raises; other tasks go on.
    """

    def __init__(self, bench: Bench, task: Task, rate: float, units: list[str]) -> None:
        self._bench, self._task, self._rate, self._units = bench, task, rate, units
        self._library = import_module("nptdms")
        self._channels = task.channels_of(AnalogChannel)
        self._number = self._samples = self._written = 0
        self._waiting: list[NDArray[np.float64]] = []
        self._segment_bytes, self._index_bytes = BytesIO(), BytesIO()
        self._writer: SegmentWriter | None = None
        self._files: LogFiles | None = None
        self._failure: DaqmxError | None = None
        self.path = Path(str(task.settings["LOGGING_FILE_PATH"]))
        self._group = ""
        self._open(as_int(task.settings.get("LOGGING_TDMS_OPERATION", OPEN_OR_CREATE)))

    def acquired(self) -> None:
        """In mode Log what is in the buffer goes to the file."""
        buffer = self._task.input
        assert buffer is not None
        if buffer.available:
            self._waiting.append(np.asarray(buffer.take(buffer.available), dtype=np.float64))
        if sum(part.shape[1] for part in self._waiting) >= PIECE * self._rate:
            with suppress(DaqmxError):  # the run has ended with it, which the task tells whoever asks: nobody has called here
                self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            data = np.concatenate(self._waiting, axis=1)
            self._waiting.clear()
            self.write(data)

    def write(self, data: NDArray[np.float64]) -> None:
        """Samples (channels, k) go to the file, unless logging pauses; a full file is followed by the next. Raises DaqmxError."""
        if self._failure is not None:
            raise self._failure
        try:
            self._write(data)
        except DaqmxError as error:
            self._failure = error
            self._leave()
            self._task.why = error.details
            self._bench.end(self._task, error.code, "the log cannot be written")
            raise

    def _write(self, data: NDArray[np.float64]) -> None:
        most = as_int(self._task.settings.get("LOGGING_SAMPS_PER_FILE", 0))
        paused = bool(self._task.settings.get("LOGGING_PAUSE", False))
        while data.shape[1]:
            if self.path != Path(str(self._task.settings["LOGGING_FILE_PATH"])):
                self.path, self._number = Path(str(self._task.settings["LOGGING_FILE_PATH"])), 0
                self._open(CREATE_OR_REPLACE)
            elif most and self._samples >= most:
                self._number += 1
                self._open(CREATE_OR_REPLACE)
            count = min(data.shape[1], most - self._samples) if most else data.shape[1]
            if not paused:
                self._segment(data[:, :count])
            self._written += count
            data = data[:, count:]

    def close(self) -> None:
        """The run is over; what could not be written is in the task's `ended` and `why`."""
        with suppress(DaqmxError):
            self.flush()
        self._leave()

    def _leave(self) -> None:
        if self._files is not None:
            self._files.close()
            self._files = None

    @property
    def _file(self) -> Path:
        return self.path.with_name(f"{self.path.stem}_{self._number:04d}{self.path.suffix}") if self._number else self.path

    def _open(self, operation: int) -> None:
        self._leave()
        self._samples = 0
        try:
            file = self._file
            there = file.exists()
            if (operation == OPEN and not there) or (operation == CREATE and there):
                raise FileNotFoundError if operation == OPEN else FileExistsError
        except (OSError, ValueError) as error:  # ValueError: no name that a file could have
            raise failure(self._task, self.path, error) from error
        append = there and operation in (OPEN, OPEN_OR_CREATE)
        self._files = LogFiles(self._task, self._bench.log_files, file, append)
        try:
            self._group = self._free_group(file if append else None)
        except Exception as error:  # whatever the library meets in a file of another kind
            self._leave()
            raise failure(self._task, file, error) from error
        self._writer = self._library.TdmsWriter(self._segment_bytes, index_file=self._index_bytes)

    def _free_group(self, file: Path | None) -> str:
        wanted = str(self._task.settings.get("LOGGING_TDMS_GROUP_NAME", "")) or self._task.name
        if file is None or not file.stat().st_size:
            return wanted
        with file.open("rb") as data, self._library.TdmsFile.read_metadata(data) as known:  # not the index, which may be empty
            groups = {group.name for group in known.groups()}
        number, name = 0, wanted
        while name in groups:
            number += 1
            name = f"{wanted} #{number}"
        return name

    def _segment(self, data: NDArray[np.float64]) -> None:
        first = not self._samples
        objects: list[object] = [
            self._library.ChannelObject(self._group, c.name, _sent(c, row), self._properties(c, unit) if first else None)
            for c, unit, row in zip(self._channels, self._units, data, strict=True)
        ]
        if first:
            objects = [self._library.RootObject({"name": self._file.stem}), self._library.GroupObject(self._group), *objects]
        assert self._writer is not None and self._files is not None
        self._writer.write_segment(objects)
        self._files.write(_taken(self._segment_bytes), _taken(self._index_bytes))
        self._samples += data.shape[1]

    def _properties(self, channel: AnalogChannel, unit: str) -> dict[str, object]:
        first = self._task.events.get("first", self._bench.time) + (self._written / self._rate if self._rate else 0.0)
        begins = np.datetime64(round((self._bench.epoch + first) * 1e9), "ns")
        scale: dict[str, object] = {"NI_Scaling_Status": "scaled"}
        if channel.curve is None:
            scale = {
                "NI_Scaling_Status": "unscaled", "NI_Number_Of_Scales": self._library.types.Uint32(1), "NI_Scale[0]_Scale_Type": "Linear",
                "NI_Scale[0]_Linear_Slope": channel.lsb * channel.gain, "NI_Scale[0]_Linear_Y_Intercept": channel.offset,
                "NI_Scale[0]_Linear_Input_Source": self._library.types.Uint32(OF_RAW_DATA),
            }  # fmt: skip
        spaced = (
            {"wf_increment": 1.0 / self._rate, "wf_start_offset": 0.0, "wf_samples": self._library.types.Int32(1)} if self._rate else {}
        )
        return scale | {
            "NI_ChannelName": channel.name, "unit_string": unit, "NI_UnitDescription": unit, "wf_start_time": begins, **spaced,
        }  # fmt: skip


def _taken(memory: BytesIO) -> bytes:
    """What has been written into it, which is empty afterwards."""
    written = memory.getvalue()
    memory.seek(0)
    memory.truncate()
    return written


def _sent(channel: AnalogChannel, values: NDArray[np.float64]) -> NDArray[np.generic]:
    """Samples of a channel as they are in the file."""
    if channel.curve is not None:
        return np.ascontiguousarray(values)
    codes = np.rint((values - channel.offset) / (channel.lsb * channel.gain))
    return codes.astype(np.int16 if channel.codes <= 2**15 else np.int32)
