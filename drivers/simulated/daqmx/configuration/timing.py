"""Timing of a task: how it is configured, its properties, and what is checked about it."""

from __future__ import annotations

import math

from nidaqmx import constants as ni

from drivers.simulated.daqmx.configuration import (
    convert_clock,
    device_settings,
    filter_settings,
    setting_changes,
    synchronisation,
    timestamps,
    unsupported_task_properties,
)
from drivers.simulated.daqmx.configuration.settings import for_kinds, setting
from drivers.simulated.daqmx.configuration.triggers import DIGITAL_IO, LOW, own_terminal, qualified
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import task as tk
from drivers.simulated.daqmx.core.names import expand, terminal
from drivers.simulated.daqmx.core.task import BURST, FALLING, HANDSHAKE, PIPELINED, RISING, Task
from drivers.simulated.daqmx.core.trigger_types import DIGITAL_LEVEL, HIGH
from drivers.simulated.daqmx.core.values import Fields, Value, as_float, as_int
from drivers.simulated.daqmx.engine.call import TaskCall
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed, Property
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.routing import pins
from drivers.simulated.daqmx.timing import rates
from drivers.simulated.daqmx.timing import sample_clock as clock

TYPES = {
    tk.SAMPLE_CLOCK: "Sample Clock", tk.ON_DEMAND: "On Demand", tk.CHANGE_DETECTION: "Change Detection", tk.IMPLICIT: "Implicit",
    HANDSHAKE: "Handshake", BURST: "Burst Handshake", PIPELINED: "Pipelined Sample Clock",
}  # fmt: skip
SELECTABLE: dict[int | None, tuple[int, ...]] = {
    ch.ANALOG_INPUT: (tk.SAMPLE_CLOCK, tk.ON_DEMAND),
    ch.ANALOG_OUTPUT: (tk.SAMPLE_CLOCK, tk.ON_DEMAND),
    ch.DIGITAL_INPUT: (tk.SAMPLE_CLOCK, tk.ON_DEMAND, tk.CHANGE_DETECTION),
    ch.DIGITAL_OUTPUT: (tk.SAMPLE_CLOCK, tk.ON_DEMAND),
    10131: (tk.SAMPLE_CLOCK, tk.ON_DEMAND, tk.IMPLICIT),
    10132: (tk.SAMPLE_CLOCK, tk.ON_DEMAND, tk.IMPLICIT),
}
"""Timing types by the type of a task's channels."""
POLARITIES = (ni.Polarity.ACTIVE_HIGH.value, ni.Polarity.ACTIVE_LOW.value)
"""Active high, active low."""
BURST_CHOICES: dict[str, tuple[str, tuple[int, ...]]] = {
    "sample_clk_active_edge": ("SampClk_ActiveEdge", (RISING, FALLING)),
    "sample_clk_pulse_polarity": ("Exported_SampClk_Pulse_Polarity", POLARITIES),
    "pause_when": ("DigLvl_PauseTrig_When", (HIGH, LOW)),
    "ready_event_active_level": ("Exported_RdyForXferEvent_Lvl_ActiveLvl", POLARITIES),
}
"""Property and members of its enumeration, by the field of a call for burst handshaking."""
MODES = (tk.FINITE, tk.CONTINUOUS, tk.HW_TIMED)
EDGES = (RISING, FALLING)


def _timed(engine: Engine, task: Task, f: Fields, timing: tk.Timing) -> None:
    """Sample timing as a call asks for it; how many samples, and in which mode, every such call says in the same fields."""
    mode, samples = as_int(f["sample_mode"]), as_int(f["samps_per_chan"])
    task.need_stopped()
    task.need_channels()
    if mode not in MODES:
        raise task.fail(-200077, Property="DAQmx_SampQuant_SampMode", Requested_Value=mode)
    if mode == tk.FINITE and samples < 1:
        raise task.fail(-200077, Property="DAQmx_SampQuant_SampPerChan", Requested_Value=samples)
    setting_changes.changed(engine, task, empties=(timing.kind, mode) != (task.timing.kind, task.timing.mode))
    if task.timing.kind == BURST != timing.kind:
        task.settings.pop("PAUSE_TRIG_TYPE", None)
    timing.mode, timing.samples = mode, samples
    task.timing = timing


