"""Building a task: channels, timing, triggers, buffers, watchdog."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx import tasks as tk
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.errors import DaqmxError
from drivers.simulated.daqmx.names import expand, split, terminal
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.tasks import State, Task
from drivers.simulated.daqmx.watchdog import LONGEST, NO_CHANGE, Watchdog

CHAN_PER_LINE, CHAN_FOR_ALL_LINES = 0, 1

Maker = Callable[[Any, Mapping[str, Any]], dict[str, Any]]
INPUTS: dict[str, tuple[str, Maker]] = {
    "voltage": ("voltage", ch.input_voltage),
    "acceleration": ("accel", ch.input_acceleration),
    "force_bridge": ("bridge", ch.input_force_bridge),
}
"""Measurement: what a product's inputs must be able to take, and what makes the channel."""


def add_input(engine: Engine, task: Task, measurement: str, request: Mapping[str, Any]) -> None:
    """Add analogue input channels; `request`: the call's fields by their names in the API. Raises DaqmxError."""
    needed, make = INPUTS[measurement]
    with engine.lock:
        _open_for(task, ch.ANALOG_INPUT)
        physical = _expand(task, request["physical_channel"])
        made = []
        for full in physical:
            device, product, channel = _locate(engine, task, full)
            if product.inputs is None or not _has_input(product, channel):
                raise _missing(task, device, channel)
            if needed not in product.inputs.kinds:
                raise task.fail(-200431, Property="AI.MeasType", Device=device, Channel_Name=channel)
            made.append((f"{device}/{channel}", device, make(product.inputs, request)))
        names = _names([p for p, _, _ in made], request["name_to_assign_to_channel"])
        _append(engine, task, [ch.AnalogChannel(n, p, d, ch.ANALOG_INPUT, **fields) for n, (p, d, fields) in zip(names, made, strict=True)])


def add_output(engine: Engine, task: Task, request: Mapping[str, Any]) -> None:
    """Add analogue output channels for a voltage. Raises DaqmxError."""
    with engine.lock:
        _open_for(task, ch.ANALOG_OUTPUT)
        made = []
        for full in _expand(task, request["physical_channel"]):
            device, product, channel = _locate(engine, task, full)
            if product.outputs is None or channel not in {f"ao{n}" for n in range(product.outputs.channels)}:
                raise _missing(task, device, channel)
            made.append((f"{device}/{channel}", device, ch.output_voltage(product.outputs, request)))
        names = _names([p for p, _, _ in made], request["name_to_assign_to_channel"])
        channels = [ch.AnalogChannel(n, p, d, ch.ANALOG_OUTPUT, **fields) for n, (p, d, fields) in zip(names, made, strict=True)]
        _append(engine, task, channels)


def add_lines(engine: Engine, task: Task, kind: int, request: Mapping[str, Any]) -> None:
    """Add digital channels, one a line or one for all lines. Raises DaqmxError."""
    with engine.lock:
        _open_for(task, kind)
        texts = _expand(task, request["lines"])
        grouping = request["line_grouping"]
        if grouping not in (CHAN_PER_LINE, CHAN_FOR_ALL_LINES):
            raise task.fail(-200528)
        located = [(full, *_locate(engine, task, full)) for full in texts]
        if grouping == CHAN_PER_LINE and any("/line" not in channel for _, _, _, channel in located):
            raise task.fail(-200528)
        lines = [(device, line) for _, device, product, channel in located for line in _lines(task, device, product, channel)]
        given = request["name_to_assign_to_lines"]
        if grouping == CHAN_PER_LINE:
            names = _names([line for _, line in lines], given)
            made = [_line_channel(n, kind, device, [line]) for n, (device, line) in zip(names, lines, strict=True)]
        else:
            first = f"{located[0][1]}/{located[0][3]}"
            made = [_line_channel(given or (first if len(texts) == 1 else f"{first}..."), kind, lines[0][0], [x for _, x in lines])]
        _append(engine, task, made)


def sample_clock(engine: Engine, task: Task, request: Mapping[str, Any]) -> None:
    """`cfg_samp_clk_timing`. Raises DaqmxError."""
    with engine.lock:
        task.need_stopped()
        task.need_channels()
        if request["sample_mode"] not in (tk.FINITE, tk.CONTINUOUS):
            raise task.fail(-200077, Property="SampQuant.SampMode", Requested_Value=request["sample_mode"])
        if request["active_edge"] not in (tk.RISING, tk.FALLING):
            raise task.fail(-200077, Property="SampClk.ActiveEdge", Requested_Value=request["active_edge"])
        if request["sample_mode"] == tk.FINITE and request["samps_per_chan"] < 1:
            raise task.fail(-200077, Property="SampQuant.SampPerChan", Requested_Value=request["samps_per_chan"])
        if not request["rate"] > 0:
            raise task.fail(-200077, Property="SampClk.Rate", Requested_Value=request["rate"])
        task.timing = tk.Timing(
            tk.SAMPLE_CLOCK, request["rate"], request["source"], request["active_edge"], request["sample_mode"], request["samps_per_chan"]
        )
        changed(engine, task)


def start_trigger(engine: Engine, task: Task, source: str, edge: int) -> None:
    """`cfg_dig_edge_start_trig`, or none with an empty source. Raises DaqmxError."""
    with engine.lock:
        task.need_stopped()
        task.need_channels()
        if edge not in (tk.RISING, tk.FALLING):
            raise task.fail(-200077, Property="DigEdge.StartTrig.Edge", Requested_Value=edge)
        task.trigger = source
        changed(engine, task)


