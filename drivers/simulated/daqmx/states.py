"""Transitions of the DAQmx task model: verify, reserve, commit, start, stop, and what each of them checks."""

from __future__ import annotations

import math
from typing import Any

from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx.buffers import InputBuffer, OutputBuffer, default_input_size
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.errors import DaqmxError
from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.products import BACKPLANE, TIMEBASE
from drivers.simulated.daqmx.tasks import CONTINUOUS, DONT_ALLOW_REGENERATION, OVERWRITE, State, Task
from drivers.simulated.daqmx.timeline import Timeline
from drivers.simulated.daqmx.watchdog import Watchdog

# Members of nidaqmx.constants.TaskMode.
START, STOP, VERIFY, COMMIT, RESERVE, UNRESERVE, ABORT = range(7)
REQUEST_SHARE = {10242: 1.0, 10239: 0.5, 10235: 0.0}
"""Share of the on-board memory that is kept full under each data transfer request condition."""


def control(engine: Engine, task: Task, action: int) -> None:
    """What `Task.control` asks for. Raises DaqmxError."""
    actions = {
        START: start, STOP: stop, VERIFY: verify, COMMIT: commit, RESERVE: reserve, UNRESERVE: unreserve, ABORT: abort,
    }  # fmt: skip
    if action not in actions:
        raise task.fail(-200077, Property="Action", Requested_Value=action)
    with engine.lock:
        actions[action](engine, task)


def verify(engine: Engine, task: Task) -> None:
    """Check that the task can run as configured. Raises DaqmxError."""
    if _watchdog(engine, task):
        task.state = max(task.state, State.VERIFIED)
        return
    task.need_channels()
    if task.clocked and not _foreign(engine, task):
        coerced_rate(engine, task)
    if task.trigger and not task.clocked:
        raise task.fail(-200262)
    if not task.clocked and task.kind == ch.ANALOG_INPUT:
        _takes_single_samples(engine, task)
    _known_source(engine, task, task.timing.source, "SampleClock", "SampClk.Src")
    _known_source(engine, task, task.trigger, "StartTrigger", "DigEdge.StartTrig.Src")
    task.state = max(task.state, State.VERIFIED)


def reserve(engine: Engine, task: Task) -> None:
    """Take what the task needs. Raises DaqmxError -50103 when another task has it."""
    verify(engine, task)
    if task.state >= State.RESERVED:
        return
    wanted = _resources(engine, task)
    guarded = next((device for device, dog in engine.watchdogs.items() if dog.task is task), None)
    for other in list(engine.tasks.values()):
        if other is task or not other.reserved:
            continue
        beside_watchdog = guarded is not None and guarded in other.devices
        if (beside_watchdog or set(wanted) & set(other.reserved)) and not engine.clear_if_abandoned(other):
            raise task.fail(-201477, Device=guarded) if beside_watchdog else task.fail(-50103)
    task.reserved = wanted
    task.state = State.RESERVED


def commit(engine: Engine, task: Task) -> None:
    """Program the devices: the input buffer is made here."""
    reserve(engine, task)
    if task.state >= State.COMMITTED:
        return
    if task.clocked and task.kind == ch.ANALOG_INPUT:
        make_input(engine, task)
    task.state = State.COMMITTED


def start(engine: Engine, task: Task) -> None:
    """Run the task; a clocked one waits for its trigger and its clock. Raises DaqmxError."""
    with engine.lock:
        task.need_stopped()
        resting = task.state
        engine.update(exact=True)
        try:
            commit(engine, task)
            _ready_to_run(engine, task)
        except DaqmxError:
            _fall_back(engine, task, resting)
            raise
        task.resting = max(resting, State.VERIFIED)
        task.state = State.RUNNING
        task.ended, task.first, task.runs = None, 0, task.runs + 1
        dog = _watchdog(engine, task)
        if dog is not None:
            dog.arm(engine.time)
        elif task.clocked:
            engine.prepare(task)
            if not task.trigger or own_trigger(task) == terminal(task.trigger):
                _begin(engine, task)
        engine.changed.notify_all()


