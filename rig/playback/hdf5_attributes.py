"""Attributes of HDF5 objects as programs write them: scalars, or arrays of one; texts as str or bytes."""

from __future__ import annotations

import math

import h5py
import numpy as np

MOST = 64  # values that are looked at at all
UNIT_KEYS = ("units", "unit")


def text(item: h5py.HLObject, key: str, usual: str = "") -> str:
    """The text of an attribute; `usual` where there is none. Raises ValueError for what is no text."""
    value = _only(item, key)
    if value is None:
        return usual
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8").strip("\0 ")
        except UnicodeDecodeError:
            return value.decode("latin-1").strip("\0 ")
    if isinstance(value, str):
        return value.strip("\0 ")
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


def numbers(item: h5py.HLObject, key: str, count: int) -> list[float]:
    """The `count` numbers of an attribute that is there. Raises ValueError for others."""
    value = np.ravel(item.attrs[key]) if _small(item, key) else np.empty(0)
    if len(value) != count or value.dtype.kind not in "fiu":
        raise ValueError(f"{item.name} has the attribute {key} = {str(item.attrs[key])[:40]!r}, expected {count} numbers")
    return [float(one) for one in value]


def texts(item: h5py.HLObject, key: str) -> list[str]:
    """The texts of an attribute that is one or several; none where there is none."""
    if key not in item.attrs or not _small(item, key):
        return []
    value = np.atleast_1d(item.attrs[key])
    return [one.decode("latin-1") if isinstance(one, bytes) else str(one) for one in value.ravel()[:MOST]]


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