def changed(engine: Engine, task: Task) -> None:
    """A setting was changed: the task has to be verified and committed anew."""
    task.need_stopped()
    task.output = None
    engine.release(task)
    task.state = task.resting = State.UNVERIFIED


def add_watchdog(engine: Engine, task: Task, device: str, timeout: float) -> None:
    """Make the task the watchdog task of a device. Raises DaqmxError."""
    with engine.lock:
        name, product = engine.product(device)
        if not product.watchdog:
            raise task.fail(-200662, Device=name)
        if not (timeout == -1 or 0 < timeout <= LONGEST):
            raise task.fail(-200668, Property="Watchdog.Timeout", Requested_Value=timeout, Maximum_Value=LONGEST)
        if name in engine.watchdogs and not engine.clear_if_abandoned(engine.watchdogs[name].task):
            raise task.fail(-50103)
        engine.watchdogs[name] = Watchdog(task, timeout)


def expiration_states(engine: Engine, task: Task, lines: str, states: Sequence[int]) -> None:
    """Which state each line (or port) takes when the watchdog expires. Raises DaqmxError."""
    with engine.lock:
        device, dog = watchdog_of(engine, task)
        texts = _expand(task, lines)
        if len(texts) != len(states):
            raise task.fail(-200077, Property="Watchdog.DO.ExpirState", Requested_Value=len(states))
        for full, state in zip(texts, states, strict=True):
            name, product, channel = _locate(engine, task, full)
            if name != device:
                raise task.fail(-200648, Device=name)
            # Tristate is left out: the lines of a simulated device have no pull resistor whose level could be told.
            if state not in (10192, 10214, NO_CHANGE):
                raise task.fail(-200077, Property="Watchdog.DO.ExpirState", Requested_Value=state)
            dog.states |= {terminal(line): state for line in _lines(task, name, product, channel)}


def watchdog_of(engine: Engine, task: Task) -> tuple[str, Watchdog]:
    """Device and watchdog of a watchdog task. Raises DaqmxError -200635."""
    for device, dog in engine.watchdogs.items():
        if dog.task is task:
            return device, dog
    raise task.fail(-200635)


def _open_for(task: Task, kind: int) -> None:
    task.need_stopped()
    if task.channels and task.kind != kind:
        raise task.fail(-200559)
    if task.state > State.UNVERIFIED:
        raise task.fail(-200160)


def _expand(task: Task, text: str) -> list[str]:
    names = expand(text)
    if not names:
        raise task.fail(-200099)
    return names


def _locate(engine: Engine, task: Task, full: str) -> tuple[str, Product, str]:
    device, _, channel = full.strip("/").partition("/")
    try:
        name, product = engine.product(device)
    except DaqmxError as error:
        raise task.fail(error.code, Device_Specified=device) from None
    return name, product, channel.lower()


def _has_input(product: Product, channel: str) -> bool:
    assert product.inputs is not None
    loops = product.outputs.channels if product.outputs is not None else 0
    return channel in {f"ai{n}" for n in range(product.inputs.channels)} | {f"_ao{n}_vs_aognd" for n in range(loops)}


def _missing(task: Task, device: str, channel: str) -> DaqmxError:
    return task.fail(-200170, Device=device, Physical_Channel_Name=channel)


def _lines(task: Task, device: str, product: Product, channel: str) -> list[str]:
    for port, count in enumerate(product.ports):
        if channel == f"port{port}":
            return [f"{device}/port{port}/line{n}" for n in range(count)]
        head = f"port{port}/line"
        if channel.startswith(head) and channel[len(head) :].isdigit() and int(channel[len(head) :]) < count:
            return [f"{device}/{channel}"]
    raise _missing(task, device, channel)


def _line_channel(name: str, kind: int, device: str, lines: Sequence[str]) -> ch.LineChannel:
    ports = {line.rpartition("/line")[0] for line in lines}
    # Numbers are port-aligned; only a channel over several ports is packed in the order of its lines.
    shifts = tuple(int(line.rpartition("line")[2]) for line in lines) if len(ports) == 1 else tuple(range(len(lines)))
    return ch.LineChannel(name, ", ".join(lines), device, kind, {}, tuple(terminal(line) for line in lines), shifts)


def _names(physical: Sequence[str], given: str) -> list[str]:
    if not given:
        return list(physical)
    listed = split(given)
    if len(listed) == len(physical):
        return listed
    return [f"{given}{n}" for n in range(len(physical))]


def _append(engine: Engine, task: Task, made: Sequence[ch.Channel]) -> None:
    taken = {c.name.lower() for c in task.channels}
    for channel in made:
        if channel.name.lower() in taken:
            raise task.fail(-200489, Channel_Name=channel.name)
        taken.add(channel.name.lower())
    devices = list(dict.fromkeys([*task.devices, *(c.device for c in made)]))
    if len(devices) > 1 and not _share_a_task(engine, [*task.channels, *made], devices):
        raise task.fail(-200558, Device=", ".join(devices))
    task.channels.extend(made)


def _share_a_task(engine: Engine, channels: Sequence[ch.Channel], devices: Sequence[str]) -> bool:
    """Input modules that lock to the same reference clock: the driver gives them one sync pulse and one start trigger by itself."""
    clocks = {inputs.shares for device in devices if (inputs := engine.devices[device].inputs) is not None}
    return all(c.kind == ch.ANALOG_INPUT for c in channels) and len(clocks) == 1 and "" not in clocks