def stop(engine: Engine, task: Task) -> None:
    """Stop; a task that was started without being reserved first gives its resources back."""
    with engine.lock:
        engine.stop(task)
        if task.state < State.RESERVED:
            task.reserved = ()
        dog = _watchdog(engine, task)
        if dog is not None:
            dog.disarm()


def unreserve(engine: Engine, task: Task) -> None:
    """Give the resources back. Raises DaqmxError -200479 while it runs."""
    task.need_stopped()
    engine.release(task)
    task.output = None


def abort(engine: Engine, task: Task) -> None:
    """Stop at once and give everything back."""
    stop(engine, task)
    unreserve(engine, task)


def _takes_single_samples(engine: Engine, task: Task) -> None:
    for device in task.devices:
        inputs = engine.devices[device].inputs
        if inputs is not None and not inputs.on_demand:
            raise task.fail(-200077, Property="SampTimingType", Requested_Value="On Demand", You_Can_Select="Sample Clock", Device=device)


def coerced_rate(engine: Engine, task: Task) -> float:
    """Rate (S/s) that all the task's devices make of the asked one. Raises DaqmxError, naming the first device that cannot."""
    asked = task.timing.rate
    grids = [_grid_of_device(engine, task, device) for device in task.devices]
    # The driver takes the next rate at or above the asked one.
    grid = max((grid for grid in grids if grid is not None), default=None)
    if grid is not None:
        return math.ceil(asked / grid - 1e-9) * grid
    return TIMEBASE / math.floor(TIMEBASE / asked * (1 + 1e-12))


def _grid_of_device(engine: Engine, task: Task, device: str) -> float | None:
    """Step of a device's sample rate, None where it divides its timebase. Raises DaqmxError when the asked rate is beyond it."""
    asked, count, product = task.timing.rate, sum(c.device == device for c in task.channels), engine.devices[device]
    details: dict[str, Any] = {"Property": "SampClk.Rate", "Requested_Value": asked, "Device": device}
    if not asked > 0 or not math.isfinite(asked):
        raise task.fail(-200077, **details)
    if task.kind == ch.ANALOG_INPUT and product.inputs is not None:
        highest, lowest, grid = product.inputs.rate_max(count), product.inputs.rate_min, product.inputs.grid
        single = product.inputs.rate_single
    elif task.kind == ch.ANALOG_OUTPUT and product.outputs is not None:
        highest, lowest, grid = product.outputs.rates[count - 1], product.outputs.rate_min, None
        single = product.outputs.rates[0]
    else:
        raise task.fail(-200452, **details)
    if asked > single:
        raise task.fail(-200332, **details, Maximum_Value=single)
    if asked > highest:
        raise task.fail(-200081, **details, Maximum_Value=highest, Number_of_Channels=count)
    if asked < lowest:
        raise task.fail(-200331, **details, Minimum_Value=lowest)
    return grid


def own_trigger(task: Task) -> str:
    """Terminal that carries the task's own start trigger."""
    return terminal(f"{task.device}/{task.subsystem}/StartTrigger")


def make_input(engine: Engine, task: Task) -> None:
    """Buffer for a clocked acquisition: NI's default size, unless it was configured."""
    samples = task.timing.samples
    size = task.buffer_size
    if size is None:
        size = default_input_size(task.timing.rate, samples) if task.timing.mode == CONTINUOUS else samples
    if task.timing.mode != CONTINUOUS:
        size = max(size, samples)
    if size < 1:
        raise task.fail(-200608)
    inputs = [part for device in task.devices if (part := engine.devices[device].inputs) is not None]
    delay = max(part.filter_delay if part.compensates else 0 for part in inputs)
    late = max(0 if part.compensates else part.filter_delay for part in inputs)
    task.input = InputBuffer(len(task.channels), size, task.overwrite == OVERWRITE, delay, late)


