"""What can be measured or generated with a channel, by the words that products are described with: members of NI's UsageType enums."""

from __future__ import annotations

from collections.abc import Iterable

from nidaqmx import constants as ni

VOLTAGE, CURRENT, VOLTAGE_RMS, CURRENT_RMS = (
    ni.UsageTypeAI.VOLTAGE.value, ni.UsageTypeAI.CURRENT.value, ni.UsageTypeAI.VOLTAGE_ACRMS.value, ni.UsageTypeAI.CURRENT_ACRMS.value,
)  # fmt: skip

INPUTS: dict[str, tuple[int, ...]] = {
    "voltage": (VOLTAGE,),
    # With excitation or a shunt outside, as NI's own tests make them on a 6363: current, excited voltage, strain, resistance, thermocouple,
    # thermistor, RTD; the sensor on the board. What else could be measured through conditioners is not listed.
    "multifunction": (CURRENT, 10323, 10300, 10278, 10303, 10302, 10301, 10311),
    # IEPE: accelerometer, velocity, force, microphone; proximity probe.
    "accel": (10356, 15966, 15895, 10354, 14835),
    # Charge, accelerometers by charge and by four wires.
    "charge": (16105, 16104, 16106),
    # Ratio, force, pressure, torque, strain, rosette, excited voltage.
    "bridge": (15908, 15899, 15902, 15905, 10300, 15980, 10323),
    "position": (10352, 10353),
    "strain": (10300, 10323),
    "thermocouple": (10303,),
    "rtd": (10301,),
    "current": (CURRENT,),
    "power": (16201,),
}
OUTPUTS: dict[str, tuple[int, ...]] = {"voltage": (VOLTAGE,), "current": (CURRENT,)}

# Edges, frequency, period, pulse width, semi-period, pulses (frequency, time, ticks), angle, position, separation of two edges.
COUNTER = (
    ni.UsageTypeCI.COUNT_EDGES.value, ni.UsageTypeCI.FREQUENCY.value, ni.UsageTypeCI.PERIOD.value,
    ni.UsageTypeCI.PULSE_WIDTH_DIGITAL.value, ni.UsageTypeCI.PULSE_WIDTH_DIGITAL_SEMI_PERIOD.value, ni.UsageTypeCI.PULSE_FREQ.value,
    ni.UsageTypeCI.PULSE_TIME.value, ni.UsageTypeCI.PULSE_TICKS.value, ni.UsageTypeCI.POSITION_ANGULAR_ENCODER.value,
    ni.UsageTypeCI.POSITION_LINEAR_ENCODER.value, ni.UsageTypeCI.PULSE_WIDTH_DIGITAL_TWO_EDGE_SEPARATION.value,
)  # fmt: skip
# Those of a counter module beyond: duty cycle, velocities.
COUNTER_MODULE = (*(usage for usage in COUNTER if usage != 10289), 16070, 16078, 16079)
# Pulses by time, frequency, ticks.
PULSES = (ni.UsageTypeCO.PULSE_TIME.value, ni.UsageTypeCO.PULSE_FREQUENCY.value, ni.UsageTypeCO.PULSE_TICKS.value)
FREQUENCY_OUTPUT = (ni.UsageTypeCO.PULSE_FREQUENCY.value,)


def usage_numbers(words: Iterable[str], table: dict[str, tuple[int, ...]]) -> list[int]:
    """Usages of several words, each once, in order."""
    return list(dict.fromkeys(usage for word in words for usage in table[word]))
