"""Properties of reading, writing and buffers."""

from __future__ import annotations

from collections.abc import Callable

from nidaqmx import constants as ni

from drivers.simulated.daqmx.configuration import setting_changes
from drivers.simulated.daqmx.configuration.settings import for_kinds, setting
from drivers.simulated.daqmx.core import buffer_sizes
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import task as tk
from drivers.simulated.daqmx.core.names import expand
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, as_int, plain
from drivers.simulated.daqmx.engine.call import TaskCall
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed, Property
from drivers.simulated.daqmx.io import channel_states, onboard, reading
from drivers.simulated.daqmx.products.product import X_SERIES
from drivers.simulated.daqmx.subsystems.analog import input_memory, tdms

INPUTS, OUTPUTS = (
    (ch.ANALOG_INPUT, ch.DIGITAL_INPUT, ni.ChannelType.COUNTER_INPUT.value),
    (ch.ANALOG_OUTPUT, ch.DIGITAL_OUTPUT, ni.ChannelType.COUNTER_OUTPUT.value),
)  # fmt: skip
FIRST_SAMPLE, CURRENT_READ, REFERENCE, FIRST_PRETRIGGER, MOST_RECENT = range(10424, 10429)
CURRENT_WRITE = ni.WriteRelativeTo.CURRENT_WRITE_POSITION.value
INTERRUPT, POLL, YIELD, SLEEP = (
    ni.WaitMode.WAIT_FOR_INTERRUPT.value, ni.WaitMode.POLL.value, ni.WaitMode.YIELD.value, ni.WaitMode.SLEEP.value,
)  # fmt: skip


def _relative_to() -> Property[Task]:
    own = setting("RELATIVE_TO", CURRENT_READ, range(FIRST_SAMPLE, MOST_RECENT + 1), for_kinds(*INPUTS), running=True)

    def get(engine: Engine, task: Task) -> int:
        own.get(engine, task)
        return reading.relative_to(task)

    return Property(get, own.set, CURRENT_READ, own.reset)


def _counter(name: str, field: str, kinds: tuple[int, ...]) -> Property[Task]:
    def get(engine: Engine, task: Task) -> int:
        engine.update()
        task.need_kind(kinds, -200452)
        buffer = task.input if kinds is INPUTS else task.output
        if buffer is None and task.clocked:
            raise task.fail(-200983, Property=name)
        return 0 if buffer is None else int(getattr(buffer, field))

    return Property(get)


def _configured(field: str, known: tuple[int, ...], name: str, default: int) -> Property[Task]:
    def change(engine: Engine, task: Task, value: Value) -> None:
        if value not in known:
            raise task.fail(-200077, Property=name, Requested_Value=value)
        if task.running:
            raise task.fail(-200557, Property=name)
        setting_changes.changed(engine, task, empties=True)
        setattr(task, field, value)

    return Property(lambda e, t: getattr(t, field), change, default)


def _chosen() -> Property[Task]:
    """A subset of the channels, in the order that reads give them. Raises DaqmxError -200486."""
    name = "CHANNELS_TO_READ"

    def change(engine: Engine, task: Task, value: Value) -> None:
        task.need_channels()
        task.settings[name] = tuple(c.name for c in task.find(str(value), expand(str(value))))

    return Property(lambda e, t: ", ".join(c.name for c in t.to_read), change, reset=lambda e, t: t.settings.pop(name, None) and None)


def _bytes_per_channel(task: Task, channels: list[ch.Channel]) -> int:
    task.need_kind((ch.DIGITAL_INPUT, ch.DIGITAL_OUTPUT), -200452)
    return max(len(c.lines) for c in channels if isinstance(c, ch.LineChannel))


def raw_bytes(channel: ch.Channel) -> int:
    """Bytes of one raw sample of a channel."""
    if isinstance(channel, ch.LineChannel):
        return next(size for size in (1, 2, 4, 8) if max(channel.shifts) < 8 * size)
    if isinstance(channel, ch.AnalogChannel) and channel.kind == ch.ANALOG_OUTPUT:
        return 2 if channel.codes <= 2**16 else 4
    return as_int(channel.attributes.get("AI_RAW_SAMP_SIZE", 32)) // 8