def make_output(engine: Engine, task: Task, size: int) -> OutputBuffer:
    """Buffer for a clocked generation of `size` samples, unless it was configured."""
    outputs = engine.devices[task.device].outputs
    assert outputs is not None
    condition = task.channels[0].attributes["AO_DATA_XFER_REQ_COND"]
    onboard = max(1, round(REQUEST_SHARE[condition] * (outputs.fifo // len(task.channels))))
    regenerate = task.regeneration != DONT_ALLOW_REGENERATION
    task.output = OutputBuffer(len(task.channels), task.buffer_size or size, onboard, regenerate)
    return task.output


def _ready_to_run(engine: Engine, task: Task) -> None:
    if task.clocked and task.kind == ch.ANALOG_INPUT:
        make_input(engine, task)
    if task.clocked and task.kind == ch.ANALOG_OUTPUT:
        if task.output is None or task.output.written == 0:
            raise task.fail(-200462)
        if task.output.size < 2:
            raise task.fail(-200609)
        task.output.running = True


def _fall_back(engine: Engine, task: Task, resting: State) -> None:
    if resting < State.RESERVED:
        task.reserved = ()
    task.state = resting


def _begin(engine: Engine, task: Task) -> None:
    """The task's start trigger has come: put it on its clock, and everybody on it who waits for this trigger or this clock."""
    source = _foreign(engine, task)
    if source:
        line = engine.timelines.get(source)
        if line is not None:
            engine.attach(task, line)
    else:
        own = engine.clock_of(task)
        line = engine.timelines[own] = Timeline(own, engine.time, coerced_rate(engine, task))
        engine.attach(task, line)
        for other in engine.tasks.values():
            if other.running and other.timeline is None and other.ended is None and _foreign(engine, other) == own and not other.trigger:
                engine.attach(other, line)
    fired = own_trigger(task)
    for other in engine.tasks.values():
        if other is not task and other.running and other.timeline is None and other.ended is None and terminal(other.trigger) == fired:
            _begin(engine, other)


def _foreign(engine: Engine, task: Task) -> str:
    """Terminal of the sample clock when it is not the task's own, else an empty text."""
    if not task.clocked:  # a watchdog has neither clock nor channels
        return ""
    source = terminal(task.timing.source)
    return "" if source in ("", "onboardclock", engine.clock_of(task)) else source


def _known_source(engine: Engine, task: Task, source: str, signal: str, name: str) -> None:
    text = terminal(source)
    if text in ("", "onboardclock"):
        return
    device, _, rest = text.partition("/")
    for known, product in engine.devices.items():
        if known.lower() == device and any(t.lower() == rest for t in product.terminals):
            if known != task.device and not {product.bus, engine.devices[task.device].bus} <= set(BACKPLANE):
                raise task.fail(-89125, Property=name, Source_Device=known, Destination_Device=task.device)
            if rest.endswith(signal.lower()):
                return
            # A clock or trigger from outside the device: there is no edge to come, so the task waits.
            if rest.startswith("pfi"):
                return
    raise task.fail(-200254 if device in (d.lower() for d in engine.devices) else -200220, Property=name, Source_Terminal=source)


def _resources(engine: Engine, task: Task) -> tuple[str, ...]:
    if _watchdog(engine, task) is not None:
        return ()
    if task.kind == ch.ANALOG_INPUT:
        return tuple(f"{device}/ai" for device in task.devices)
    if task.kind == ch.ANALOG_OUTPUT:
        clock = (f"{task.device}/ao",) if task.clocked else ()
        return (*clock, *(terminal(c.physical) for c in task.channels))
    if task.kind == ch.DIGITAL_OUTPUT:
        return tuple(line for c in task.channels for line in c.lines)
    return ()


def _watchdog(engine: Engine, task: Task) -> Watchdog | None:
    return next((dog for dog in engine.watchdogs.values() if dog.task is task), None)
