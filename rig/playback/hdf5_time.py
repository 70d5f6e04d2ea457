"""When a dataset was sampled: attribute `rate` in Hz, or times in a dataset: an axis by its group or itself, or `time` beside or above.

Whatever else speaks of its rate, in its attributes, in those of its groups, or in a dataset of one value beside it, must say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import h5py
import numpy as np

from rig.playback.column import rate_of
from rig.playback.hdf5_attributes import Said, all_said, number, texts, unit
from rig.playback.hdf5_numbers import read_values, refuse_shape
from rig.playback.hdf5_openpmd import seconds_of
from rig.playback.hdf5_other_units import refuse_other_units
from rig.playback.hdf5_rates import hertz, is_of_sampling, is_thinning, is_unit_of_rate, lasting, time_base
from rig.playback.hdf5_scales import physical, scale, signed
from rig.playback.hdf5_unapplied import above, beside, refuse_unapplied
from rig.playback.units import not_a_time, seconds

SAME = 1e-3
SAMPLES_MORE, SHARE_MORE = 1.5, 0.01
"""What a duration may be off: the sample at its end may count or not, and it may have been rounded."""
SINCE = re.compile(r"(\w+) since .*")  # CF conventions: seconds since 2026-01-01
PER_SECOND = ("Hz", "hz", "hertz", "Hertz", "1/s", "s^-1", "S/s", "Sa/s")
SECOND = ("s", "sec", "second", "seconds")
TIMES = ("Time", "TIME", "t", "times", "Times", "timestamp", "timestamps", "Timestamp", "Timestamps")
"""Names of datasets of times that others have; they count with a unit of time."""


def rate(found: h5py.Dataset, name: str) -> float:
    """Hz. Raises ValueError where nothing says it, or two things say it differently."""
    if "rate" in found.attrs:
        stated = number(found, "rate")
        if not (np.isfinite(stated) and stated > 0.0):
            raise ValueError(f"dataset {name!r} has the attribute rate = {stated:g}, expected a rate in Hz")
        words = f"dataset {name!r} has the attribute rate = {stated:g} Hz"
        for times in _all_times(found):
            if seconds_of(times, _unit(times)) is not None:
                _refuse_another(_rate(times), stated, f"{words}, but {times.name} {_where(times, found)} has {{said}} Hz")
        return _agreed(found, name, stated, [])
    candidates = _all_times(found)
    if not candidates:
        expected = f"expected an attribute rate (Hz), or a dataset time beside it{_hints(found)}"
        raise ValueError(f"dataset {name!r} does not say when it was sampled; {expected}")
    by_times = _rate(candidates[0])
    words = f"dataset {name!r} has {by_times:g} Hz by {candidates[0].name}"
    for times in candidates[1:]:
        if seconds_of(times, _unit(times)) is not None:
            _refuse_another(_rate(times), by_times, f"{words}, but {times.name} has {{said}} Hz; correct one, or leave it out")
    return _agreed(found, name, by_times, candidates)


def _agreed(found: h5py.Dataset, name: str, stated: float, times: list[h5py.Dataset]) -> float:
    """The rate, where nothing else that belongs to the dataset says another. Raises ValueError."""
    start = f"dataset {name!r} has {stated:g} Hz, but"
    for told in all_said(found):
        _refuse_unit(told, name)
        if told.key != "rate":
            _refuse_contradiction(told, stated, f"{start} also the attribute")
            _refuse_duration(told, found.shape[0], stated, name)
    for group in above(found):
        who = "its group" if group == found.parent else f"the group {group.name!r} above it"
        _refuse_those_of_sampling(all_said(group), stated, f"{start} {who} has the attribute")
    _refuse_those_of_sampling(beside(found, name), stated, f"{start} beside it stands")
    for one in times:
        _refuse_those_of_sampling(all_said(one), stated, f"{start} {one.name} has the attribute")
    return stated


def _refuse_unit(told: Said, name: str) -> None:
    if told.kind == "text" and is_unit_of_rate(told.key) and any(one not in ("", *PER_SECOND, *SECOND) for one in told.values):
        raise ValueError(f"dataset {name!r} has the attribute {told.key} = {told.shown}; write its rate in Hz")


def _refuse_duration(told: Said, samples: int, stated: float, name: str) -> None:
    if (factor := lasting(told.key)) is None or told.kind != "number" or len(told.values) != 1 or isinstance(told.values[0], complex):
        return
    if not abs(float(told.values[0]) * factor * stated - samples) <= max(SAMPLES_MORE, SHARE_MORE * samples):
        what = f"{samples} samples at {stated:g} Hz, which take {samples / stated:g} s"
        raise ValueError(f"dataset {name!r} has {what}, but the attribute {told.key} = {told.shown}; correct one, or leave it out")


def _refuse_those_of_sampling(all_of_them: Iterator[Said], stated: float, words: str) -> None:
    for told in all_of_them:
        if is_of_sampling(told.key):
            _refuse_contradiction(told, stated, words)


def _refuse_contradiction(told: Said, stated: float, words: str) -> None:
    """Raises ValueError for another rate or interval, and for samples that were left out: is the rate that before or after it?"""
    if is_thinning(told.key) and told.kind == "number" and told.values != (1,):
        raise ValueError(f"{words} {told.key} = {told.shown}, so that it is open what its rate is of; leave it out")
    if is_unit_of_rate(told.key) or is_thinning(told.key) or (base := time_base(told.key)) is None:
        return
    try:
        said = hertz(told, base)
    except ValueError as error:
        raise ValueError(f"{words} {error}") from None
    if said is not None:
        _refuse_another(said, stated, f"{words} {told.key} = {told.shown}; correct one, or leave it out")


def _refuse_another(said: float, stated: float, words: str) -> None:
    if not abs(said / stated - 1.0) <= SAME:
        raise ValueError(words.format(said=f"{said:g}") if "{said}" in words else words)


def _hints(found: h5py.Dataset) -> str:
    """What is there that looks like it, and is not taken for it."""
    keys = [told.key for told in all_said(found) if time_base(told.key) is not None]
    keys += [f"{told.key} (of {group.name})" for group in above(found) for told in all_said(group) if is_of_sampling(told.key)]
    hints = [f"there is the attribute {keys[0]}, which is not taken for one: write rate, in Hz, on the dataset"] if keys else []
    for name in ("time", *TIMES):
        item: h5py.HLObject | None = None if isinstance(found.parent.get(name, getlink=True), h5py.ExternalLink) else found.parent.get(name)
        if isinstance(item, h5py.Dataset) and item != found:
            hints.append(
                f"{item.name} has the shape {item.shape}, not {found.shape}"
                if item.shape != found.shape
                else f"{item.name} has the unit {_unit(item)!r}, expected one of time, as s"
            )
    return "".join(f"; {hint}" for hint in hints)


def _where(times: h5py.Dataset, found: h5py.Dataset) -> str:
    return "beside it" if times.parent == found.parent else "above it"


def _all_times(found: h5py.Dataset) -> list[h5py.Dataset]:
    """The datasets of times that fit the column, the nearest first, each once."""
    there: list[h5py.Dataset] = []
    for group in above(found):
        there += [times for times in _times(group, found) if times not in there]
    return there


def _times(group: h5py.Group, found: h5py.Dataset) -> Iterator[h5py.Dataset]:
    for name, item in _axes(group, found):
        fits = isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" and item.shape == found.shape
        if fits and item != found and (name == "time" or seconds_of(item, _unit(item)) is not None):
            if item.file.filename != found.file.filename:
                raise ValueError(f"its time, {name!r}, leads into another file, {item.file.filename!r}; copy what it means into this one")
            yield item


def _axes(group: h5py.Group, found: h5py.Dataset) -> Iterator[tuple[str, h5py.Dataset]]:
    """(name, what is called so): axes that the group names, those of the dataset itself (dimension scales), and `time`."""
    own = group == found.parent
    named = [one for names in texts(group, "axes") for one in names.split(":")] if own else []
    if own and found.ndim == 1:
        yield from ((str(item.name), item) for item in found.dims[0].values())
    for name in (*named, "time", *(TIMES if own else ())):
        if name not in ("", ".") and "/" not in name and not isinstance(group.get(name, getlink=True), h5py.ExternalLink):
            yield name, group.get(name)


def _rate(times: h5py.Dataset) -> float:
    refuse_shape(times, times.name)
    refuse_unapplied(times, times.name)
    if (by := seconds_of(times, _unit(times))) is None:
        raise not_a_time(f"dataset {times.name}", _unit(times), "its attribute `units`")
    refuse_other_units(times, times.name, _unit(times), seconds)
    if times.dtype.kind == "f":
        return rate_of(physical(times, times.name, read_values(times, times.name)) * by)
    kind = np.uint64 if times.dtype.kind == "u" and times.dtype.itemsize == 8 else np.int64
    counts = read_values(times, times.name, kind)
    if times.dtype.itemsize < 8:
        counts = signed(times, times.name, counts)
    counts -= counts[:1].copy()  # counts since an epoch have more figures than a double; what runs over 64 bits comes back
    return rate_of(np.asarray(counts.view(np.int64) * (by * scale(times, times.name)[0]), dtype=np.float64))


def _unit(times: h5py.Dataset) -> str:
    said = unit(times)
    since = SINCE.fullmatch(said)
    return since[1] if since else said
