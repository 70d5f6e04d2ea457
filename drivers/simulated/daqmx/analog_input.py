"""Analogue input tasks: what they sample goes through the device's filters into a host buffer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.acquisition import Converter
from drivers.simulated.daqmx.buffers import InputBuffer, input_size
from drivers.simulated.daqmx.gates import instants
from drivers.simulated.daqmx.kind import Kind, Limits, Scene
from drivers.simulated.daqmx.signals import Piece
from drivers.simulated.daqmx.tasks import OVERWRITE, Task

if TYPE_CHECKING:
    from drivers.simulated.daqmx.engine import Engine

Block = NDArray[np.float64]


class AnalogInput(Kind):
    """AI."""

    subsystem = "ai"
    analogue = True

    def resources(self, engine: Engine, task: Task) -> tuple[str, ...]:
        return tuple(f"{device}/ai" for device in task.devices)

    def verify(self, engine: Engine, task: Task) -> None:
        if task.clocked:
            return
        for device in task.devices:
            inputs = engine.devices[device].inputs
            if inputs is not None and not inputs.on_demand:
                raise task.fail(
                    -200077, Property="SampTimingType", Requested_Value="On Demand", You_Can_Select="Sample Clock", Device=device
                )

    def limits(self, engine: Engine, task: Task, device: str) -> Limits | None:
        inputs = engine.devices[device].inputs
        if inputs is None:
            return None
        count = sum(c.device == device for c in task.channels)
        return Limits(inputs.rate_min, inputs.rate_max(count), inputs.rate_single, inputs.grid)

    def commit(self, engine: Engine, task: Task) -> None:
        if task.clocked:
            make_buffer(engine, task)

    def start(self, engine: Engine, task: Task) -> None:
        if task.clocked:
            make_buffer(engine, task)
            task.converter = Converter(task.channels, engine.board)

    def length(self, engine: Engine, task: Task) -> float:
        assert task.input is not None
        return task.timing.samples + task.input.delay if task.finite else math.inf

    def acquire(self, engine: Engine, piece: Piece, task: Task, scene: Scene) -> None:
        if not task.clocked or task.ended is not None:
            return
        assert task.input is not None
        at = instants(engine, piece, task)
        rows = slice(0, len(at)) if at is scene.grid or at.base is scene.grid else np.searchsorted(scene.grid, at)

        def level(name: str) -> Block:
            return scene.levels[name][rows] if name in scene.levels else np.full(len(at), engine.board.levels[name])

        values = task.converter.convert(task.input.converted, at, scene.plant[rows], level)
        if not task.input.append(values):
            engine.end(task, -200279)
        elif task.finite and task.input.acquired >= task.timing.samples:
            engine.end(task, 0)


def make_buffer(engine: Engine, task: Task) -> None:
    """Buffer for a clocked acquisition: NI's default size, unless it was configured. Raises DaqmxError -200608."""
    inputs = [part for device in task.devices if (part := engine.devices[device].inputs) is not None]
    delay = max(part.filter_delay if part.compensates else 0 for part in inputs)
    late = max(0 if part.compensates else part.filter_delay for part in inputs)
    task.input = InputBuffer(len(task.channels), input_size(task), task.overwrite == OVERWRITE, delay, late)


def convert_now(engine: Engine, task: Task) -> Block:
    """One software-timed sample, (channels,)."""
    engine.reach_now(task)
    now = np.array([engine.time])
    plant = engine.board.advance(now, {})
    converter = Converter(task.channels, engine.board, on_demand=True)
    values = converter.convert(task.demanded, now, plant, lambda name: np.array([engine.board.levels[name]]))
    task.demanded += 1
    return np.asarray(values[0])
