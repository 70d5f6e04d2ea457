"""Custom scales by name, of a session or saved, and reverse polynomials."""

from __future__ import annotations

import numpy as np
from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import stored_words as words
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.custom_scale import OF_TYPE, Scale
from drivers.simulated.daqmx.core.device_entries import Stored
from drivers.simulated.daqmx.core.values import Value, as_int
from drivers.simulated.daqmx.status.errors import DaqmxError

FROM_CUSTOM_SCALE = ni.VoltageUnits.FROM_CUSTOM_SCALE.value
VOLTS = ni.UnitsPreScaled.VOLTS.value


def scale_of(stored: Stored) -> Scale:
    """The scale that a text describes. Raises DaqmxError -200077 for words that are none."""
    types = words.by_name(stored.attributes, ("SCALE_TYPE",))
    kind = as_int(words.value("SCALE_TYPE", types.get("SCALE_TYPE", "Linear")))
    if kind not in OF_TYPE:
        raise DaqmxError(-200077, Property="DAQmx_Scale_Type", Requested_Value=kind)
    attributes: dict[str, Value] = {"TYPE": kind, "PRE_SCALED_UNITS": VOLTS, "SCALED_UNITS": "", "DESCR": "", **OF_TYPE[kind]}
    for name, text in words.by_name(stored.attributes, attributes).items():
        attributes[name] = words.value(name, text, attributes[name] if name != "PRE_SCALED_UNITS" else None)
    return Scale(stored.name, attributes)


def find(bench: Bench, name: str) -> Scale:
    """A scale by name, of this session or saved. Raises DaqmxError -200378."""
    for known, scale in bench.scales.items():
        if known.lower() == name.strip().lower():
            return scale
    saved = stored(bench, name)
    return bench.scales.setdefault(saved.name, scale_of(saved))


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
