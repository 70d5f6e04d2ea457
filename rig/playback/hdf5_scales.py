"""Attributes that make physical values of stored ones: those of the CF conventions are applied, others are refused, none is passed over."""

from __future__ import annotations

import math
import re

import h5py
import numpy as np

from rig.playback.column import Floats
from rig.playback.hdf5_attributes import number, numbers

CF = {"scale_factor": 1.0, "add_offset": 0.0}
"""value = stored x scale_factor + add_offset."""
UNKNOWN = {
    "scalefactor", "addoffset", "scalingfactor", "scale", "scaling", "offset", "gain", "slope", "intercept", "multiplier", "factor",
    "conversion", "conversionfactor", "calibrationfactor", "calfactor", "unitscale", "unitsscale", "coefficients", "polynomial",
    "amplification",
}  # fmt: skip
"""Names, in small letters and figures alone, under which other programs keep a scale."""
UNKNOWN_BEGINS = "niscale"  # NI_Scale[0]_Linear_Slope of TDMS
OF_COUNTS = {"calibration", "sensitivity", "lsb", "resolution", "voltspercount"}  # which say where numbers come from that are no counts
BESIDE = ("scaling_factor", "offset")  # fields of a NeXus group
MISSING = ("_FillValue", "missing_value")
SIGNS = re.compile(r"[^a-z0-9]")


def plain_key(key: str) -> str:
    """The name of an attribute without what programs write differently: capitals, underscores, blanks."""
    return SIGNS.sub("", key.lower())


def scale(found: h5py.Dataset, name: str) -> tuple[float, float]:
    """(factor, offset) of the CF conventions. Raises ValueError for a scale that is not known to be one, and for none."""
    for key in sorted(key for key in found.attrs if key not in CF):
        one = plain_key(key)
        if one in UNKNOWN or one.startswith(UNKNOWN_BEGINS) or (found.dtype.kind in "iu" and one in OF_COUNTS):
            raise ValueError(f"dataset {name!r} has the attribute {key!r}, whose meaning is not fixed; write physical values, without it")
    by, plus = (number(found, key) if key in found.attrs else usual for key, usual in CF.items())
    if not (math.isfinite(by) and math.isfinite(plus)):
        raise ValueError(f"dataset {name!r} has scale_factor = {by:g} and add_offset = {plus:g}, expected numbers")
    return by, plus


def refuse_beside(found: h5py.Dataset, name: str) -> None:
    """Raises ValueError for a scale of a NeXus group, which is that of its signal."""
    if beside := [key for key in BESIDE if "NX_class" in found.parent.attrs and key in found.parent]:
        raise ValueError(f"{beside[0]!r} stands beside dataset {name!r}, a scale that is not applied; write physical values, without it")


def physical(found: h5py.Dataset, name: str, values: Floats) -> Floats:
    """Physical values of stored ones, which are changed; those that are missing by the file are NaN. Raises ValueError, see `scale`."""
    by, plus = scale(found, name)
    for key in MISSING:
        if key in found.attrs:
            values[values == number(found, key)] = np.nan
    if (fill := _fill(found)) is not None:
        values[values == fill] = np.nan
    low, high = _valid(found)
    values[(values < low) | (values > high)] = np.nan
    return values if (by, plus) == (1.0, 0.0) else values * by + plus


def _fill(found: h5py.Dataset) -> float | None:
    """What stands where nothing was written, if the file's writer chose it; 0 is a value like any other."""
    if found.id.get_create_plist().fill_value_defined() != h5py.h5d.FILL_VALUE_USER_DEFINED or not found.fillvalue:
        return None
    return float(found.fillvalue)


def _valid(found: h5py.Dataset) -> tuple[float, float]:
    """Stored values outside count as missing, by the CF conventions."""
    low = number(found, "valid_min") if "valid_min" in found.attrs else -math.inf
    high = number(found, "valid_max") if "valid_max" in found.attrs else math.inf
    if "valid_range" in found.attrs:
        low, high = numbers(found, "valid_range", 2)
    return low, high
