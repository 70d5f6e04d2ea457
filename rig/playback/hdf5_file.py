"""A column out of an HDF5 file, as far as its values lie in this file, are plain numbers, and say what they are."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import h5py
import hdf5plugin  # noqa: F401 - the filters of compressed records
import numpy as np

from rig.playback import no_such_column
from rig.playback.column import Column, Floats, checked
from rig.playback.hdf5_attributes import number, text
from rig.playback.hdf5_numbers import read_values, refuse_shape
from rig.playback.hdf5_time import rate
from rig.playback.units import agreed

LOOKED_AT = 2000  # objects, for a list of those that there are
SCALES = {"scale_factor": 1.0, "add_offset": 0.0}
"""Attributes of the CF conventions (netCDF): value = raw x scale_factor + add_offset."""
UNKNOWN_SCALES = {"scaling_factor", "scale", "scaling", "offset", "gain", "slope", "intercept"}
OF_COUNTS = {"calibration", "sensitivity"}  # which say where numbers come from that are no counts
BESIDE = ("scaling_factor", "offset")  # fields of a NeXus group
MISSING = ("_FillValue", "missing_value")


def column(path: str, name: str, unit: str | None) -> Column:
    """See `rig.playback.read`. Raises ValueError."""
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        if "unable to lock file" in str(error):  # "sblock" is in what HDF5 says of one that is cut
            raise ValueError("another program holds the file open for writing; close it there first") from None
        raise ValueError(f"not an HDF5 file that can be read: {error}") from None
    with file:
        refuse_links(file, name)
        found: Any = file.get(name) if name else None
        if not _is_numbers(found):
            kind = f"; what is called so holds {found.dtype}" if isinstance(found, h5py.Dataset) else ""
            raise ValueError(f"{no_such_column(name, _there(file))}{kind}")
        refuse_shape(found, name)
        given = agreed(name, text(found, "units"), unit)
        hertz = rate(found, name)  # whose times are gone when the values come
        return checked(name, _scaled(found, name, read_values(found, name)), given, hertz)


def refuse_links(file: h5py.File, name: str) -> None:
    """Raises ValueError for a path that leads out of the file, whose values would not be those that were checked."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    for n in range(1, len(parts) + 1):
        link = file.get("/".join(parts[:n]), getlink=True)
        if isinstance(link, h5py.ExternalLink):
            raise ValueError(f"{'/'.join(parts[:n])!r} is a link into another file, {link.filename!r}; copy what it means into this one")


def _scaled(found: h5py.Dataset, name: str, values: Floats) -> Floats:
    """Physical values. Raises ValueError for a scale that is not known to be one."""
    unknown = UNKNOWN_SCALES | OF_COUNTS if found.dtype.kind in "iu" else UNKNOWN_SCALES
    if wrong := sorted(key for key in found.attrs if key.lower() in unknown):
        raise ValueError(f"dataset {name!r} has the attribute {wrong[0]!r}, whose meaning is not fixed; write physical values, without it")
    if beside := [key for key in BESIDE if "NX_class" in found.parent.attrs and key in found.parent]:
        raise ValueError(f"{beside[0]!r} stands beside dataset {name!r}, a scale that is not applied; write physical values, without it")
    for key in MISSING:
        if key in found.attrs:
            values[values == number(found, key)] = np.nan
    by, plus = (number(found, key) if key in found.attrs else usual for key, usual in SCALES.items())
    if not (math.isfinite(by) and math.isfinite(plus)):
        raise ValueError(f"dataset {name!r} has scale_factor = {by:g} and add_offset = {plus:g}, expected numbers")
    return values if (by, plus) == (1.0, 0.0) else values * by + plus


def _there(file: h5py.File) -> list[str]:
    """Paths of the columns: of the first objects that are found, each once, as groups may hold each other."""
    names, seen, groups = [], {_place(file)}, [(file["/"], "")]
    while groups and len(seen) < LOOKED_AT:
        group, path = groups.pop(0)
        for name in islice(group, LOOKED_AT):
            if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                continue
            item: Any = group[name]
            if (place := _place(item)) in seen:
                continue
            seen.add(place)
            if isinstance(item, h5py.Group):
                groups.append((item, f"{path}{name}/"))
            elif _is_numbers(item) and item.ndim == 1:
                names.append(f"{path}{name}")
    return names


def _is_numbers(item: Any) -> bool:
    return isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu"


def _place(item: Any) -> int:
    return int(h5py.h5o.get_info(item.id).addr)
