"""Analogue input tasks: what they sample goes through the device's filters into a host buffer."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.alias_filter import AliasFilter
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.buffer_sizes import input_size, need_memory
from drivers.simulated.daqmx.core.buffers import InputBuffer
from drivers.simulated.daqmx.core.channel import ANALOG_INPUT, AnalogChannel
from drivers.simulated.daqmx.core.edges import TimeSlice
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.rate_limits import Limits
from drivers.simulated.daqmx.core.task import OVERWRITE, Task
from drivers.simulated.daqmx.products import AnalogInputs
from drivers.simulated.daqmx.sensors import rosettes, units
from drivers.simulated.daqmx.subsystems.analog import input_memory, tdms
from drivers.simulated.daqmx.subsystems.analog.acquisition import Converter
from drivers.simulated.daqmx.subsystems.runs import take_in
from drivers.simulated.daqmx.subsystems.task_type import InputSnapshot, TaskType
from drivers.simulated.daqmx.timing import convert_rates, sample_clock
from drivers.simulated.daqmx.triggering.analog import Pausing, Search, pauses_itself, watch
from drivers.simulated.daqmx.triggering.sequence import delay, instants

Block = NDArray[np.float64]


@dataclass
class Run:
    """What a clocked run works with; `start`, `reference`, `pausing`: triggers on the task's own samples."""

    converter: Converter
    start: Search | None
    reference: Search | None
    pausing: Pausing | None


def run_of(task: Task) -> Run:
    """The run of a clocked task that has been started."""
    assert isinstance(task.run, Run)
    return task.run


TIMING_ENGINES = ("ai", "te0", "te1")
"""Of a CompactDAQ chassis, in the order in which they are taken."""


