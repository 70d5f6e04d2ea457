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


def read_values(found: h5py.Dataset, name: str, kind: type = np.float64) -> NDArray:
    """(N,) of a kind, double. Raises ValueError for values that cannot be read."""
    values = np.empty(found.shape, dtype=kind)
    try:
        if found.shape[0]:
            found.read_direct(values)
    except OSError as error:
        raise ValueError(f"dataset {name!r} cannot be read: {error}") from None
    return values
