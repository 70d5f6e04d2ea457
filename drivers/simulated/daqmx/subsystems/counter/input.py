"""Counter input tasks: edges counted, intervals timed and positions followed, on demand, one by one, or by a sample clock.

"X Series User Manual", Counters: single (on demand), implicit buffered and sample clocked buffered measurements. "NI-DAQmx Help",
Reading and Writing with NI-DAQmx Simulated Devices: what counters measure where nothing is connected is 0, and there at once
(`routing/unconnected_pins.py`: unless that is to be waited for).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffer_sizes import input_size, need_memory
from drivers.simulated.daqmx.core.buffers import InputBuffer
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.edges import PULSE, Drive, TimeSlice, pulses
from drivers.simulated.daqmx.core.instants import NEVER
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.rate_limits import RATE_MIN, Limits
from drivers.simulated.daqmx.core.task import IMPLICIT, OVERWRITE, Task
from drivers.simulated.daqmx.core.trigger_types import Phase
from drivers.simulated.daqmx.subsystems.counter import usages as cu
from drivers.simulated.daqmx.subsystems.counter.checks import check_input, has_clock
from drivers.simulated.daqmx.subsystems.counter.input_signals import inputs
from drivers.simulated.daqmx.subsystems.counter.loans import lent
from drivers.simulated.daqmx.subsystems.counter.tracking import InputRun, input_of, inputs_of, measure, turning
from drivers.simulated.daqmx.subsystems.runs import take_in
from drivers.simulated.daqmx.subsystems.task_type import InputSnapshot, TaskType
from drivers.simulated.daqmx.triggering.sequence import instants

MODULE_RATE = 102.4e3
"""Highest sample rate (S/s) of an NI 9361 (its data sheet)."""


class CounterInput(TaskType):
    """CI."""

    subsystem = "ctr"
    follows = True
    after_plant = True

    def resources(self, bench: Bench, task: Task) -> tuple[str, ...]:
        names = [terminal(c.physical) for c in task.channels]
        # Two counters measure together: 0 and 1, 2 and 3.
        pairs = [f"{terminal(c.device)}/ctr{c.number ^ 1}" for c in task.channels_of(CounterChannel) if _of_two(c)]
        own = tuple(dict.fromkeys([*names, *pairs]))
        return (*own, *lent(bench, task, own))

    def limits(self, bench: Bench, task: Task, device: str) -> Limits | None:
        return Limits(RATE_MIN, MODULE_RATE, MODULE_RATE) if has_clock(bench, device) else None

    def verify(self, bench: Bench, task: Task) -> None:
        check_input(bench, task)

    def commit(self, bench: Bench, task: Task) -> None:
        if task.clocked:
            self._make_buffer(task)

    def start(self, bench: Bench, task: Task) -> None:
        if task.clocked:
            self._make_buffer(task)
        task.run = InputRun([input_of(bench, task, c) for c in task.channels_of(CounterChannel)])

    def _make_buffer(self, task: Task) -> None:
        size = input_size(task)
        need_memory(task, size, 2 * len(task.channels))
        task.input = InputBuffer(2 * len(task.channels), size, task.overwrite == OVERWRITE or task.single_point)

    def acquire(self, bench: Bench, piece: TimeSlice, task: Task, scene: InputSnapshot) -> None:
        at = instants(bench, piece, task)
        if task.ended is not None or task.phase is not Phase.GOING:
            return
        after = _begun_in(piece, task)
        blocks = [measure(bench, piece, task, item, at, after) for item in inputs_of(task)]
        if task.ended is None and task.clocked:
            rows = min(len(block) for block in blocks)
            block = np.concatenate([block[:rows] for block in blocks], axis=1)
            if task.timing.kind == IMPLICIT:
                block = self._wanted(task, block)
                task.count += len(block)
            take_in(bench, task, block)

    def _wanted(self, task: Task, block: NDArray[np.float64]) -> NDArray[np.float64]:
        """Measurements that a task without a sample clock takes in: of nothing connected as many zeros as there is use for."""
        assert task.input is not None
        left = task.timing.samples - task.input.acquired if task.finite else task.input.size - task.input.available
        if not inputs_of(task)[0].connected:
            return np.zeros((left, 2 * len(task.channels)))
        return block[: max(left, 0)] if task.finite else block

    def awaits(self, bench: Bench, task: Task) -> list[str]:
        names = super().awaits(bench, task)
        if names or task.phase is not Phase.GOING or not isinstance(task.run, InputRun):
            return names
        # Edges of a signal that is connected; a count goes on with any of its inputs.
        item = inputs_of(task)[0]
        live = [n for n in item.terminals if bench.routes.live(n)]
        return live[:1] if live or not item.connected else item.terminals[:1]

    def terminals(self, bench: Bench, task: Task, name: str) -> list[str]:
        exported = [bench.routes.canonical(text, task.device) for text in task.exports.get(name, ())]
        if name == "CounterOutputEvent":
            return [f"{terminal(c.physical)}internaloutput" for c in task.channels] + exported
        return [f"{terminal(c.physical)}{name.lower()}" for c in task.channels] + exported

    def signals(self, bench: Bench, task: Task) -> dict[str, Drive]:
        signals = super().signals(bench, task)
        signals["ArmStartTrigger"] = lambda piece: pulses(piece, piece.fired.get((task, "arm"), NEVER), PULSE, None)
        if isinstance(task.run, InputRun):
            signals["CounterOutputEvent"] = partial(turning, task, task.run.inputs[0])
        return signals

    def drives(self, bench: Bench, task: Task) -> dict[str, Drive]:
        drives = super().drives(bench, task)
        for item in task.run.inputs if isinstance(task.run, InputRun) else ():
            drives |= inputs(bench, item.channel, item.base.source.terminal)
        return drives

    def needs_signals(self, bench: Bench, task: Task) -> bool:
        return task.ended is None


def _of_two(channel: CounterChannel) -> bool:
    methods = [channel.attributes.get(f"CI_{name}_MEAS_METH") for name in ("FREQ", "PERIOD")]
    return any(m in (cu.HIGH_FREQUENCY, cu.LARGE_RANGE) for m in methods)


def _begun_in(piece: TimeSlice, task: Task) -> float | None:
    """When the task began to count by a trigger in this piece."""
    fired = piece.fired.get((task, "start"), piece.fired.get((task, "arm"), NEVER))
    return float(fired[-1]) if len(fired) else None
