"""All kinds of tasks, by the type of their channels."""

from __future__ import annotations

from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx.analog_input import AnalogInput
from drivers.simulated.daqmx.analog_output import AnalogOutput
from drivers.simulated.daqmx.counter_input import CounterInput
from drivers.simulated.daqmx.counter_output import CounterOutput
from drivers.simulated.daqmx.digital_input import DigitalInput
from drivers.simulated.daqmx.digital_output import DigitalOutput
from drivers.simulated.daqmx.kind import Kind

NO_KIND = Kind()
KINDS: dict[int | None, Kind] = {
    ch.ANALOG_INPUT: AnalogInput(),
    ch.ANALOG_OUTPUT: AnalogOutput(),
    ch.DIGITAL_INPUT: DigitalInput(),
    ch.DIGITAL_OUTPUT: DigitalOutput(),
    ch.COUNTER_INPUT: CounterInput(),
    ch.COUNTER_OUTPUT: CounterOutput(),
    None: NO_KIND,
}
