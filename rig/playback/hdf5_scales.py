"""Physical values of stored ones: what netCDF and its conventions have is applied.

value = stored x scale_factor + add_offset. What is stored is meant without a sign where `_Unsigned` says so (netCDF Users' Guide, and
netCDF-Java, which writes it). What `_FillValue` and the valid range leave out is missing; they speak of stored values.
"""

from __future__ import annotations

import math
from typing import TypeVar

import h5py
import numpy as np
from numpy.typing import NDArray

from rig.playback.column import Floats
from rig.playback.hdf5_attributes import number, numbers, said
from rig.playback.hdf5_words import plain_key

Number = TypeVar("Number", np.float64, np.int64, np.uint64)
CF = {"scale_factor": 1.0, "add_offset": 0.0}
MISSING = ("_FillValue", "missing_value")
VALID = ("valid_min", "valid_max", "valid_range")
UNSIGNED = "_Unsigned"
ALSO_MISSING = {
    "fillvalue", "missing", "missingvalue", "missingvalues", "nodata", "nodatavalue", "nanvalue", "badvalue", "invalid", "invalidvalue",
    "nullvalue", "navalue", "fill", "errorvalue",
}  # fmt: skip
"""Names, as `plain_key` has them, of which nothing is fixed but that a value which is equal may be none."""


def scale(found: h5py.Dataset, name: str) -> tuple[float, float]:
    """(factor, offset) of the CF conventions. Raises ValueError for what are no numbers."""
    by, plus = (number(found, key) if key in found.attrs else usual for key, usual in CF.items())
    if not (math.isfinite(by) and math.isfinite(plus)):
        raise ValueError(f"dataset {name!r} has scale_factor = {by:g} and add_offset = {plus:g}, expected numbers")
    return by, plus


def signed(found: h5py.Dataset, name: str, values: NDArray[Number]) -> NDArray[Number]:
    """Stored numbers, which are changed, with the sign that they are meant to have. Raises ValueError for an `_Unsigned` without sense."""
    if (period := _period(found, name)) > 0.0:
        values[values < 0] += values.dtype.type(period)
    elif period < 0.0:
        values[values >= -period / 2] += values.dtype.type(period)
    return values


def physical(found: h5py.Dataset, name: str, values: Floats) -> Floats:
    """Physical values of stored ones, which are changed; those that are missing by the file are NaN. Raises ValueError, see `scale`."""
    by, plus = scale(found, name)
    values = signed(found, name, values)
    _refuse_perhaps_missing(found, name, values)
    missing = [value for key in MISSING if key in found.attrs for value in _stored(found, name, numbers(found, key))]
    if (fill := _fill(found)) is not None:
        missing += _stored(found, name, [fill])
    for value in missing:
        values[values == value] = np.nan
    low, high = _valid(found, name)
    values[(values < low) | (values > high)] = np.nan
    return values if (by, plus) == (1.0, 0.0) else values * by + plus


def _period(found: h5py.Dataset, name: str) -> float:
    """What is added to negative numbers, or to those from half of it on where it is negative; 0 where numbers are as they are stored."""
    if UNSIGNED not in found.attrs:
        return 0.0
    told = said(found, UNSIGNED)
    means = told.values[0].lower() if told.kind == "text" and len(told.values) == 1 else ""
    if means not in ("true", "false") or found.dtype.kind not in "iu":
        what = f"the attribute {UNSIGNED} = {told.shown} of {found.dtype}"
        raise ValueError(f"dataset {name!r} has {what}; expected true or false, of whole numbers; write values with their sign, without it")
    period = 2.0 ** (8 * found.dtype.itemsize)
    return period if (means, found.dtype.kind) == ("true", "i") else -period if (means, found.dtype.kind) == ("false", "u") else 0.0


def _stored(found: h5py.Dataset, name: str, told: list[float]) -> list[float]:
    """Numbers that attributes tell of stored values, as those are read: with their sign, and in single precision where they are."""
    exact = [float(np.float64(value).astype(found.dtype)) for value in told] if found.dtype.kind == "f" else told
    return [float(one) for one in signed(found, name, np.array([*told, *exact]))]


def _refuse_perhaps_missing(found: h5py.Dataset, name: str, values: Floats) -> None:
    for key in found.attrs:
        if key in MISSING or plain_key(key) not in ALSO_MISSING or (told := said(found, key)).kind != "number":
            continue
        for value in _stored(found, name, [float(one.real) for one in told.values]):
            if len(at := np.flatnonzero(values == value)):
                raise ValueError(
                    f"dataset {name!r} has {value:g} at sample {at[0]}, which by its attribute {key!r} may stand for a missing value; "
                    "write what was there, or delete the attribute"
                )


def _fill(found: h5py.Dataset) -> float | None:
    """What stands where nothing was written, if the file's writer chose it; 0 is a value like any other."""
    if found.id.get_create_plist().fill_value_defined() != h5py.h5d.FILL_VALUE_USER_DEFINED or not found.fillvalue:
        return None
    return float(found.fillvalue)


def _valid(found: h5py.Dataset, name: str) -> tuple[float, float]:
    """Stored values outside count as missing, by the CF conventions."""
    low = number(found, "valid_min") if "valid_min" in found.attrs else -math.inf
    high = number(found, "valid_max") if "valid_max" in found.attrs else math.inf
    if "valid_range" in found.attrs:
        low, high = numbers(found, "valid_range", 2)
    low, high = (_stored(found, name, [end])[0] if math.isfinite(end) else end for end in (low, high))
    return low, high
