"""A dataset of an HDF5 file: attribute `units`, and its time from attribute `rate` (as in run.h5) or from `time` beside or above it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from rig.playback import no_such_column
from rig.playback.column import Column, checked, rate_of


def read(path: Path, column: str, unit: str | None) -> Column:
    """See `rig.playback.read`. Raises ValueError."""
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise ValueError(f"not an HDF5 file that can be read: {error}") from None
    with file:
        found: Any = file.get(column) if column else None
        if not _holds_numbers(found):
            raise no_such_column(column, _there(file))
        if found.ndim != 1:
            raise ValueError(f"dataset {column!r} has the shape {found.shape}; expected one column, (N,)")
        values = np.asarray(found, dtype=np.float64)
        said = _text(found.attrs.get("units", ""))
        return checked(column, values, said or unit or "", _rate(file, found, column))


def _rate(file: h5py.File, found: Any, column: str) -> float:
    if "rate" in found.attrs:
        rate = float(found.attrs["rate"])
        if not (np.isfinite(rate) and rate > 0.0):
            raise ValueError(f"dataset {column!r} has the attribute rate = {rate:g}, expected a rate in Hz")
        return rate
    group = found.parent
    while True:
        time = group.get("time")
        if _holds_numbers(time) and time.shape == found.shape:
            if (units := _text(time.attrs.get("units", "s"))) != "s":
                raise ValueError(f"{time.name} is in {units!r}, expected s")
            return rate_of(np.asarray(time, dtype=np.float64))
        if group.name == "/":
            break
        group = group.parent
    raise ValueError(f"dataset {column!r} does not say when it was sampled; expected an attribute rate (Hz), or a dataset time beside it")


def _there(file: h5py.File) -> list[str]:
    names: list[str] = []
    file.visititems(lambda name, item: names.append(name) if _holds_numbers(item) and item.ndim == 1 else None)
    return names


def _holds_numbers(item: Any) -> bool:
    return isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu"


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
