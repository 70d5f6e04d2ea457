"""Building a task: timing, triggers, buffers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drivers.simulated.daqmx import tasks as tk
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.tasks import State, Task


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
