"""The numbers of a dataset: one column, in this file, not more than are played."""

from __future__ import annotations

import h5py
import numpy as np
from numpy.typing import NDArray

from rig.playback.column import enough


def refuse_shape(found: h5py.Dataset, name: str) -> None:
    """Raises ValueError for what is no column of numbers that lie in this file."""
    if found.is_virtual or found.external:
        raise ValueError(f"dataset {name!r} has its values in other files; copy them into this one (h5repack, or h5py)")
    if found.shape is None or found.ndim != 1:
        raise ValueError(f"dataset {name!r} has the shape {found.shape}; expected one column, (N,)")
    if h5py.check_enum_dtype(found.dtype):
        raise ValueError(f"dataset {name!r} holds names for numbers (an enumeration), expected numbers")
    enough(name, found.shape[0])


def refuse_unwritten(found: h5py.Dataset, name: str) -> None:
    """Raises ValueError for a dataset whose storage is not all there: HDF5 gives its fill value, mostly 0, where nothing was written."""
    if not found.shape[0]:
        return
    if found.chunks:
        expected, there = -(-found.shape[0] // found.chunks[0]), _chunks(found, name)
        if there < expected:
            raise ValueError(
                f"dataset {name!r} was never written in {expected - there} of its {expected} chunks of {found.chunks[0]} values; "
                "write it again, as long as it is"
            )
    elif found.id.get_create_plist().get_layout() == h5py.h5d.CONTIGUOUS and not found.id.get_storage_size():
        raise ValueError(f"dataset {name!r} was never written: it has room for {found.shape[0]} values, and none of them")


def _chunks(found: h5py.Dataset, name: str) -> int:
    try:
        return int(found.id.get_num_chunks())
    except (OSError, RuntimeError) as error:
        raise ValueError(f"dataset {name!r} cannot be read: {error}") from None


def read_values(found: h5py.Dataset, name: str, kind: type = np.float64) -> NDArray:
    """(N,) of a kind, double. Raises ValueError for values that cannot be read, or of which some were never written."""
    refuse_unwritten(found, name)
    values = np.empty(found.shape, dtype=kind)
    try:
        if found.shape[0]:
            found.read_direct(values)
    except OSError as error:
        raise ValueError(f"dataset {name!r} cannot be read: {error}") from None
    return values
