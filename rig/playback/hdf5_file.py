"""A column out of an HDF5 file, as far as its values lie in this file, are plain numbers, and say what they are."""

from __future__ import annotations

from itertools import islice

import h5py
import hdf5plugin  # noqa: F401 - the filters of compressed records

from rig.playback import no_such_column
from rig.playback.column import Column, checked
from rig.playback.hdf5_numbers import read_values, refuse_shape
from rig.playback.hdf5_openpmd import unit_of
from rig.playback.hdf5_other_units import refuse_other_units
from rig.playback.hdf5_scales import physical
from rig.playback.hdf5_time import rate
from rig.playback.hdf5_unapplied import refuse_unapplied

LOOKED_AT = 2000  # objects, for a list of those that there are


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
        found = file.get(name) if name else None
        if not _is_numbers(found):
            kind = f"; what is called so holds {found.dtype}" if isinstance(found, h5py.Dataset) else ""
            raise ValueError(f"{no_such_column(name, _columns(file))}{kind}")
        refuse_elsewhere(found, file, name)
        refuse_shape(found, name)
        refuse_unapplied(found, name)
        given, si = unit_of(found, name, unit)
        refuse_other_units(found, name, given)
        hertz = rate(found, name)  # whose times are gone when the values come
        values = physical(found, name, read_values(found, name))
        return checked(name, values if si == 1.0 else values * si, given, hertz)


def refuse_links(file: h5py.File, name: str) -> None:
    """Raises ValueError for a path that leads out of the file, whose values would not be those that were checked."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    for n in range(1, len(parts) + 1):
        try:
            link = file.get("/".join(parts[:n]), getlink=True)
        except KeyError:  # below a link that leads nowhere, or out of the file
            return
        if isinstance(link, h5py.ExternalLink):
            raise ValueError(f"{'/'.join(parts[:n])!r} is a link into another file, {link.filename!r}; copy what it means into this one")


def refuse_elsewhere(found: h5py.Dataset, file: h5py.File, name: str) -> None:
    """Raises ValueError for a dataset of another file, where a link within this one leads to a link out of it."""
    if found.file.filename != file.filename:
        raise ValueError(f"{name!r} leads into another file, {found.file.filename!r}; copy what it means into this one")


def _columns(file: h5py.File) -> list[str]:
    """Paths of the columns: of the first objects that are found, each once, as groups may hold each other."""
    names, seen, groups = [], {_place(file)}, [(file["/"], "")]
    while groups and len(seen) < LOOKED_AT:
        group, path = groups.pop(0)
        for name in islice(group, LOOKED_AT):
            if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                continue
            item = group[name]
            if (place := _place(item)) in seen:
                continue
            seen.add(place)
            if isinstance(item, h5py.Group):
                groups.append((item, f"{path}{name}/"))
            elif _is_numbers(item) and item.ndim == 1:
                names.append(f"{path}{name}")
    return names


def _is_numbers(item: h5py.HLObject) -> bool:
    return isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu"


def _place(item: h5py.HLObject) -> int:
    return int(h5py.h5o.get_info(item.id).addr)
