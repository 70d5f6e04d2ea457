"""Properties by family and NI's own name: how each is read, and how it is set where it can be.

A property that is not in a table is not served; one that is, but does not belong to the channel or device at hand, gives NI's error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from drivers.simulated.daqmx import analog_input, configuring, rates, reading, scales, watchdog_calls
from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx import tasks as tk
from drivers.simulated.daqmx.calibration_info import CALIBRATION
from drivers.simulated.daqmx.channel_properties import CHANNEL
from drivers.simulated.daqmx.device_properties import DEVICE, SYSTEM
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.errors import DaqmxError
from drivers.simulated.daqmx.persisted import PERSISTED
from drivers.simulated.daqmx.physical_properties import PHYSICALCHANNEL
from drivers.simulated.daqmx.property import NotServed, Property
from drivers.simulated.daqmx.tasks import Task

NO_TRIGGER, DIGITAL_EDGE = 10230, 10150
SECONDS, SAMPLE_PERIODS = 10364, 10286


# -- task ------------------------------------------------------------------------------------------------------------------------------


def _configure(field: str, known: tuple[int, ...] | None = None, name: str = "") -> Callable[[Engine, Task, Any], None]:
    def change(engine: Engine, task: Task, value: Any) -> None:
        if known is not None and value not in known:
            raise task.fail(-200077, Property=name, Requested_Value=value)
        configuring.changed(engine, task)
        owner = task.timing if hasattr(task.timing, field) else task
        setattr(owner, field, value)

    return change


def _buffered(task: Task, name: str, kind: int) -> Any:
    task.need_kind((kind,), -200452)
    buffer = task.input if kind == ch.ANALOG_INPUT else task.output
    if buffer is None:
        raise task.fail(-200983, Property=name)
    return buffer


def _counter(name: str, field: str) -> Property:
    kind = ch.ANALOG_INPUT if name.startswith("Read.") else ch.ANALOG_OUTPUT

    def get(engine: Engine, task: Task) -> int:
        engine.update()
        return int(getattr(_buffered(task, name, kind), field))

    return Property(get)


def _rate(engine: Engine, task: Task) -> float:
    task.need_channels()
    return rates.coerced_rate(engine, task) if task.clocked and not task.timing.source else task.timing.rate


def _input_size(engine: Engine, task: Task) -> int:
    task.need_kind((ch.ANALOG_INPUT,), -200452)
    if not task.clocked:
        return 0
    if task.input is None:
        analog_input.make_buffer(engine, task)
    assert task.input is not None
    return task.input.size


def _output_size(engine: Engine, task: Task) -> int:
    task.need_kind((ch.ANALOG_OUTPUT,), -200452)
    return task.output.size if task.output is not None else task.buffer_size or 0


def _onboard(engine: Engine, task: Task) -> int:
    outputs = engine.devices[task.device].outputs
    if task.kind != ch.ANALOG_OUTPUT or outputs is None:
        raise task.fail(-200452, Property="Buf.Output.OnbrdBufSize")
    return outputs.fifo


def _bytes_per_channel(task: Task) -> int:
    task.need_kind((ch.DIGITAL_INPUT, ch.DIGITAL_OUTPUT), -200452)
    return max(len(c.lines) for c in task.channels)


def _names(task: Task) -> str:
    return ", ".join(c.name for c in task.channels)


TASK: dict[str, Property] = {
    "NAME": Property(lambda e, t: t.name),
    "CHANNELS": Property(lambda e, t: _names(t)),
    "NUM_CHANS": Property(lambda e, t: len(t.channels)),
    "DEVICES": Property(lambda e, t: ", ".join(t.devices)),
    "NUM_DEVICES": Property(lambda e, t: len(t.devices)),
    "COMPLETE": Property(lambda e, t: reading.is_done(e, t)),
}
READ: dict[str, Property] = {
    "CHANNELS_TO_READ": Property(lambda e, t: _names(t)),
    "NUM_CHANS": Property(lambda e, t: len(t.channels)),
    "CURR_READ_POS": _counter("Read.CurrReadPos", "position"),
    "AVAIL_SAMP_PER_CHAN": _counter("Read.AvailSampPerChan", "available"),
    "TOTAL_SAMP_PER_CHAN_ACQUIRED": _counter("Read.TotalSampPerChanAcquired", "acquired"),
    "DEFAULT_NUMBER_OF_SAMPLES_TO_READ": Property(lambda e, t: reading.default_count(e, t)),
    "DIGITAL_LINES_BYTES_PER_CHAN": Property(lambda e, t: _bytes_per_channel(t)),
    "AUTO_START": Property(lambda e, t: t.read_auto_start, lambda e, t, v: setattr(t, "read_auto_start", v), True),
    "READ_ALL_AVAIL_SAMP": Property(lambda e, t: t.read_all_available, lambda e, t, v: setattr(t, "read_all_available", v), False),
    "OVERWRITE": Property(
        lambda e, t: t.overwrite, _configure("overwrite", (tk.OVERWRITE, tk.DONT_OVERWRITE), "Read.OverWrite"), tk.DONT_OVERWRITE
    ),
    "RELATIVE_TO": Property(lambda e, t: 10425),
    "OFFSET": Property(lambda e, t: 0),
}
WRITE: dict[str, Property] = {
    "NUM_CHANS": Property(lambda e, t: len(t.channels)),
    "CURR_WRITE_POS": _counter("Write.CurrWritePos", "written"),
    "SPACE_AVAIL": _counter("Write.SpaceAvail", "space"),
    "TOTAL_SAMP_PER_CHAN_GENERATED": _counter("Write.TotalSampPerChanGenerated", "generated"),
    "DIGITAL_LINES_BYTES_PER_CHAN": Property(lambda e, t: _bytes_per_channel(t)),
    "REGEN_MODE": Property(
        lambda e, t: t.regeneration,
        _configure("regeneration", (tk.ALLOW_REGENERATION, tk.DONT_ALLOW_REGENERATION), "Write.RegenMode"),
        tk.ALLOW_REGENERATION,
    ),
    "RELATIVE_TO": Property(lambda e, t: 10430),
    "OFFSET": Property(lambda e, t: 0),
}
BUFFER: dict[str, Property] = {
    "INPUT_BUF_SIZE": Property(_input_size, _configure("buffer_size")),
    "OUTPUT_BUF_SIZE": Property(_output_size, _configure("buffer_size")),
    "OUTPUT_ONBRD_BUF_SIZE": Property(_onboard),
}
TIMING: dict[str, Property] = {
    "SAMP_TIMING_TYPE": Property(
        lambda e, t: t.timing.kind, _configure("kind", (tk.SAMPLE_CLOCK, tk.ON_DEMAND), "SampTimingType"), tk.ON_DEMAND
    ),
    "SAMP_CLK_RATE": Property(_rate, _configure("rate"), 1000.0),
    "SAMP_CLK_SRC": Property(lambda e, t: t.timing.source or f"/{e.clock_of(t)}", _configure("source"), ""),
    "SAMP_CLK_ACTIVE_EDGE": Property(
        lambda e, t: t.timing.edge, _configure("edge", (tk.RISING, tk.FALLING), "SampClk.ActiveEdge"), tk.RISING
    ),
    "SAMP_QUANT_SAMP_MODE": Property(
        lambda e, t: t.timing.mode, _configure("mode", (tk.FINITE, tk.CONTINUOUS), "SampQuant.SampMode"), tk.FINITE
    ),
    "SAMP_QUANT_SAMP_PER_CHAN": Property(lambda e, t: t.timing.samples, _configure("samples"), 1000),
    "SAMP_CLK_TERM": Property(lambda e, t: f"/{e.clock_of(t)}" if not t.timing.source else t.timing.source),
    "SAMP_CLK_MAX_RATE": Property(lambda e, t: rates.highest_rate(e, t)),
}
TRIGGER: dict[str, Property] = {
    "START_TRIG_TYPE": Property(lambda e, t: DIGITAL_EDGE if t.trigger else NO_TRIGGER),
    "DIG_EDGE_START_TRIG_SRC": Property(lambda e, t: t.trigger, _configure("trigger"), ""),
    "START_TRIG_TERM": Property(lambda e, t: t.trigger or f"/{t.device}/{t.subsystem}/StartTrigger"),
    "REF_TRIG_TYPE": Property(lambda e, t: NO_TRIGGER),
    "PAUSE_TRIG_TYPE": Property(lambda e, t: NO_TRIGGER),
    "ARM_START_TRIG_TYPE": Property(lambda e, t: NO_TRIGGER),
}


FAMILIES: Mapping[str, Mapping[str, Property]] = {
    "TASK": TASK, "READ": READ, "WRITE": WRITE, "BUFFER": BUFFER, "TIMING": TIMING, "TRIGGER": TRIGGER, "CHANNEL": CHANNEL,
    "DEVICE": DEVICE, "SYSTEM": SYSTEM, "PHYSICALCHANNEL": PHYSICALCHANNEL, "WATCHDOG": watchdog_calls.PROPERTIES,
    "CALINFO": CALIBRATION,
    "SCALE": scales.SCALE, "PERSISTEDTASK": PERSISTED, "PERSISTEDCHAN": PERSISTED, "PERSISTEDSCALE": PERSISTED,
}  # fmt: skip


def find(family: str, name: str) -> Property:
    """Raises NotServed."""
    try:
        return FAMILIES[family][name]
    except KeyError:
        raise NotServed(f"{family} property {name}") from None


def get_property(engine: Engine, family: str, name: str, subject: Any) -> Any:
    """Value of a property. Raises NotServed, DaqmxError."""
    served = find(family, name)
    with engine.lock:
        return served.get(engine, subject)


def set_property(engine: Engine, family: str, name: str, subject: Any, value: Any) -> None:
    """Set a property. Raises NotServed, DaqmxError (-200231 where it cannot be set)."""
    served = find(family, name)
    with engine.lock:
        if served.set is None:
            raise DaqmxError(-200231, Property=name)
        served.set(engine, subject, value)


def reset_property(engine: Engine, family: str, name: str, subject: Any) -> None:
    """Set a property to its default. Raises as `set_property`."""
    served = find(family, name)
    if served.reset is not None:
        with engine.lock:
            served.reset(engine, subject)
        return
    if served.default is None:
        raise NotServed(f"reset of {family} property {name}")
    set_property(engine, family, name, subject, served.default)
