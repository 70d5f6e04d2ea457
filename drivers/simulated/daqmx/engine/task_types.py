"""All types of tasks, by the type of their channels."""

from __future__ import annotations

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.subsystems.analog.input import AnalogInput
from drivers.simulated.daqmx.subsystems.analog.output import AnalogOutput
from drivers.simulated.daqmx.subsystems.counter.input import CounterInput
from drivers.simulated.daqmx.subsystems.counter.output import CounterOutput
from drivers.simulated.daqmx.subsystems.digital.input import DigitalInput
from drivers.simulated.daqmx.subsystems.digital.output import DigitalOutput
from drivers.simulated.daqmx.subsystems.task_type import TaskType

UNTYPED = TaskType()
TASK_TYPES: dict[int | None, TaskType] = {
    ch.ANALOG_INPUT: AnalogInput(),
    ch.ANALOG_OUTPUT: AnalogOutput(),
    ch.DIGITAL_INPUT: DigitalInput(),
    ch.DIGITAL_OUTPUT: DigitalOutput(),
    ch.COUNTER_INPUT: CounterInput(),
    ch.COUNTER_OUTPUT: CounterOutput(),
    None: UNTYPED,
}
