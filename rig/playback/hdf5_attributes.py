"""Attributes of HDF5 objects as programs write them: scalars, or arrays of one; texts as str or bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import h5py
import numpy as np

LONGEST = 80  # letters of a name that are shown
MOST = 64  # values that are looked at at all
UNIT_KEYS = ("units", "unit")


Kind = Literal["number", "flag", "text", "record", "other"]


class Said(NamedTuple):
    """What an attribute, or a dataset of one value, says. A record has several things in it; `other` is a reference, or nothing."""

    key: str
    kind: Kind
    values: tuple[Any, ...]  # none where there are too many to look at

    @property
    def named(self) -> str:
        """Its name in a message."""
        return repr(self.key if len(self.key) <= LONGEST else f"{self.key[:LONGEST]}...")

    @property
    def shown(self) -> str:
        """Its value in a message."""
        found = [f"{value:g}" if self.kind == "number" and not isinstance(value, complex) else str(value)[:40] for value in self.values[:3]]
        text = ", ".join(found) + (", ..." if len(self.values) > len(found) else "")
        text = text if len(self.values) == 1 else f"[{text}]" if self.values else "many values"
        return repr(text) if self.kind == "text" else text


def all_said(item: h5py.HLObject) -> Iterator[Said]:
    """What the attributes of an object say, in the order of their names."""
    for key in sorted(item.attrs):
        yield said(item, key)


def said(item: h5py.HLObject, key: str) -> Said:
    """What one attribute says."""
    if not _small(item, key):
        return Said(key, _kind(item.attrs.get_id(key).dtype), ())
    try:
        value = item.attrs[key]
    except (TypeError, OSError):  # of a kind that h5py does not have, which is no number
        return Said(key, "other", ())
    return said_by(key, value)


def said_by(key: str, value: object) -> Said:
    """What a value says that has been read from a file under a name."""
    if isinstance(value, h5py.Empty):
        return Said(key, "other", ())
    if isinstance(value, (str, bytes)):
        return Said(key, "text", (decoded(value),))
    array = np.asarray(value)
    kind = _kind(array.dtype)
    if kind == "other" and array.dtype.kind == "O" and all(isinstance(one, (str, bytes)) for one in array.flat):
        kind = "text"
    values = [decoded(one) for one in array.flat] if kind == "text" else array.ravel().tolist() if kind in ("number", "flag") else []
    return Said(key, kind, tuple(values))


def _kind(dtype: np.dtype) -> Kind:
    if dtype.kind == "b":
        return "flag"
    if dtype.kind in "fiuc":
        return "other" if h5py.check_enum_dtype(dtype) else "number"
    if dtype.names:
        return "record"
    return "text" if dtype.kind in "SU" or h5py.check_string_dtype(dtype) else "other"


def decoded(value: str | bytes) -> str:
    """A text in UTF-8 or else Latin-1, without what fills it up; h5py hands over bytes that are not UTF-8 as surrogates."""
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    try:
        return raw.decode("utf-8").strip("\0 ")
    except UnicodeDecodeError:
        return raw.decode("latin-1").strip("\0 ")


def text(item: h5py.HLObject, key: str, usual: str = "") -> str:
    """The text of an attribute; `usual` where there is none. Raises ValueError for what is no text."""
    value = _only(item, key)
    if value is None:
        return usual
    if isinstance(value, (str, bytes)):
        return decoded(value)
    raise ValueError(f"{item.name} has the attribute {key} = {str(value)[:40]!r}, expected a text")


def unit(item: h5py.HLObject) -> str:
    """Its unit, "" where it says none: attribute `units`, or `unit` as NWB and others have it, in any case. Raises ValueError for two."""
    said = {key: found for key in item.attrs if key.lower() in UNIT_KEYS and (found := text(item, key))}
    if len(set(said.values())) > 1:
        raise ValueError(f"{item.name} has the attributes {' and '.join(f'{key} = {one!r}' for key, one in said.items())}; leave one out")
    return next(iter(said.values()), "")


def number(item: h5py.HLObject, key: str) -> float:
    """The number of an attribute; NaN where there is none. Raises ValueError for what is no number."""
    value = _only(item, key)
    if value is None:
        return math.nan
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ValueError(f"{item.name} has the attribute {key} = {str(value)[:40]!r}, expected a number")
    return float(value)


def numbers(item: h5py.HLObject, key: str, count: int | None = None) -> list[float]:
    """The numbers of an attribute that is there, `count` of them or as many as there are. Raises ValueError for others."""
    value = np.ravel(item.attrs[key]) if _small(item, key) else np.empty(0)
    if len(value) != (count or len(value)) or not len(value) or value.dtype.kind not in "fiu":
        expected = f"{count} numbers" if count else "numbers"
        raise ValueError(f"{item.name} has the attribute {key} = {str(item.attrs[key])[:40]!r}, expected {expected}")
    return [float(one) for one in value]


def texts(item: h5py.HLObject, key: str) -> list[str]:
    """The texts of an attribute that is one or several; none where there is none."""
    if key not in item.attrs or not _small(item, key):
        return []
    return [decoded(one) if isinstance(one, (str, bytes)) else str(one) for one in np.atleast_1d(item.attrs[key]).ravel()[:MOST]]


def _only(item: h5py.HLObject, key: str) -> object:
    if key not in item.attrs:
        return None
    if not _small(item, key):
        raise ValueError(f"{item.name} has the attribute {key} with {item.attrs.get_id(key).shape} values, expected one")
    value = item.attrs[key]
    if isinstance(value, h5py.Empty):
        return None
    values = np.ravel(np.asarray(value, dtype=None if isinstance(value, (np.ndarray, np.generic)) else object))
    if len(values) != 1:
        raise ValueError(f"{item.name} has the attribute {key} with {len(values)} values, expected one")
    return values[0]


def _small(item: h5py.HLObject, key: str) -> bool:
    shape = item.attrs.get_id(key).shape
    return shape is None or math.prod(shape) <= MOST
