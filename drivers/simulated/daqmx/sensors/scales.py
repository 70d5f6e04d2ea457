"""Custom scales: from the units that a channel measures in to units of the laboratory's own.

"NI-DAQmx Help", Custom Scales: linear y = m x + b; map ranges, where reads are coerced to the scaled range; polynomial, with forward
and reverse coefficients; table, with reads beyond its ends coerced to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import scaling
from drivers.simulated.daqmx.core import stored_words as words
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.device_entries import Stored
from drivers.simulated.daqmx.status.errors import DaqmxError

LINEAR, MAP, POLYNOMIAL, TABLE = (
    ni.ScaleType.LINEAR.value, ni.ScaleType.MAP_RANGES.value, ni.ScaleType.POLYNOMIAL.value, ni.ScaleType.TABLE.value,
)  # fmt: skip
FROM_CUSTOM_SCALE = ni.VoltageUnits.FROM_CUSTOM_SCALE.value
VOLTS = ni.UnitsPreScaled.VOLTS.value
UNITS = (
    10348, 10342, 16203, 10144, 10143, 10145, 10325, 10299, 10384, 10373, 10364, 10219, 10379, 10146, 10273, 10304, 16080, 16081, 16082,
    10186, 12470, 12471, 15959, 15960, 10081, 15875, 15876, 15877, 15879, 15880, 15881, 15882, 15883, 15884, 15896, 15897, 16102, 16103,
    12516,
)  # fmt: skip
"""Members of nidaqmx.constants.UnitsPreScaled."""
OF_TYPE: dict[int, dict[str, Any]] = {
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
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> int:
        return int(self.attributes["TYPE"])

    @property
    def units(self) -> int:
        """Units of what goes in."""
        return int(self.attributes["PRE_SCALED_UNITS"])

    def law(self) -> scaling.Law:
        """From pre-scaled to scaled values. Raises DaqmxError for a scale that cannot be used."""
        a = self.attributes
        check(a)
        if self.kind == LINEAR:
            return scaling.Law(a["LIN_SLOPE"], a["LIN_Y_INTERCEPT"])
        if self.kind == MAP:
            slope = (a["MAP_SCALED_MAX"] - a["MAP_SCALED_MIN"]) / (a["MAP_PRE_SCALED_MAX"] - a["MAP_PRE_SCALED_MIN"])
            line = scaling.Law(slope, a["MAP_SCALED_MIN"] - slope * a["MAP_PRE_SCALED_MIN"])
            return scaling.clipped(line, min(a["MAP_SCALED_MIN"], a["MAP_SCALED_MAX"]), max(a["MAP_SCALED_MIN"], a["MAP_SCALED_MAX"]))
        if self.kind == POLYNOMIAL:
            return scaling.polynomial(a["POLY_FORWARD_COEFF"], a["POLY_REVERSE_COEFF"])
        return scaling.table(a["TABLE_PRE_SCALED_VALS"], a["TABLE_SCALED_VALS"])


def check(a: Mapping[str, Any]) -> None:
    """Raise the DaqmxError for what is wrong with a scale's values."""
    kind = a["TYPE"]
    if a["PRE_SCALED_UNITS"] not in UNITS:
        raise DaqmxError(-200077, Property="DAQmx_Scale_PreScaledUnits", Requested_Value=a["PRE_SCALED_UNITS"])
    if kind == LINEAR and a["LIN_SLOPE"] == 0.0:
        raise DaqmxError(-200409)
    if kind == MAP and a["MAP_PRE_SCALED_MIN"] == a["MAP_PRE_SCALED_MAX"]:
        raise DaqmxError(-200602)
    if kind == MAP and a["MAP_SCALED_MIN"] == a["MAP_SCALED_MAX"]:
        raise DaqmxError(-200603)
    if kind == POLYNOMIAL:
        scaling.check_polynomial(a["POLY_FORWARD_COEFF"], a["POLY_REVERSE_COEFF"])
    if kind == TABLE:
        scaling.check_table(a["TABLE_PRE_SCALED_VALS"], a["TABLE_SCALED_VALS"])


def scale_of(stored: Stored) -> Scale:
    """The scale that a text describes. Raises DaqmxError -200077 for words that are none."""
    types = words.by_name(stored.attributes, ("SCALE_TYPE",))
    kind = words.value("SCALE_TYPE", types.get("SCALE_TYPE", "Linear"))
    if kind not in OF_TYPE:
        raise DaqmxError(-200077, Property="DAQmx_Scale_Type", Requested_Value=kind)
    attributes: dict[str, Any] = {"TYPE": kind, "PRE_SCALED_UNITS": VOLTS, "SCALED_UNITS": "", "DESCR": "", **OF_TYPE[kind]}
    for name, text in words.by_name(stored.attributes, attributes).items():
        attributes[name] = words.value(name, text, attributes[name] if name != "PRE_SCALED_UNITS" else None)
    return Scale(stored.name, attributes)


def find(bench: Bench, name: str) -> Scale:
    """A scale by name, of this session or saved. Raises DaqmxError -200378."""
    scales: dict[str, Scale] = bench.scales
    for known, scale in scales.items():
        if known.lower() == name.strip().lower():
            return scale
    saved = stored(bench, name)
    return scales.setdefault(saved.name, scale_of(saved))


def stored(bench: Bench, name: str) -> Stored:
    """What is saved under a name. Raises DaqmxError -200378."""
    for known, found in bench.stored_scales.items():
        if known.lower() == name.strip().lower():
            return found
    raise DaqmxError(-200378, Custom_Scale_Name=name)


MOST_POINTS = 10_000_000
"""Points times coefficients that a reverse polynomial is computed from, at most: more would not fit in the memory of a small machine."""


def reverse_coefficients(forward: list[float], low: float, high: float, points: int, order: int) -> list[float]:
    """Least-squares polynomial of x over y, at `points` x evenly from `low` to `high` (`DAQmxCalculateReversePolyCoeff`)."""
    if not forward:
        raise DaqmxError(-200405)
    if not any(forward):
        raise DaqmxError(-200407)
    degree = len(forward) - 1 if order == -1 else order
    if not low < high or not np.all(np.isfinite([low, high, *forward])):
        raise DaqmxError(-200082, Maximum_Value=high, Minimum_Value=low)
    if degree < 0:
        raise DaqmxError(-200077, Property="Reverse Polynomial Order", Requested_Value=order)
    if points <= degree:
        raise DaqmxError(-200077, Property="Number of Points to Compute", Requested_Value=points, Minimum_Value=degree + 1)
    if points * (degree + 1) > MOST_POINTS:
        raise DaqmxError(-50352)
    x = np.linspace(low, high, points)
    y = np.polynomial.polynomial.polyval(x, forward)
    if not np.all(np.isfinite(y)) or np.ptp(y) == 0.0:
        raise DaqmxError(-200077, Property="Forward Polynomial Coefficients", Requested_Value=str(forward))
    fit = np.polynomial.Polynomial.fit(y, x, degree).convert().coef
    return [float(c) for c in np.pad(fit, (0, degree + 1 - len(fit)))]
