"""A custom scale: from the units that a channel measures in to units of the laboratory's own.

"NI-DAQmx Help", Custom Scales: linear y = m x + b; map ranges, where reads are coerced to the scaled range; polynomial, with forward
and reverse coefficients; table, with reads beyond its ends coerced to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import scaling
from drivers.simulated.daqmx.core.values import Value, as_float, as_floats, as_int
from drivers.simulated.daqmx.status.errors import DaqmxError

LINEAR, MAP, POLYNOMIAL, TABLE = (
    ni.ScaleType.LINEAR.value, ni.ScaleType.MAP_RANGES.value, ni.ScaleType.POLYNOMIAL.value, ni.ScaleType.TABLE.value,
)  # fmt: skip
UNITS = (
    10348, 10342, 16203, 10144, 10143, 10145, 10325, 10299, 10384, 10373, 10364, 10219, 10379, 10146, 10273, 10304, 16080, 16081, 16082,
    10186, 12470, 12471, 15959, 15960, 10081, 15875, 15876, 15877, 15879, 15880, 15881, 15882, 15883, 15884, 15896, 15897, 16102, 16103,
    12516,
)  # fmt: skip
"""Members of nidaqmx.constants.UnitsPreScaled."""
OF_TYPE: dict[int, dict[str, Value]] = {
    LINEAR: {"LIN_SLOPE": 1.0, "LIN_Y_INTERCEPT": 0.0},
    MAP: {"MAP_PRE_SCALED_MIN": 0.0, "MAP_PRE_SCALED_MAX": 1.0, "MAP_SCALED_MIN": 0.0, "MAP_SCALED_MAX": 1.0},
    POLYNOMIAL: {"POLY_FORWARD_COEFF": [], "POLY_REVERSE_COEFF": []},
    TABLE: {"TABLE_PRE_SCALED_VALS": [], "TABLE_SCALED_VALS": []},
}
"""Properties that belong to each type, with their defaults."""


@dataclass
class Scale:
    """One custom scale; `attributes` by NI's names, without the family."""

    name: str
    attributes: dict[str, Value] = field(default_factory=dict)

    @property
    def kind(self) -> int:
        return as_int(self.attributes["TYPE"])

    @property
    def units(self) -> int:
        """Units of what goes in."""
        return as_int(self.attributes["PRE_SCALED_UNITS"])

    def law(self) -> scaling.Law:
        """From pre-scaled to scaled values. Raises DaqmxError for a scale that cannot be used."""
        a = self.attributes
        if a["PRE_SCALED_UNITS"] not in UNITS:
            raise DaqmxError(-200077, Property="DAQmx_Scale_PreScaledUnits", Requested_Value=a["PRE_SCALED_UNITS"])
        if self.kind == LINEAR:
            return _line(*(as_float(a[name]) for name in OF_TYPE[LINEAR]))
        if self.kind == MAP:
            return _map(*(as_float(a[name]) for name in OF_TYPE[MAP]))
        one, other = (as_floats(a[name]) for name in OF_TYPE[self.kind])
        return scaling.polynomial(one, other) if self.kind == POLYNOMIAL else scaling.table(one, other)


def _line(slope: float, intercept: float) -> scaling.Law:
    if slope == 0.0:
        raise DaqmxError(-200409)
    return scaling.Law(slope, intercept)


def _map(low: float, high: float, scaled_low: float, scaled_high: float) -> scaling.Law:
    if low == high:
        raise DaqmxError(-200602)
    if scaled_low == scaled_high:
        raise DaqmxError(-200603)
    slope = (scaled_high - scaled_low) / (high - low)
    line = scaling.Law(slope, scaled_low - slope * low)
    return scaling.clipped(line, min(scaled_low, scaled_high), max(scaled_low, scaled_high))