class AnalogInput(TaskType):
    """AI."""

    subsystem = "ai"
    analogue = True

    def resources(self, bench: Bench, task: Task) -> tuple[str, ...]:
        engines = {device: part.engines for device in task.devices if (part := bench.devices[device].inputs) is not None}
        several = [device for device, names in engines.items() if len(names) > 1]
        converters = [f"{device}/ai" for device in task.devices if device not in several]
        converters += [terminal(c.physical) for c in task.channels if c.device in several]
        owners = [task.host] if task.host else several
        if not owners or not task.clocked:
            return tuple(converters)
        # A chassis has three timing engines, and some modules have; the driver takes one that is free.
        names = TIMING_ENGINES if task.host else engines[several[0]]
        taken = {name for other in bench.tasks.values() if other is not task for name in other.reserved}
        free = [name for name in names if not any(f"{owner}/{name}" in taken for owner in owners)]
        task.timing_engine = (free or names)[0]
        return (*converters, *(f"{owner}/{task.timing_engine}" for owner in owners))

    def verify(self, bench: Bench, task: Task) -> None:
        tdms.verify(task)
        unread = next((c for c in task.channels if isinstance(c, AnalogChannel) and c.unread), None)
        if unread is not None:
            raise task.fail(-200754, Channel_Name=unread.name)
        if task.clocked:
            return
        need_rate(bench, task)
        for device in task.devices:
            inputs = bench.devices[device].inputs
            if inputs is not None and not inputs.on_demand:
                raise task.fail(-200757, Device=device)

    def limits(self, bench: Bench, task: Task, device: str) -> Limits | None:
        inputs = bench.devices[device].inputs
        if inputs is None:
            return None
        count = sum(c.device == device for c in task.channels)
        single, highest = inputs.rate_single, inputs.rate_max(count)
        converts = convert_rates.chosen(task)
        if converts is not None and not inputs.simultaneous:
            single, highest = min(single, converts), min(highest, converts / count)
        return Limits(inputs.rate_min, highest, single, inputs.grid, inputs.timebase, inputs.divisors)

    def commit(self, bench: Bench, task: Task) -> None:
        if task.clocked:
            make_buffer(bench, task)

    def start(self, bench: Bench, task: Task) -> None:
        if task.clocked:
            make_buffer(bench, task)
            channels, rate = task.channels_of(AnalogChannel), sample_clock.rate(bench, task)
            converter = Converter(channels, bench.board, inputs_of(bench, task), rate)
            task.run = Run(converter, watch(task, "START"), watch(task, "REF"), Pausing(task) if pauses_itself(task) else None)
            self._filter(bench, task)
            self._derive(task)
        task.log = self._log(bench, task)  # last: what fails before it leaves no file open

    def length(self, bench: Bench, task: Task) -> float:
        samples = math.inf if pauses_itself(task) else super().length(bench, task)
        return samples + self.late(bench, task) if task.clocked else math.inf

    def late(self, bench: Bench, task: Task) -> int:
        return task.input.delay if task.input is not None else 0

    def needs_signals(self, bench: Bench, task: Task) -> bool:
        return super().needs_signals(bench, task) or (task.clocked and task.ended is None and task.seeking)

    def acquire(self, bench: Bench, piece: TimeSlice, task: Task, scene: InputSnapshot) -> None:
        if not task.clocked or task.ended is not None:
            return
        assert task.input is not None
        at = instants(bench, piece, task)
        rows = slice(0, len(at)) if at is scene.grid or at.base is scene.grid else np.searchsorted(scene.grid, at)

        def level(name: str) -> Block:
            return scene.levels[name][rows] if name in scene.levels else np.full(len(at), bench.board.levels[name])

        run = run_of(task)
        values = run.converter.convert(task.input.converted, at, scene.plant[rows], level)
        if task.seeking:
            at, values = self._sought(bench, piece, task, at, values)
        if run.pausing is not None:
            at, values = self._unpaused(task, run.pausing, at, values)
        if task.filter is not None:
            self._follow(bench, piece, task)
            task.filter.sample(at)
        if task.referenced:
            self._look_for_reference(bench, piece, task, at, values)
        take_in(bench, task, values)
        if task.log is not None and tdms.mode(task) == tdms.LOG:
            task.log.acquired()

    def stop(self, bench: Bench, task: Task) -> None:
        if task.log is not None:
            log, task.log = task.log, None
            log.close()

    def _log(self, bench: Bench, task: Task) -> tdms.Log | None:
        if tdms.mode(task) == tdms.OFF:
            return None
        rate = sample_clock.rate(bench, task) if task.clocked else 0.0
        return tdms.Log(bench, task, rate, [units.unit_name(bench, c) for c in task.channels_of(AnalogChannel)])

    def _filter(self, bench: Bench, task: Task) -> None:
        """What comes out of the buffer's delay has been through the filters against aliases."""
        assert task.input is not None
        run = run_of(task)
        converter = run.converter
        task.filter = None
        if not converter.delta_sigma:
            return
        filtered = sum(map(len, converter.delta_sigma.values()))
        converter.lazy = filtered == len(task.channels) and not (run.start or run.reference or run.pausing)
        against = AliasFilter(converter.delta_sigma, bench.board.levels, sample_clock.rate(bench, task), task.input.late)
        task.filter = against

        def finish(rows: Block) -> None:
            found = against.out(len(rows))
            converter.replace(rows, {column: found[name] for name, columns in against.columns.items() for column in columns})

        task.input.finish = finish

    def _derive(self, task: Task) -> None:
        """Rosettes are worked out from strains that are through all filters."""
        derive = rosettes.derivation(task.channels_of(AnalogChannel))
        assert task.input is not None
        filtered = task.input.finish
        if derive is None or filtered is None:
            task.input.finish = derive or filtered
            return

        def finish(rows: Block) -> None:
            filtered(rows)
            derive(rows)

        task.input.finish = finish

    def _follow(self, bench: Bench, piece: TimeSlice, task: Task) -> None:
        assert task.filter is not None
        steps = {name: (at[: len(levels)], levels) for name, levels, at in piece.levels}
        for name in task.filter.columns:
            task.filter.follow(name, piece.start, bench.board.levels[name], *steps.get(name, (NEVER, NEVER)))

    def _sought(self, bench: Bench, piece: TimeSlice, task: Task, at: Times, values: Block) -> tuple[Times, Block]:
        """A start trigger on the task's own samples: those before it, and before the delay from it has passed, are thrown away."""
        index, search = 0, run_of(task).start
        assert search is not None
        if search.left is None:
            found = search.find(values) if len(values) else None
            if found is not None:
                index, task.started = found, float(at[found])
                search.left = math.ceil(delay(bench, task) * sample_clock.rate(bench, task) * (1.0 - 1e-12))
                piece.late |= dict.fromkeys(self.terminals(bench, task, "StartTrigger"), task.started)
                task.events["start"] = task.started
        if search.left is None or search.left >= len(at) - index:
            search.left = None if search.left is None else search.left - (len(at) - index)
            task.count -= len(at)
            return at[:0], values[:0]
        index += search.left
        task.seeking, task.events["first"] = False, float(at[index])
        block = values[index:] if math.isinf(task.quota) else values[index : index + int(task.quota)]
        task.count = len(at) - index
        return at[index : index + len(block)], block

    def _unpaused(self, task: Task, pausing: Pausing, at: Times, values: Block) -> tuple[Times, Block]:
        """What a pause trigger on the task's own samples lets through, and of a finite task no more than it is to take."""
        assert task.input is not None
        passed = pausing.passed(values[:, pausing.column])
        kept: Block = values[passed]
        task.count -= len(values) - len(kept)
        most = task.timing.samples + task.input.delay - task.input.converted if task.finite else len(kept)
        return at[passed][:most], kept[:most]

    def _look_for_reference(self, bench: Bench, piece: TimeSlice, task: Task, at: Times, values: Block) -> None:
        """A reference trigger on the task's own samples."""
        assert task.input is not None
        search = run_of(task).reference
        if task.reference is not None or search is None or not len(values):
            return
        first, wanted = task.input.converted, task.pretrigger
        start = 0
        while (index := search.find(values[start:])) is not None:
            start += index
            if first + start >= wanted:
                task.reference = first + start
                task.quota = task.reference + task.timing.samples - wanted + self.late(bench, task)
                task.events["reference"] = float(at[start])
                piece.late |= dict.fromkeys(self.terminals(bench, task, "ReferenceTrigger"), float(at[start]))
                return
            start += 1


