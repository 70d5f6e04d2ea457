"""Attributes of HDF5 objects as programs write them: scalars, or arrays of one; texts as str or bytes."""

from __future__ import annotations

import math
from typing import Any

import h5py
import numpy as np

MOST = 64  # values that are looked at at all


def text(item: Any, key: str, usual: str = "") -> str:
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


def number(item: Any, key: str) -> float:
    """The number of an attribute; NaN where there is none. Raises ValueError for what is no number."""
    value = _only(item, key)
    if value is None:
        return math.nan
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ValueError(f"{item.name} has the attribute {key} = {str(value)[:40]!r}, expected a number")
    return float(value)


def texts(item: Any, key: str) -> list[str]:
    """The texts of an attribute that is one or several; none where there is none."""
    if key not in item.attrs or not _small(item, key):
        return []
    value = np.atleast_1d(item.attrs[key])
    return [one.decode("latin-1") if isinstance(one, bytes) else str(one) for one in value.ravel()[:MOST]]


def _only(item: Any, key: str) -> Any:
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


def _small(item: Any, key: str) -> bool:
    shape = item.attrs.get_id(key).shape
    return shape is None or math.prod(shape) <= MOST