def _raw_width(engine: Engine, task: Task) -> int:
    task.need_channels()
    return sum(raw_bytes(c) for c in task.channels)


def _input_size(engine: Engine, task: Task) -> int:
    task.need_kind(INPUTS, -200452)
    if not task.clocked:
        return task.buffer_size or 0
    # What was asked for is shown as it is: memory is only taken at the start.
    return task.buffer_size if task.buffer_size is not None else buffer_sizes.input_size(task)


def _output_size(engine: Engine, task: Task) -> int:
    task.need_kind(OUTPUTS, -200452)
    return task.output.size if task.output is not None else task.buffer_size or 0


def _size(get: Callable[[Engine, Task], int], kinds: tuple[int, ...]) -> Property[Task]:
    def change(engine: Engine, task: Task, value: Value) -> None:
        task.need_kind(kinds, -200452)
        if task.running:
            raise task.fail(-200557)
        setting_changes.changed(engine, task, empties=True)
        task.buffer_size = None if value is None else as_int(value)

    return Property(get, change, 0, lambda e, t: change(e, t, None))


def _onboard(engine: Engine, task: Task) -> int:
    task.need_channels()
    return onboard.size(engine, task)


def _onboard_input(engine: Engine, task: Task) -> int:
    task.need_kind((ch.ANALOG_INPUT,), -200452)
    if engine.devices[task.device].category != X_SERIES:
        raise task.fail(-200452, Property="DAQmx_Buf_Input_OnbrdBufSize")
    return input_memory.SAMPLES[X_SERIES]


def _overflowed(engine: Engine, task: Task) -> bool:
    """Whether change detection has missed samples: here none comes faster than a device takes it. Raises DaqmxError -200452."""
    task.need_kind((ch.DIGITAL_INPUT,), -200452)
    if not any(engine.devices[device].digital.detecting for device in task.devices):
        raise task.fail(-200452)
    return False


def _log(engine: Engine, task: Task, fields: Fields) -> None:
    """`configure_logging`."""
    for name, field in (
        ("LOGGING_FILE_PATH", "file_path"), ("LOGGING_MODE", "logging_mode"),
        ("LOGGING_TDMS_GROUP_NAME", "group_name"), ("LOGGING_TDMS_OPERATION", "operation"),
    ):  # fmt: skip
        setter = READ[name].set
        assert setter is not None
        setter(engine, task, plain(fields[field]))


def _log_mode(engine: Engine, task: Task, value: Value) -> None:
    task.need_kind(INPUTS, -200452)
    if value != tdms.OFF and task.kind != ch.ANALOG_INPUT:
        raise NotServed("logging of lines and counters")
    assert _MODE.set is not None
    _MODE.set(engine, task, value)


def _new_file(engine: Engine, task: Task, fields: Fields) -> None:
    """`start_new_file`: what is written from now on goes there."""
    if task.log is not None:
        task.log.flush()
    setter = READ["LOGGING_FILE_PATH"].set
    assert setter is not None
    setter(engine, task, str(fields["file_path"]))


CONFIGURE: dict[str, TaskCall] = {"ConfigureLogging": _log, "StartNewFile": _new_file}

_READERS, _WRITERS = for_kinds(*INPUTS), for_kinds(*OUTPUTS)
_MODE = setting("LOGGING_MODE", tdms.OFF, (tdms.OFF, tdms.LOG, tdms.LOG_AND_READ), _READERS)