def need_rate(bench: Bench, task: Task) -> None:
    """Raise DaqmxError -201087 for a task on demand with modules of a chassis that convert only by a sample clock, as NI 9234 do.

    So says every property of its channels and of its timing, too, as it is looked for in a verified task (ladisk/nidaqwrapper, issue 5).
    """
    if task.clocked or task.kind != ANALOG_INPUT or not task.host:
        return
    if any((part := bench.devices[device].inputs) is not None and not part.on_demand for device in task.devices):
        raise task.fail(-201087)


def make_buffer(bench: Bench, task: Task) -> None:
    """Buffer for a clocked acquisition: NI's default size, unless it was configured. Raises DaqmxError -200608."""
    inputs = [part for device in task.devices if (part := bench.devices[device].inputs) is not None]
    delay = max(part.filter_delay if part.compensates else 0 for part in inputs)
    late = max(0 if part.compensates else part.filter_delay for part in inputs)
    overwrite = task.overwrite == OVERWRITE or task.referenced or task.single_point
    size = input_size(task)
    need_memory(task, size, len(task.channels))
    task.input = InputBuffer(len(task.channels), size, overwrite, delay, late, fifo=input_memory.per_channel(bench, task))
    task.input.held = task.referenced


def inputs_of(bench: Bench, task: Task) -> list[AnalogInputs]:
    """Inputs of the device of each channel."""
    parts = [bench.devices[c.device].inputs for c in task.channels]
    return [part for part in parts if part is not None]


def convert_now(bench: Bench, task: Task) -> Block:
    """One software-timed sample at the present bench time, (channels,)."""
    now = np.array([bench.time])
    plant = bench.board.advance(now, {})
    since = task.events.setdefault("demanded", bench.time)
    converter = Converter(task.channels_of(AnalogChannel), bench.board, inputs_of(bench, task), since=since)
    values = converter.convert(task.demanded, now, plant, lambda name: np.array([bench.board.levels[name]]))
    task.demanded += 1
    derive = rosettes.derivation(task.channels_of(AnalogChannel))
    if derive is not None:
        derive(values)
    return np.asarray(values[0])