def sample_clock(engine: Engine, task: Task, f: Fields, kind: int = tk.SAMPLE_CLOCK) -> None:
    """`cfg_samp_clk_timing`. Raises DaqmxError."""
    if f["active_edge"] not in EDGES:
        raise task.fail(-200077, Property="DAQmx_SampClk_ActiveEdge", Requested_Value=f["active_edge"])
    _need_rate(task, as_float(f["rate"]))
    _timed(engine, task, f, tk.Timing(kind, as_float(f["rate"]), str(f["source"]), as_int(f["active_edge"])))


def _need_rate(task: Task, rate: float) -> None:
    if not 0.0 < rate < math.inf:
        raise task.fail(-200077, Property="DAQmx_SampClk_Rate", Requested_Value=rate)


def change_detection(engine: Engine, task: Task, f: Fields) -> None:
    """`cfg_change_detection_timing`. Raises DaqmxError."""
    rising, falling = (tuple(expand(str(f[field]))) for field in ("rising_edge_chan", "falling_edge_chan"))
    _timed(engine, task, f, tk.Timing(tk.CHANGE_DETECTION, changes=(rising, falling)))


def burst(engine: Engine, task: Task, f: Fields) -> None:
    """`cfg_burst_handshaking_timing_import_clock` and `..._export_clock`: samples at the clock while the pause trigger lets them. Raises
    DaqmxError.
    """
    _need_rate(task, as_float(f["sample_clk_rate"]))
    for field, (name, known) in BURST_CHOICES.items():
        if field in f and f[field] not in known:
            raise task.fail(-200077, Property=f"DAQmx_{name}", Requested_Value=f[field])
    source, edge = str(f.get("sample_clk_src", "")), as_int(f.get("sample_clk_active_edge", RISING))
    _timed(engine, task, f, tk.Timing(BURST, as_float(f["sample_clk_rate"]), source, edge))
    task.settings |= {"PAUSE_TRIG_TYPE": DIGITAL_LEVEL, "DIG_LVL_PAUSE_TRIG_WHEN": as_int(f["pause_when"])}
    task.settings["RDY_FOR_XFER_EVENT_LVL_ACTIVE_LVL"] = as_int(f["ready_event_active_level"])
    if "sample_clk_outp_term" in f:
        task.settings["SAMP_CLK_PULSE_POLARITY"] = as_int(f["sample_clk_pulse_polarity"])
        task.exports["SampleClock"] = [str(f["sample_clk_outp_term"])]


CONFIGURE: dict[str, TaskCall] = {
    "CfgSampClkTiming": sample_clock,
    "CfgPipelinedSampClkTiming": lambda e, t, f: sample_clock(e, t, f, PIPELINED),
    "CfgImplicitTiming": lambda e, t, f: _timed(e, t, f, tk.Timing(tk.IMPLICIT)),
    "CfgChangeDetectionTiming": change_detection,
    "CfgHandshakingTiming": lambda e, t, f: _timed(e, t, f, tk.Timing(HANDSHAKE)),
    "CfgBurstHandshakingTimingImportClock": burst,
    "CfgBurstHandshakingTimingExportClock": burst,
    "CfgInputBuffer": lambda e, t, f: _buffer(e, t, f),
    "CfgOutputBuffer": lambda e, t, f: _buffer(e, t, f),
}


def _buffer(engine: Engine, task: Task, f: Fields) -> None:
    setting_changes.changed(engine, task, empties=True)
    task.buffer_size = as_int(f["num_samps_per_chan"])


def verify(engine: Engine, task: Task) -> None:
    """Raise DaqmxError for timing that the task's device does not have, NotServed for what is not simulated."""
    kind = task.timing.kind
    selectable = SELECTABLE.get(task.kind, ())
    if engine.devices[task.device].category == DIGITAL_IO:
        selectable += (BURST,)  # MAX's table of its routes has a pause trigger and a ready event, and nothing for single handshakes
        if kind == BURST and not task.settings.get("DIG_LVL_PAUSE_TRIG_SRC"):
            raise NotServed(f"timing of type {TYPES[kind]} on terminals that nobody told")
    if kind not in selectable:
        choices = ", ".join(TYPES[k] for k in selectable)
        raise task.fail(
            -200077, Property="DAQmx_SampTimingType", Requested_Value=TYPES.get(kind, kind), You_Can_Select=choices, Device=task.device
        )
    _samples(engine, task)
    if task.single_point:
        _verify_single_point(engine, task)
    if kind == tk.CHANGE_DETECTION:
        _verify_changes(engine, task)
    device_settings.verify(task)


