"""Outputs that use only the memory on board ("AO.UseOnlyOnBrdMem", "DO.UseOnlyOnBrdMem", NI-DAQmx Properties).

"Specifies whether to write samples directly to the onboard memory of the device, bypassing the memory buffer. Generally, you cannot update
onboard memory directly after you start the task."
"""

from __future__ import annotations

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.subsystems.digital.output import FIFO

ONLY = {ch.ANALOG_OUTPUT: "AO_USE_ONLY_ON_BRD_MEM", ch.DIGITAL_OUTPUT: "DO_USE_ONLY_ON_BRD_MEM"}
"""The property of the channels by their type."""


def only(task: Task) -> bool:
    """Whether what is written goes to the memory on board, and to no buffer."""
    name = ONLY.get(task.kind or 0)
    return name is not None and task.clocked and not task.single_point and any(c.attributes.get(name) for c in task.channels)


def size(engine: Engine, task: Task) -> int:
    """Samples that the memory on board holds, of all channels together. Raises DaqmxError -200452 for inputs."""
    outputs = engine.devices[task.device].outputs
    if task.kind == ch.DIGITAL_OUTPUT:
        return FIFO
    if task.kind != ch.ANALOG_OUTPUT or outputs is None:
        raise task.fail(-200452, Property="DAQmx_Buf_Output_OnbrdBufSize")
    return outputs.fifo


def need_unstarted(task: Task) -> None:
    """Raise DaqmxError -200295 for a write to the memory on board of a task that runs."""
    if only(task) and task.running:
        raise task.fail(-200295)


def need_room(engine: Engine, task: Task, end: int) -> None:
    """Raise DaqmxError -200341 for samples up to `end` (per channel) that the memory on board, shared by the channels, does not hold."""
    if not only(task):
        return
    room = size(engine, task) // (len(task.channels) if task.kind == ch.ANALOG_OUTPUT else 1)
    if end > room:
        raise task.fail(-200341, Requested_Value=end, Maximum_Value=str(room))
