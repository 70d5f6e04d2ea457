"""All kinds of tasks, by the type of their channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx.analog_input import AnalogInput
from drivers.simulated.daqmx.analog_output import AnalogOutput
from drivers.simulated.daqmx.digital_input import DigitalInput
from drivers.simulated.daqmx.digital_output import DigitalOutput
from drivers.simulated.daqmx.kind import Kind
from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.not_served import NotServed

if TYPE_CHECKING:
    from drivers.simulated.daqmx.engine import Engine
    from drivers.simulated.daqmx.tasks import Task


class Counter(Kind):
    """Counters that are described only: they do not run yet."""

    subsystem = "ctr"

    def resources(self, engine: Engine, task: Task) -> tuple[str, ...]:
        return tuple(terminal(c.physical) for c in task.channels)

    def start(self, engine: Engine, task: Task) -> None:
        raise NotServed("a counter that runs")


NO_KIND = Kind()
KINDS: dict[int | None, Kind] = {
    ch.ANALOG_INPUT: AnalogInput(),
    ch.ANALOG_OUTPUT: AnalogOutput(),
    ch.DIGITAL_INPUT: DigitalInput(),
    ch.DIGITAL_OUTPUT: DigitalOutput(),
    ch.COUNTER_INPUT: Counter(),
    ch.COUNTER_OUTPUT: Counter(),
    None: NO_KIND,
}
