"""Building a task: timing, triggers, buffers, watchdog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from drivers.simulated.daqmx import creating
from drivers.simulated.daqmx import tasks as tk
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.line_channels import lines_of
from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.tasks import State, Task
from drivers.simulated.daqmx.watchdog import LONGEST, NO_CHANGE, Watchdog


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
        texts = creating.physical_names(task, lines)
        if len(texts) != len(states):
            raise task.fail(-200077, Property="Watchdog.DO.ExpirState", Requested_Value=len(states))
        for full, state in zip(texts, states, strict=True):
            name, product, channel = creating.locate(engine, task, full)
            if name != device:
                raise task.fail(-200648, Device=name)
            # Tristate is left out: the lines of a simulated device have no pull resistor whose level could be told.
            if state not in (10192, 10214, NO_CHANGE):
                raise task.fail(-200077, Property="Watchdog.DO.ExpirState", Requested_Value=state)
            dog.states |= {terminal(line): state for line in lines_of(task, name, product, channel)}


def watchdog_of(engine: Engine, task: Task) -> tuple[str, Watchdog]:
    """Device and watchdog of a watchdog task. Raises DaqmxError -200635."""
    for device, dog in engine.watchdogs.items():
        if dog.task is task:
            return device, dog
    raise task.fail(-200635)
