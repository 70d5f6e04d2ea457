"""A type of task as the engine sees it, which knows none of them: analogue input, digital output, counter input and so on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffers import OutputBuffer
from drivers.simulated.daqmx.core.clocks import ChangeClock, DividedClock, EdgeClock
from drivers.simulated.daqmx.core.edges import PULSE, Drive, Edges, TimeSlice, pulses
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.rate_limits import Limits
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.timeline import Timeline
from drivers.simulated.daqmx.core.trigger_types import PATTERN, TIME, Phase
from drivers.simulated.daqmx.routing import patterns
from drivers.simulated.daqmx.routing.unconnected_pins import unconnected_trigger
from drivers.simulated.daqmx.triggering import sequence

Block = NDArray[np.float64]


@dataclass(frozen=True)
class InputSnapshot:
    """What inputs see of a piece: analogue levels at the instants `grid`, of the plant (m, outputs) and of the outputs that changed."""

    grid: Times
    plant: Block
    levels: Mapping[str, Block]


class TaskType:
    """Base of all types; what is here is right for a type that needs nothing of it. All of it is called under the lock of the bench.

    `analogue`: its sample instants are instants of the plant. `follows`: it goes by triggers also without a sample clock.
    `after_plant`: it only takes in, so that it may go by edges that the plant makes in the same piece of time.
    `subsystem`: middle part of its terminals (`ai` of `/Dev1/ai/SampleClock`).
    """

    subsystem = ""
    analogue = False
    follows = False
    after_plant = False

    def resources(self, bench: Bench, task: Task) -> tuple[str, ...]:
        """What no other task may have reserved at the same time."""
        return ()

    def pins(self, bench: Bench, task: Task) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Routes that its channels put something out by: terminal in its canonical form, and the names of what goes there."""
        return ()

    def verify(self, bench: Bench, task: Task) -> None:
        """Raise DaqmxError when the task cannot run as configured."""

    def limits(self, bench: Bench, task: Task, device: str) -> Limits | None:
        """Sample rates that the device takes from this task, None when it takes no sample clock."""
        return None

    def commit(self, bench: Bench, task: Task) -> None:
        """Make buffers."""

    def make_output(self, bench: Bench, task: Task, size: int) -> OutputBuffer:
        """Make the buffer of a clocked generation of `size` samples, unless another size was configured."""
        raise task.fail(-200526)

    def start(self, bench: Bench, task: Task) -> None:
        """About to run: raise DaqmxError when it cannot, else fix what the run works with."""

    def stop(self, bench: Bench, task: Task) -> None:
        """The run is over; outputs hold."""

    def length(self, bench: Bench, task: Task) -> float:
        """Edges of the sample clock that one start (or one of several triggers) takes."""
        return task.timing.samples if task.finite and not task.referenced else math.inf

    def late(self, bench: Bench, task: Task) -> int:
        """Edges of the sample clock by which samples come late."""
        return 0

    def generate(self, bench: Bench, piece: TimeSlice, task: Task) -> None:
        """Put into the piece what the task puts out: `levels`, `latest`, `lines`."""

    def acquire(self, bench: Bench, piece: TimeSlice, task: Task, scene: InputSnapshot) -> None:
        """Take in what the task samples in the piece."""

    def expire(self, bench: Bench, task: Task, states: Mapping[str, int]) -> Mapping[str, bool]:
        """A watchdog has expired: outputs of the running task take the states (by physical channel); lines that change, and to what."""
        return {}

    def ends(self, bench: Bench, task: Task) -> float | None:
        """Bench time (s) at which a running task that no sample clock drives will end, None where nobody knows."""
        return None

    def drives(self, bench: Bench, task: Task) -> dict[str, Drive]:
        """Signals that the running task makes, by terminal."""
        drives: dict[str, Drive] = {}
        for name, drive in self.signals(bench, task).items():
            drives |= dict.fromkeys(self.terminals(bench, task, name), drive)
        return drives

    def terminals(self, bench: Bench, task: Task, name: str) -> list[str]:
        """Terminals at which a signal of the task comes out."""
        owners = [task.host] if task.host else task.devices
        own = [terminal(f"{device}/{task.part}/{name}") for device in owners]
        return own + [bench.routes.canonical(text, task.device) for text in task.exports.get(name, ())]

    def signals(self, bench: Bench, task: Task) -> dict[str, Drive]:
        """Internal signals of the running task by the last part of their terminal."""
        return {
            "SampleClock": lambda piece: sample_clock(bench, piece, task),
            "StartTrigger": lambda piece: event(bench, piece, task, "start"),
            "ReferenceTrigger": lambda piece: event(bench, piece, task, "reference"),
            "PauseTrigger": lambda piece: sequence.pausing(bench, piece, task),
        }

    def awaits(self, bench: Bench, task: Task) -> list[str]:
        """Terminals at which edges have to come so that the running task goes on."""
        if task.phase is Phase.ARMING:
            if task.settings["ARM_START_TRIG_TYPE"] == TIME:
                return []
            return [bench.routes.canonical(str(task.settings.get("DIG_EDGE_ARM_START_TRIG_SRC", "")), task.device)]
        if task.phase is Phase.WAITING:
            if task.trigger_type == TIME or unconnected_trigger(bench, task, "START"):
                return []
            if task.trigger_type == PATTERN:
                # One of the lines is enough to lead to a match.
                return [n for n in patterns.lines(bench, task, task.trigger_source) if bench.routes.live(n)][:1] or [""]
            return [bench.routes.canonical(task.trigger_source, task.device)]
        if isinstance(task.clock, ChangeClock):
            names = (*task.clock.rising, *task.clock.falling)
            return [n for n in names if bench.routes.live(n)][:1] or [""]
        return [task.clock.terminal] if isinstance(task.clock, EdgeClock | DividedClock) else []

    def needs_signals(self, bench: Bench, task: Task) -> bool:
        """Whether the running task goes by signals, so that it has to be followed all the time and not only at its clock's ticks."""
        return task.clocked and task.ended is None and (task.phase is not Phase.GOING or sequence.line_of(bench, task) is None)


def sample_clock(bench: Bench, piece: TimeSlice, task: Task) -> Edges:
    """The sample clock as it is on its terminal: a pulse for each sample."""
    rises = sequence.instants(bench, piece, task)
    if task.clock is not None:
        task.width = 0.5 / task.clock.rate if isinstance(task.clock, Timeline) else PULSE
    return pulses(piece, rises, task.width, task.last)


def event(bench: Bench, piece: TimeSlice, task: Task, name: str) -> Edges:
    """An event of the run as a short pulse."""
    sequence.instants(bench, piece, task)
    return pulses(piece, piece.fired.get((task, name), NEVER), PULSE, task.events.get(name))
