"""The unit of a record as the openPMD standard has it: `unitSI` makes SI of the stored values, `unitDimension` says of which quantity.

`unitSI`: "conversion factor to multiply data with to be represented in SI"; `unitDimension`: powers of length, mass, time, current,
temperature, amount of substance and luminous intensity (openPMD 1.0.0 and later, sections Unit Systems and Dimensionality).
"""

from __future__ import annotations

import math

import h5py

from rig.playback.hdf5_attributes import number, numbers, unit
from rig.playback.units import agreed, factor, seconds

KEY, DIMENSION = "unitSI", "unitDimension"
QUANTITIES = {(1, 1, -2): "N", (1, 0, 0): "m", (1, 0, -2): "m/s^2", (0, 0, 1): "s"}
SAME = 1e-6  # a factor may have been stored in single precision


def unit_of(found: h5py.Dataset, name: str, asked: str | None) -> tuple[str, float]:
    """(unit, factor) of a column: stored values times the factor are in the unit. Raises ValueError where two things say it differently."""
    said = unit(found)
    if KEY not in found.attrs:
        return agreed(name, said, asked), 1.0
    by, quantity = _factor(found), _quantity(found)
    for text, who in ((said, "its attribute units"), (asked or "", "`unit`")):
        known = factor(text)
        if text and (known is None or not _same(known[1], by) or quantity not in ("", known[0])):
            raise _other(found, by, quantity, text, who)
        quantity = quantity or (known[0] if known else "")
    return quantity, by if quantity else 1.0


def seconds_of(times: h5py.Dataset, unit: str) -> float | None:
    """Factor that makes seconds of the stored times; None for what is no time. unit: its attribute. Raises ValueError, see above."""
    by = seconds(unit)
    if KEY not in times.attrs:
        return by
    si, quantity = _factor(times), _quantity(times)
    if (unit and (by is None or not _same(by, si))) or quantity not in ("", "s"):
        raise _other(times, si, quantity, unit, "its attribute units")
    return si if quantity or unit else None


def _factor(item: h5py.Dataset) -> float:
    by = number(item, KEY)
    if not (math.isfinite(by) and by > 0.0):
        raise ValueError(f"{item.name} has the attribute {KEY} = {by:g}, expected a factor above 0")
    return by


def _quantity(item: h5py.Dataset) -> str:
    """SI unit by `unitDimension`, of the dataset or of its group, which holds the components of a vector; "" where that is not said."""
    for place in (item, item.parent):
        if DIMENSION in place.attrs:
            powers = numbers(place, DIMENSION, 7)
            found = next((unit for dims, unit in QUANTITIES.items() if powers == [*dims, 0, 0, 0, 0]), None)
            if found is None:
                raise ValueError(f"{item.name} has {DIMENSION} = {powers}, which is no force, length, acceleration or time")
            return found
    return ""


def _same(one: float, other: float) -> bool:
    return abs(one / other - 1.0) <= SAME


def _other(item: h5py.Dataset, by: float, quantity: str, text: str, who: str) -> ValueError:
    what = f"{item.name} has {KEY} = {by:g}, so that {by:g} times its values are {quantity or 'in SI units'} (openPMD)"
    return ValueError(f"{what}, but {who} says {text!r}; write the values in SI and {KEY} = 1, or leave one of them out")
