"""Attributes that name the unit of a dataset a second time, under a name of their own: EU, engineering_units, unit_string."""

from __future__ import annotations

import re
from collections.abc import Callable

import h5py

from rig.playback.hdf5_attributes import UNIT_KEYS, all_said
from rig.playback.hdf5_rates import is_unit_of_rate
from rig.playback.hdf5_words import plain_key, words
from rig.playback.units import factor

NAMES = {
    "unit", "units", "eu", "uom", "einheit", "einheiten", "unite", "unit\u00e9", "unitstring", "siprefix", "metricprefix",
    "engineeringunit", "engineeringunits",
}  # fmt: skip
OF_OTHERS = {
    "time", "x", "t", "axis", "rate", "frequency", "freq", "sample", "sampling", "interval", "raw", "adc", "sensor", "electrical",
    "input", "source", "original", "bridge", "excitation", "supply", "sensitivity", "temperature", "display", "type", "class", "kind",
    "system", "category", "quantity", "standard", "number", "id", "serial", "description", "under", "test", "metadata",
}  # fmt: skip
"""Beside which a unit is not that of the values as they stand there."""
SPELT = {
    "newton": "N", "newtons": "N", "kilonewton": "kN", "kilonewtons": "kN", "meganewton": "MN", "millinewton": "mN", "metre": "m",
    "meter": "m", "metres": "m", "meters": "m", "millimetre": "mm", "millimeter": "mm", "millimetres": "mm", "millimeters": "mm",
    "centimetre": "cm", "centimeter": "cm", "micrometre": "um", "micrometer": "um", "micron": "um", "microns": "um",
}  # fmt: skip


LABELS = {"longname", "label", "ylabel", "legend", "axislabel"}
AT_THE_END = re.compile(r".*[\[(]\s*([^\])]+?)\s*[\])]\s*")
FOREIGN = {"lbf", "lb", "lbs", "kip", "kips", "kgf", "kp", "tf", "dyn", "in", "inch", "ft", "mil", "mils"}
"""Units in a label that nothing here has; any other word in brackets may be a remark."""


def refuse_other_units(found: h5py.Dataset, name: str, given: str, known: Callable[[str], object] = factor) -> None:
    """Raises ValueError for a text that is another unit than `given`. known: what names of one unit share, None for none."""
    for told in all_said(found):
        if told.kind != "text" or plain_key(told.key) in UNIT_KEYS:
            continue
        label = plain_key(told.key) in LABELS
        for text in told.values if label or _is_unit(told.key) else ():
            said = _in_brackets(text, known) if label else text
            if said and said != given and known(SPELT.get(said.lower(), said)) != (known(given) or said):
                what = f"dataset {name!r} is in {given or 'no unit'}, but has the attribute {told.key} = {text[:40]!r} as well"
                raise ValueError(f"{what}; correct one, or leave it out")
    if not any(plain_key(key) in UNIT_KEYS for key in found.attrs):
        _refuse_group(found, name, given, known)


def _in_brackets(text: str, known: Callable[[str], object]) -> str:
    """The unit at the end of a label, "" where none is there."""
    end = AT_THE_END.fullmatch(text)
    return end[1] if end and (known(end[1]) is not None or end[1] in FOREIGN) else ""


def _refuse_group(found: h5py.Dataset, name: str, given: str, known: Callable[[str], object]) -> None:
    for told in all_said(found.parent):
        for text in told.values if told.kind == "text" and _is_unit(told.key) else ():
            if known(SPELT.get(text.lower(), text)) not in (None, known(given)):
                what = f"dataset {name!r} is in {given or 'no unit'}, but its group has the attribute {told.key} = {text!r}"
                raise ValueError(f"{what}; correct one, or leave it out")


def _is_unit(key: str) -> bool:
    found = {*words(key)}
    return not is_unit_of_rate(key) and not found & OF_OTHERS and bool({*found, plain_key(key)} & NAMES)
