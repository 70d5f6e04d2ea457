"""When a dataset was sampled: attribute `rate` in Hz, or times in a dataset: an axis by its group or itself, or `time` beside or above."""

from __future__ import annotations

import re
from collections.abc import Iterator

import h5py
import numpy as np

from rig.playback.column import rate_of
from rig.playback.hdf5_attributes import number, text, texts, unit
from rig.playback.hdf5_numbers import read_values, refuse_shape
from rig.playback.hdf5_scales import physical, plain_key, scale
from rig.playback.units import not_a_time, seconds

SAME = 1e-3
SINCE = re.compile(r"(\w+) since .*")  # CF conventions: seconds since 2026-01-01
# Names under which other programs keep a rate, an interval, and the unit of a rate, as `plain_key` has them.
HERTZ = {
    "samplerate", "samplesrate", "samplingrate", "samplefrequency", "samplingfrequency", "samplefreq", "samplingfreq", "fs", "fsample",
    "fsampling", "fsamp", "sr", "srate", "sfreq", "freq", "frequency", "hz", "ratehz", "sampleratehz", "samplingratehz", "rateinhz",
    "samplespersecond", "samplespersec", "sps", "acquisitionrate", "acquisitionfrequency", "scanrate", "datarate", "framerate",
    "nominalrate", "nominalsrate", "wfsamplerate", "clockrate", "sampleclockrate", "daqrate", "updaterate", "digitizerrate",
}  # fmt: skip
SECONDS = {
    "dt", "deltat", "deltatime", "timedelta", "dtime", "dx", "deltax", "xdelta", "sampleinterval", "samplinginterval", "sampleperiod",
    "samplingperiod", "sampletime", "samplingtime", "samplestep", "samplespacing", "timeincrement", "timeinc", "tinc", "timestep", "tstep",
    "timeinterval", "timespacing", "timeresolution", "timeperstep", "timepersample", "period", "interval", "increment", "xincrement",
    "xinc", "xstep", "xspacing", "xinterval", "wfincrement", "ts", "tsample", "tsampling", "secondspersample", "dwell", "dwelltime",
    "stepsize", "dts", "dtsec", "dtseconds",
}  # fmt: skip
OF_GROUPS = {"rate", "fs", "dt"}
"""Of the names under which a group may speak of all that is in it, those without `sample`; a group's `frequency` is of what was done."""
RATE_UNITS = {"rateunit", "rateunits"}
PER_SECOND = ("Hz", "hz", "hertz", "1/s", "s^-1", "S/s")


def rate(found: h5py.Dataset, name: str) -> float:
    """Hz. Raises ValueError where nothing says it, or two things say it differently."""
    beside = _times(found.parent, found)
    if "rate" in found.attrs:
        stated = number(found, "rate")
        if not (np.isfinite(stated) and stated > 0.0):
            raise ValueError(f"dataset {name!r} has the attribute rate = {stated:g}, expected a rate in Hz")
        if beside is not None and seconds(_unit(beside)) is not None and abs((by_time := _rate(beside)) / stated - 1.0) > SAME:
            raise ValueError(f"dataset {name!r} has the attribute rate = {stated:g} Hz, but {beside.name} beside it has {by_time:g} Hz")
        return _agreed(found, name, stated)
    group = found.parent
    while beside is None and group.name != "/":
        group = group.parent
        beside = _times(group, found)
    if beside is None:
        raise ValueError(f"dataset {name!r} does not say when it was sampled; expected an attribute rate (Hz), or a dataset time beside it")
    return _agreed(found, name, _rate(beside))


def _agreed(found: h5py.Dataset, name: str, hertz: float) -> float:
    """The rate, where no other attribute of the dataset, nor of its group, says another. Raises ValueError."""
    for key in sorted(found.attrs):
        if plain_key(key) in RATE_UNITS and text(found, key) not in ("", *PER_SECOND):
            raise ValueError(f"dataset {name!r} has the attribute {key} = {text(found, key)[:40]!r}; write its rate in Hz")
        _refuse_another(found, key, hertz, f"dataset {name!r} has {hertz:g} Hz, but also the attribute")
    for key in sorted(found.parent.attrs):
        if "sampl" in plain_key(key) or plain_key(key) in OF_GROUPS:
            _refuse_another(found.parent, key, hertz, f"dataset {name!r} has {hertz:g} Hz, but its group has the attribute")
    return hertz


def _refuse_another(item: h5py.Dataset | h5py.Group, key: str, hertz: float, words: str) -> None:
    """Raises ValueError for an attribute that is a rate or an interval, and another one."""
    one = plain_key(key)
    if one not in HERTZ | SECONDS | OF_GROUPS or (one == "rate" and isinstance(item, h5py.Dataset)):
        return
    said = number(item, key)
    if not abs((1.0 / said if one in SECONDS and said else np.inf if one in SECONDS else said) / hertz - 1.0) <= SAME:
        raise ValueError(f"{words} {key} = {said:g}; correct one, or leave it out")


def _times(group: h5py.Group, found: h5py.Dataset) -> h5py.Dataset | None:
    """The dataset of times of a group that fits the column; None where there is none."""
    for name, item in _axes(group, found):
        fits = isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" and item.shape == found.shape
        if fits and item != found and (name == "time" or seconds(_unit(item)) is not None):
            if item.file.filename != found.file.filename:
                raise ValueError(f"its time, {name!r}, leads into another file, {item.file.filename!r}; copy what it means into this one")
            return item
    return None


def _axes(group: h5py.Group, found: h5py.Dataset) -> Iterator[tuple[str, h5py.Dataset]]:
    """(name, what is called so): axes that the group names, those of the dataset itself (dimension scales), and `time`."""
    own = group == found.parent
    named = [one for names in texts(group, "axes") for one in names.split(":")] if own else []
    if own and found.ndim == 1:
        yield from ((str(item.name), item) for item in found.dims[0].values())
    for name in (*named, "time"):
        if name not in ("", ".") and "/" not in name and not isinstance(group.get(name, getlink=True), h5py.ExternalLink):
            yield name, group.get(name)


def _rate(times: h5py.Dataset) -> float:
    refuse_shape(times, times.name)
    if (by := seconds(_unit(times))) is None:
        raise not_a_time(f"dataset {times.name}", _unit(times), "its attribute `units`")
    if times.dtype.kind == "f":
        return rate_of(physical(times, times.name, read_values(times, times.name)) * by)
    counts = read_values(times, times.name, np.int64)
    counts -= counts[:1].copy()  # counts since an epoch have more figures than a double
    return rate_of(counts * by * scale(times, times.name)[0])


def _unit(times: h5py.Dataset) -> str:
    said = unit(times)
    since = SINCE.fullmatch(said)
    return since[1] if since else said