READ: dict[str, Property[Task]] = {
    **channel_states.READ,
    "CHANNELS_TO_READ": _chosen(),
    "NUM_CHANS": Property(lambda e, t: len(t.to_read)),
    "CURR_READ_POS": _counter("DAQmx_Read_CurrReadPos", "position", INPUTS),
    "AVAIL_SAMP_PER_CHAN": _counter("DAQmx_Read_AvailSampPerChan", "available", INPUTS),
    "TOTAL_SAMP_PER_CHAN_ACQUIRED": _counter("DAQmx_Read_TotalSampPerChanAcquired", "transferred", INPUTS),
    "CHANGE_DETECT_HAS_OVERFLOWED": Property(_overflowed),
    "DEFAULT_NUMBER_OF_SAMPLES_TO_READ": Property(lambda e, t: reading.default_count(e, t)),
    "DIGITAL_LINES_BYTES_PER_CHAN": Property(lambda e, t: _bytes_per_channel(t, t.to_read)),
    "RAW_DATA_WIDTH": Property(_raw_width),
    "AUTO_START": Property(lambda e, t: t.read_auto_start, lambda e, t, v: setattr(t, "read_auto_start", v), True),
    "READ_ALL_AVAIL_SAMP": Property(lambda e, t: t.read_all_available, lambda e, t, v: setattr(t, "read_all_available", v), False),
    "OVERWRITE": _configured("overwrite", (tk.OVERWRITE, tk.DONT_OVERWRITE), "DAQmx_Read_OverWrite", tk.DONT_OVERWRITE),
    "RELATIVE_TO": _relative_to(),
    "OFFSET": setting("OFFSET", 0, need=_READERS, running=True),
    "WAIT_MODE": setting("WAIT_MODE", INTERRUPT, (INTERRUPT, POLL, YIELD, SLEEP), running=True),
    "SLEEP_TIME": setting("SLEEP_TIME", 0.001, running=True),
    "LOGGING_MODE": Property(_MODE.get, _log_mode, tdms.OFF),
    "LOGGING_FILE_PATH": setting("LOGGING_FILE_PATH", "", need=_READERS, running=True),
    "LOGGING_TDMS_GROUP_NAME": setting("LOGGING_TDMS_GROUP_NAME", "", need=_READERS),
    "LOGGING_TDMS_OPERATION": setting("LOGGING_TDMS_OPERATION", 15846, (10437, 15846, 15847, 15848), _READERS),
    "LOGGING_FILE_WRITE_SIZE": setting("LOGGING_FILE_WRITE_SIZE", 2**32 - 1, need=_READERS),
    "LOGGING_FILE_PREALLOCATION_SIZE": setting("LOGGING_FILE_PREALLOCATION_SIZE", 0, need=_READERS),
    "LOGGING_SAMPS_PER_FILE": setting("LOGGING_SAMPS_PER_FILE", 0, need=_READERS),
    "LOGGING_PAUSE": setting("LOGGING_PAUSE", False, need=_READERS, running=True),
}
WRITE: dict[str, Property[Task]] = {
    **channel_states.WRITE,
    "NUM_CHANS": Property(lambda e, t: len(t.channels)),
    "CURR_WRITE_POS": _counter("DAQmx_Write_CurrWritePos", "position", OUTPUTS),
    "SPACE_AVAIL": _counter("DAQmx_Write_SpaceAvail", "space", OUTPUTS),
    "TOTAL_SAMP_PER_CHAN_GENERATED": _counter("DAQmx_Write_TotalSampPerChanGenerated", "generated", OUTPUTS),
    "DIGITAL_LINES_BYTES_PER_CHAN": Property(lambda e, t: _bytes_per_channel(t, t.channels)),
    "RAW_DATA_WIDTH": Property(_raw_width),
    "REGEN_MODE": _configured(
        "regeneration", (tk.ALLOW_REGENERATION, tk.DONT_ALLOW_REGENERATION), "DAQmx_Write_RegenMode", tk.ALLOW_REGENERATION
    ),
    "RELATIVE_TO": setting("RELATIVE_TO", CURRENT_WRITE, (FIRST_SAMPLE, CURRENT_WRITE), _WRITERS, running=True),
    "OFFSET": setting("OFFSET", 0, need=_WRITERS, running=True),
    "WAIT_MODE": setting("WAIT_MODE", POLL, (POLL, YIELD, SLEEP), running=True),
    "SLEEP_TIME": setting("SLEEP_TIME", 0.001, running=True),
}
BUFFER: dict[str, Property[Task]] = {
    "INPUT_BUF_SIZE": _size(_input_size, INPUTS),
    "OUTPUT_BUF_SIZE": _size(_output_size, OUTPUTS),
    "OUTPUT_ONBRD_BUF_SIZE": Property(_onboard),
    "INPUT_ONBRD_BUF_SIZE": Property(_onboard_input),
}