def _verify_single_point(engine: Engine, task: Task) -> None:
    if not any(tk.HW_TIMED in _modes(engine.devices[device], task.kind) for device in task.devices) or task.timing.kind == tk.IMPLICIT:
        raise task.fail(
            -200077, Property="DAQmx_SampQuant_SampMode", Requested_Value="Hardware Timed Single Point",
            You_Can_Select="Finite Samples, Continuous Samples", Device=task.device,
        )  # fmt: skip


def _modes(product: Product, kind: int | None) -> tuple[int, ...]:
    """Sample modes of a device for channels of a type."""
    if kind in (ch.ANALOG_INPUT, ch.ANALOG_OUTPUT):
        part = product.inputs if kind == ch.ANALOG_INPUT else product.outputs
        return () if part is None else part.sample_modes
    if kind in (ch.DIGITAL_INPUT, ch.DIGITAL_OUTPUT):
        return product.digital.sample_modes
    return () if product.counting is None else product.counting.sample_modes


def _verify_changes(engine: Engine, task: Task) -> None:
    watched = [name for names in task.timing.changes for name in names]
    if not watched:
        raise task.fail(-200751)
    mine = {line for c in task.channels_of(ch.LineChannel) for line in c.lines}
    for name in watched:
        # A port stands for its lines.
        found = pins.canonical(engine.devices, task.device, name)
        if found not in mine and not any(line.startswith(f"{found}/") for line in mine):
            raise task.fail(-200926, Physical_Channel_Name=name)


# -- properties ------------------------------------------------------------------------------------------------------------------------


def _field(field: str, default: Value, known: tuple[Value, ...] | None = None) -> Property[Task]:
    def change(engine: Engine, task: Task, value: Value) -> None:
        if known is not None and value not in known:
            raise task.fail(-200077, Property=field, Requested_Value=value)
        _may_change(engine, task, field)
        setattr(task.timing, field, value)

    def reset(engine: Engine, task: Task) -> None:
        _may_change(engine, task, field)
        setattr(task.timing, field, default)

    return Property(lambda e, t: getattr(t.timing, field), change, default, reset)


def _may_change(engine: Engine, task: Task, name: str) -> None:
    if task.running:
        raise task.fail(-200557, Property=name)
    task.need_channels()
    setting_changes.changed(engine, task, empties=name in ("kind", "mode"))


def _samples(engine: Engine, task: Task) -> int:
    """Samples per channel as configured. Raises DaqmxError -200077 for less than two of a finite task with a sample clock."""
    samples = task.timing.samples
    if task.finite and task.sampled and samples < 2:
        raise task.fail(-200077, Property="DAQmx_SampQuant_SampPerChan", Requested_Value=samples, Minimum_Value=2)
    return samples


def _rate(engine: Engine, task: Task) -> float:
    task.need_channels()
    return clock.rate(engine, task) if task.sampled else task.timing.rate


def _set_rate(engine: Engine, task: Task, value: Value) -> None:
    _may_change(engine, task, "SAMP_CLK_RATE")
    task.timing.rate, task.timing.divisor = as_float(value), None


def _source(engine: Engine, task: Task) -> str:
    task.need_channels()
    source = task.timing.source
    if source and task.timing.kind in (BURST, PIPELINED):
        return source  # as it was told
    if terminal(source) in ("", "onboardclock"):
        return own_terminal(task, "SampleClockTimebase")
    full = qualified(engine, task, source)
    if "/" not in full:
        raise task.fail(-89120, Property="DAQmx_SampClk_Src", Source_Terminal=source)
    return full


def _term(engine: Engine, task: Task) -> str:
    task.need_channels()
    foreign = clock.foreign(engine, task)
    return qualified(engine, task, task.timing.source) if foreign else own_terminal(task, "SampleClock")


