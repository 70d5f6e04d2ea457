"""Drives in HDF5 files, as tests make and play them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import h5py
import numpy as np

Make = Callable[[h5py.File], None]
RAMP = np.arange(10.0)


def force(data: Any = RAMP, **attributes: Any) -> Make:
    """A file with one dataset, kN at 100 Hz."""

    def make(file: h5py.File) -> None:
        file["force"] = data
        file["force"].attrs.update({"rate": 100.0, "units": "kN", **attributes})

    return make


def beside(name: str, value: Any) -> Make:
    """The same, and another dataset beside it."""

    def make(file: h5py.File) -> None:
        force()(file)
        file[name] = value

    return make


def with_times(times: Any, units: Any = "s", axes: Any = None, name: str = "time", **attributes: Any) -> Make:
    """The same in a group, with times beside it."""

    def make(file: h5py.File) -> None:
        group = file.create_group("entry")
        group["force"], group[name] = RAMP, times
        group["force"].attrs.update({"units": "kN", **attributes})
        if units is not None:
            group[name].attrs["units"] = units
        if axes is not None:
            group.attrs["axes"] = axes

    return make
