"""MAT, version 5 by scipy and 7.3 by h5py: every vector of numbers, in structs as well; of a matrix with few columns each of them.

A number called fs, rate, dt or alike tells the rate.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from drivers.files.plain_values import Json
from rig.formats.reading import explained
from rig.formats.table import Contents, Floats, Found

FILE = "a MAT file"
RATES = ("fs", "rate", "rate_hz", "sample_rate", "samplerate", "sampling_rate", "samplingrate", "sampling_frequency", "f_s", "frequency_hz")
STEPS = ("dt", "delta_t", "ts", "t_s", "sample_time", "sampletime", "increment", "wf_increment")
MOST_COLUMNS = 256
DEEPEST = 6


class Columns:
    """Column k of a dataset or an array of two dimensions, as MATLAB has them; of an HDF5 file they are the other way round."""

    def __init__(self, data: Any, number: int, turned: bool) -> None:
        self._data, self._number, self._turned = data, number, turned

    def __len__(self) -> int:
        return int(self._data.shape[1 if self._turned else 0])

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(len(self))
        rows = slice(first, max(first, last))
        return np.asarray(self._data[self._number, rows] if self._turned else self._data[rows, self._number], dtype=np.float64)


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    import h5py

    if h5py.is_hdf5(path):
        with explained(FILE):
            book = h5py.File(path, "r")
        with book:
            with explained(FILE):
                contents = _contents("7.3", list(_of_hdf5(book, "", 0)))
            yield contents
        return
    from scipy import io

    with explained(FILE):
        tree: dict[str, Any] = io.loadmat(path, struct_as_record=False, squeeze_me=False, chars_as_strings=True)
    yield _contents("5", list(_of_tree({key: value for key, value in tree.items() if not key.startswith("__")}, "", 0)))


def _of_tree(tree: Mapping[str, Any], above: str, depth: int) -> Iterator[tuple[str, Any, bool]]:
    """(path, array or text, turned) of all that stands in a tree."""
    for key, value in tree.items():
        name = f"{above}{key}"
        if hasattr(value, "_fieldnames"):
            value = np.array([[value]], dtype=object)
        if not isinstance(value, np.ndarray) or depth > DEEPEST:
            continue
        if value.dtype.kind == "O":
            for number, one in enumerate(value.ravel()[:MOST_COLUMNS]):
                inner = {field: getattr(one, field) for field in getattr(one, "_fieldnames", ())}
                more = f"{name}." if value.size == 1 else f"{name}({number + 1})."
                yield from _of_tree(inner, more, depth + 1)
        elif value.dtype.kind in "US":
            yield name, "".join(str(one) for one in value.ravel()), False
        elif value.dtype.kind in "fiub":
            yield name, value, False


def _of_hdf5(group: Any, above: str, depth: int) -> Iterator[tuple[str, Any, bool]]:
    import h5py

    for key in group:
        if key.startswith("#") or depth > DEEPEST or not isinstance(group.get(key, getlink=True), h5py.HardLink):
            continue
        value = group[key]
        if isinstance(value, h5py.Group):
            yield from _of_hdf5(value, f"{above}{key}.", depth + 1)
        elif value.attrs.get("MATLAB_class", b"") == b"char" and value.size < 1 << 20:
            yield f"{above}{key}", "".join(chr(int(one)) for one in np.asarray(value).T.ravel(order="F")), True
        elif value.dtype.kind in "fiub" and not value.attrs.get("MATLAB_empty", 0):
            yield f"{above}{key}", value, True


def _contents(version: str, there: list[tuple[str, Any, bool]]) -> Contents:
    texts = {name: value for name, value, _ in there if isinstance(value, str)}
    arrays = [(name, value, turned) for name, value, turned in there if not isinstance(value, str)]
    numbers = {
        name: float(np.asarray(value[()] if hasattr(value, "id") else value).ravel()[0]) for name, value, _ in arrays if value.size == 1
    }
    about = _about(texts, numbers)
    rate, why = _rate(numbers)
    found, left = [], []
    for name, value, _ in arrays:
        if value.size <= 1 or name.startswith("about."):
            continue
        if value.ndim != 2 or min(value.shape) > MOST_COLUMNS or max(value.shape) == min(value.shape):
            left.append(f"{name} {tuple(value.shape)}")
            continue
        long_first = value.shape[0] > value.shape[1]
        turned_here = not long_first
        count = min(value.shape)
        for k in range(count):
            label = texts.get(f"about.labels.{name}", name if count == 1 else f"{name}_{k + 1}")
            unit = texts.get(f"about.units.{name}", texts.get(f"{name}_unit", texts.get(f"{name.rpartition('.')[0]}.unit", "")))
            column = Columns(value, k, turned_here)
            more = about.get("columns")
            known = more.get(label, {}) if isinstance(more, dict) else {}
            found.append(
                Found(label, "s" if name == "time" and about else unit, column, rate, numbers.get("about.begin_s", 0.0), about=known)
            )
    said = [f"MAT {version}", *([f"rate by {why}"] if why else [])]
    return Contents("mat", found, None, about, (*said, *([f"left out, as they are no vectors: {', '.join(left)}"] if left else [])))


def _rate(numbers: Mapping[str, float]) -> tuple[float | None, str]:
    """The rate by a number of the file, and its name."""
    plain = {name.rpartition(".")[2].lower(): (name, value) for name, value in numbers.items()}
    for key in RATES:
        if key in plain and plain[key][1] > 0.0:
            return plain[key][1], plain[key][0]
    for key in STEPS:
        if key in plain and 0.0 < plain[key][1] < np.inf:
            return 1.0 / plain[key][1], plain[key][0]
    return None, ""


def _about(texts: Mapping[str, str], numbers: Mapping[str, float]) -> dict[str, Json]:
    """What this program wrote there."""
    with suppress(ValueError, TypeError):
        found = json.loads(texts.get("about.json", ""))
        if isinstance(found, dict):
            start = {"start_time": texts["about.start_time"]} if "about.start_time" in texts else {}
            return {**found, **start, "rate_hz": numbers.get("about.rate_hz"), "begin_s": numbers.get("about.begin_s", 0.0)}
    return {}