def _divisor(engine: Engine, task: Task) -> int:
    task.need_channels()
    return task.timing.divisor or round(rates.timebase(engine, task) / clock.rate(engine, task))


def _set_divisor(engine: Engine, task: Task, value: Value) -> None:
    _may_change(engine, task, "SAMP_CLK_TIMEBASE_DIV")
    if as_int(value) < 1:
        raise task.fail(-200077, Property="DAQmx_SampClk_TimebaseDiv", Requested_Value=value)
    task.timing.divisor = as_int(value)


def _changes(index: int) -> Property[Task]:
    def get(engine: Engine, task: Task) -> str:
        return ", ".join(task.timing.changes[index])

    def change(engine: Engine, task: Task, value: Value) -> None:
        _may_change(engine, task, "CHANGE_DETECT")
        pair = list(task.timing.changes)
        pair[index] = tuple(expand(str(value)))
        task.timing.changes = (pair[0], pair[1])

    return Property(get, change, "")


def _timebase_term(engine: Engine, task: Task) -> str:
    task.need_channels()
    return own_terminal(task, "SampleClockTimebase")


_INPUTS, _OUTPUTS, _LINES = for_kinds(ch.ANALOG_INPUT), for_kinds(ch.ANALOG_OUTPUT), for_kinds(ch.DIGITAL_INPUT)

TIMING: dict[str, Property[Task]] = {
    "SAMP_TIMING_TYPE": _field("kind", tk.ON_DEMAND, tuple(TYPES)),
    "SAMP_CLK_RATE": Property(_rate, _set_rate, 1000.0),
    "SAMP_CLK_MAX_RATE": Property(lambda e, t: rates.highest_rate(e, t)),
    "SAMP_CLK_SRC": Property(_source, _field("source", "").set, ""),
    "SAMP_CLK_TERM": Property(_term),
    "SAMP_CLK_ACTIVE_EDGE": _field("edge", RISING, EDGES),
    "SAMP_QUANT_SAMP_MODE": _field("mode", tk.CONTINUOUS, MODES),
    "SAMP_QUANT_SAMP_PER_CHAN": Property(_samples, _field("samples", 1000).set, 1000),
    "SAMP_CLK_TIMEBASE_DIV": Property(_divisor, _set_divisor, None, lambda e, t: setattr(t.timing, "divisor", None)),
    "SAMP_CLK_TIMEBASE_TERM": Property(_timebase_term),
    "SAMP_CLK_TIMEBASE_ACTIVE_EDGE": setting("SAMP_CLK_TIMEBASE_ACTIVE_EDGE", RISING, EDGES),
    **filter_settings.filter_properties("SAMP_CLK"),
    "REF_CLK_SRC": setting("REF_CLK_SRC", ""),
    "REF_CLK_RATE": setting("REF_CLK_RATE", 10e6),
    "ON_DEMAND_SIMULTANEOUS_AO_ENABLE": setting("ON_DEMAND_SIMULTANEOUS_AO_ENABLE", False, need=_OUTPUTS),
    "SAMP_CLK_UNDERFLOW_BEHAVIOR": setting("SAMP_CLK_UNDERFLOW_BEHAVIOR", 14615, (14615, 14616), _OUTPUTS),
    "AI_CONV_ACTIVE_EDGE": setting("AI_CONV_ACTIVE_EDGE", RISING, EDGES, _INPUTS),
    **unsupported_task_properties.TIMING, **convert_clock.TIMING, **timestamps.TIMING, **synchronisation.TIMING,
    "CHANGE_DETECT_DI_RISING_EDGE_PHYSICAL_CHANS": _changes(0),
    "CHANGE_DETECT_DI_FALLING_EDGE_PHYSICAL_CHANS": _changes(1),
    "CHANGE_DETECT_DI_TRISTATE": setting("CHANGE_DETECT_DI_TRISTATE", True, need=_LINES),
}  # fmt: skip

BY_DEVICE = ("AI_CONV_ACTIVE_EDGE", "AI_CONV_MAX_RATE", "AI_CONV_RATE", "AI_CONV_TIMEBASE_DIV", "AI_CONV_SRC", "AI_CONV_TIMEBASE_SRC")
"""Properties that a task over several modules of a chassis has for each of them."""
