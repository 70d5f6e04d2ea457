"""What may change the values of a column and is not applied is refused by its name; what is passed over is known to be harmless.

An attribute of the dataset itself is of its values, so a number there must be known. A group speaks of many things: there a number must
only not be a scale. So it is with datasets of one value beside the column, as MATLAB and others keep a gain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import h5py

from rig.playback.hdf5_attributes import UNIT_KEYS, Said, all_said, said_by
from rig.playback.hdf5_openpmd import DIMENSION, KEY
from rig.playback.hdf5_rates import is_of_time
from rig.playback.hdf5_scales import ALSO_MISSING, CF, MISSING, UNSIGNED, VALID
from rig.playback.hdf5_words import meaning, plain_key, words

APPLIED = {*CF, *MISSING, *VALID, UNSIGNED, KEY, DIMENSION, "actual_range"}  # the last says what there is
OF_A_RECORD = {"volts_scale", "volts_offset"}
"""Both, on a channel of a run.h5, say by what volts became its values, and `tare` what was taken off."""
OF_NEXUS = ("scaling_factor", "offset")  # fields of a group, which are those of its signal
TRUE = {"true", "yes", "on", "1"}
NO_VALUES = {"log", "logarithmic", "log10", "ln", "db", "decibel", "unsigned"}
OF_VALUES = {
    "type", "domain", "representation", "encoding", "transform", "transformation", "sign", "signedness", "format", "data", "values",
}  # fmt: skip
COUNTS_OF_A_GROUP = {"sensitivity", "empfindlichkeit", "kennwert", "lsb", "resolution", "counts", "quantum", "per"}
"""What a group may say of all the counts in it; its `max` and `bits` are of what was done."""
DATE = re.compile(r"\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
BESIDE_AT_MOST = 2000  # names that are looked at
GENERAL = {"data", "value", "values", "y", "add", "adc", "daq", "amplifier", "amp", "sensor", "unit", "units", "to"}


def refuse_unapplied(found: h5py.Dataset, name: str) -> None:
    """Raises ValueError for the first thing that may be a scale and is none that is applied."""
    whole = found.dtype.kind in "iu"
    for told in all_said(found):
        if not _is_understood(found, told):
            _refuse(told, meaning(told.key, whole), f"dataset {name!r}", strange=True)
    for group in above(found):
        for told in all_said(group):
            if not is_of_time(told.key):
                kind = meaning(told.key, whole and told.kind == "number" and bool({*words(told.key)} & COUNTS_OF_A_GROUP))
                _refuse(told, kind, f"the group {group.name!r} of dataset {name!r}", strange=False)
    for told in beside(found, name):
        if (kind := meaning(told.key, whole)) in ("factor", "offset", "counts") and not _is_neutral(told, kind):
            what = f"{told.named} stands beside dataset {name!r}, a scale that is not applied (it is {told.shown})"
            raise ValueError(f"{what}; write physical values, without it")


def above(found: h5py.Dataset) -> Iterator[h5py.Group]:
    """The groups that a dataset is in, the nearest first."""
    group = found.parent
    yield group
    while group.name not in ("/", None):
        group = group.parent
        yield group


def beside(found: h5py.Dataset, name: str) -> Iterator[Said]:
    """Datasets of one number in its group, whose names speak of it or of nothing in particular; with NeXus the scales of any size."""
    group, own = found.parent, {*words(name.rsplit("/", 1)[-1])}
    nexus = {*OF_NEXUS, *(f"{name.rsplit('/', 1)[-1]}_{key}" for key in OF_NEXUS)} if "NX_class" in group.attrs else set()
    for key in islice(group, BESIDE_AT_MOST):
        of_time = is_of_time(key)
        if not (key in nexus or of_time or meaning(key, True) in ("factor", "offset", "counts")):
            continue
        item: h5py.HLObject | None = None if isinstance(group.get(key, getlink=True), h5py.ExternalLink) else group.get(key)
        if not isinstance(item, h5py.Dataset) or item == found or item.dtype.kind not in "fiu" or item.shape is None:
            continue
        if key in nexus and item.size != 1:
            yield Said(key, "number", ())
        elif item.size == 1 and (of_time or not {word for word in words(key) if meaning(word, True) == "unknown"} - own - GENERAL):
            yield said_by(key, item[()])


def _is_understood(found: h5py.Dataset, told: Said) -> bool:
    """Whether an attribute is applied, or looked at where units and times are; a channel of a record says where its values come from."""
    plain = plain_key(told.key)
    if told.key in APPLIED or plain in UNIT_KEYS or plain == "rate" or plain in ALSO_MISSING or is_of_time(told.key):
        return True
    return found.dtype.kind == "f" and {*found.attrs} >= OF_A_RECORD and told.key in OF_A_RECORD | {"tare"}


def _refuse(told: Said, kind: str, who: str, strange: bool) -> None:
    """Raises ValueError for what is not neutral. strange: whether a number of an unknown name is refused too."""
    if strange and (_says_otherwise(told) or (kind == "unknown" and told.kind == "number" and not _is_neutral(told, "offset"))):
        raise ValueError(
            f"{who} has the attribute {told.named} = {told.shown}, of which is not known whether it changes the values; "
            "if it does, write physical values; then delete it, or write it as a text"
        )
    if kind in ("harmless", "unknown") or told.kind == "other":
        return
    if not _is_neutral(told, kind) or plain_key(told.key).startswith("niscale"):
        raise ValueError(
            f"{who} has the attribute {told.named}, whose meaning is not fixed (it is {told.shown}); write physical values, without it"
        )


def _says_otherwise(told: Said) -> bool:
    """Whether values are said to be logarithms, or numbers without a sign."""
    if told.kind == "text" and {*words(told.key)} & OF_VALUES:
        return any(value.lower() in NO_VALUES for value in told.values)
    return plain_key(told.key) == "signed" and told.values in ((0,), (False,))


def _is_neutral(told: Said, kind: str) -> bool:
    if told.kind == "text":
        return all(_is_text_without_scale(value, told.key, kind) for value in told.values)
    if told.kind == "flag":
        return kind not in ("flag", "offset") or not any(told.values)
    return len(told.values) == 1 and not isinstance(told.values[0], complex) and _changes_nothing(float(told.values[0]), told.key, kind)


def _changes_nothing(value: float, key: str, kind: str) -> bool:
    if kind == "counts":
        return value == 1.0 or ("resolution" in words(key) and value <= 0.0)  # NWB's -1 is none
    return value == (1.0 if kind == "factor" else 0.0)


def _is_text_without_scale(text: str, key: str, kind: str) -> bool:
    """Whether a text under the name of a scale is words, a date, or a number that changes nothing."""
    if kind == "flag":
        return text.lower() not in TRUE
    try:
        return _changes_nothing(float(text), key, kind)
    except ValueError:
        return text.lower() not in NO_VALUES and (DATE.match(text) is not None or not any(sign.isdigit() for sign in text))
