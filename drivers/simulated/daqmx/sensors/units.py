"""Units of analogue channels in words, as waveforms and files have them."""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.sensors.measurements import USAGES

CUSTOM_SCALE = ni.FrequencyUnits.FROM_CUSTOM_SCALE.value
UNITS = {
    10348: "Volts", 10342: "Amps", 16102: "C", 16103: "pC", 10143: "Deg C", 10144: "Deg F", 10325: "Kelvins", 10145: "Deg R",
    10299: "Strain", 10186: "g", 12470: "m/s^2", 12471: "in/s^2", 10384: "Ohms", 10373: "Hz", 10081: "Pascals", 10219: "m", 10379: "in",
    10146: "Degrees", 10273: "Radians", 15875: "N", 15876: "lb", 15877: "kgf", 15879: "psi", 15880: "Bar", 15881: "Nm", 15882: "oz-in",
    15883: "lb-in", 15884: "lb-ft", 15897: "mV/V", 15896: "V/V", 15959: "m/s", 15960: "in/s",
}  # fmt: skip
"""How a unit is written, by its number in nidaqmx.constants."""


def unit_name(bench: Bench, channel: ch.AnalogChannel) -> str:
    """Unit of a channel's samples in words; empty where there is none."""
    usage = USAGES.get(as_int(channel.attributes.get("AI_MEAS_TYPE", 0)))
    number = as_int(channel.attributes.get(usage.units, 0)) if usage is not None else 0
    if number == CUSTOM_SCALE:
        scale = bench.scales.get(str(channel.attributes.get("AI_CUSTOM_SCALE_NAME", "")))
        return str(scale.attributes.get("SCALED_UNITS", "")) if scale is not None else ""
    return UNITS.get(number, "")
