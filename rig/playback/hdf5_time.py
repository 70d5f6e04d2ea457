"""When a dataset was sampled: attribute `rate` in Hz, or times in a dataset that its group names as axis, or `time` beside or above it."""

from __future__ import annotations

import re
from typing import Any

import h5py
import numpy as np

from rig.playback.column import rate_of
from rig.playback.hdf5_attributes import number, text, texts
from rig.playback.hdf5_numbers import read_values, refuse_shape
from rig.playback.units import not_a_time, seconds

SAME = 1e-3
SINCE = re.compile(r"(\w+) since .*")  # CF conventions: seconds since 2026-01-01


def rate(found: h5py.Dataset, name: str) -> float:
    """Hz. Raises ValueError where nothing says it, or two things say it differently."""
    beside = _times(found.parent, found)
    if "rate" in found.attrs:
        stated = number(found, "rate")
        if not (np.isfinite(stated) and stated > 0.0):
            raise ValueError(f"dataset {name!r} has the attribute rate = {stated:g}, expected a rate in Hz")
        if beside is not None and seconds(_unit(beside)) is not None and abs((by_time := _rate(beside)) / stated - 1.0) > SAME:
            raise ValueError(f"dataset {name!r} has the attribute rate = {stated:g} Hz, but {beside.name} beside it has {by_time:g} Hz")
        return stated
    group = found.parent
    while beside is None and group.name != "/":
        group = group.parent
        beside = _times(group, found)
    if beside is None:
        raise ValueError(f"dataset {name!r} does not say when it was sampled; expected an attribute rate (Hz), or a dataset time beside it")
    return _rate(beside)


def _times(group: h5py.Group, found: h5py.Dataset) -> h5py.Dataset | None:
    """The dataset of times of a group that fits the column; None where there is none."""
    axes = [one for names in texts(group, "axes") for one in names.split(":")] if group == found.parent else []
    for name in (*axes, "time"):
        if name in ("", ".") or "/" in name or isinstance(group.get(name, getlink=True), h5py.ExternalLink):
            continue
        item: Any = group.get(name)
        fits = isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" and item.shape == found.shape
        if fits and item != found and (name == "time" or seconds(_unit(item)) is not None):
            return item
    return None


def _rate(times: h5py.Dataset) -> float:
    refuse_shape(times, times.name)
    if (by := seconds(_unit(times))) is None:
        raise not_a_time(f"dataset {times.name}", _unit(times))
    whole = times.dtype.kind != "f"
    found = read_values(times, times.name, np.int64 if whole else np.float64)
    if whole:
        found -= found[:1].copy()  # counts since an epoch have more figures than a double
    return rate_of(found * by)


def _unit(times: h5py.Dataset) -> str:
    unit = text(times, "units", "s")
    since = SINCE.fullmatch(unit)
    return since[1] if since else unit
