"""Parquet by pyarrow: every column of numbers, and stamps of time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from drivers.files.plain_values import Json
from rig.formats.extras import library
from rig.formats.reading import explained
from rig.formats.table import Contents, Floats, Found

FILE = "a Parquet file"
ABOUT = b"clearance_rig"


class Stored:
    """A column (N,); a row group is kept for who asks for the next piece of it."""

    def __init__(self, file: Any, name: str, ends: list[int]) -> None:
        self._file, self._name, self._ends = file, name, ends
        self._kept: tuple[int, Floats] = (-1, np.empty(0))
        self._origin: np.datetime64 | None = None

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, part: slice) -> Floats:
        first, last, _ = part.indices(len(self))
        pieces, begin = [np.empty(0)], 0
        for number, end in enumerate(self._ends):
            if begin < last and end > first:
                pieces.append(self._group(number)[max(first - begin, 0) : last - begin])
            begin = end
        return np.concatenate(pieces)

    def _group(self, number: int) -> Floats:
        if self._kept[0] != number:
            with explained(FILE):
                column = self._file.read_row_group(number, columns=[self._name]).column(0)
                values = column.to_numpy(zero_copy_only=False)
            if values.dtype.kind == "M":
                self._origin = values[0] if self._origin is None else self._origin
                values = (values - self._origin) / np.timedelta64(1, "ns") * 1e-9
            self._kept = number, np.asarray(values, dtype=np.float64)
        return self._kept[1]


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """See `rig.formats.reading`."""
    arrow, parquet = library("pyarrow", FILE), library("pyarrow.parquet", FILE)
    with explained(FILE):
        file = parquet.ParquetFile(path)
    with file:
        with explained(FILE):
            schema = file.schema_arrow
            ends = np.cumsum([file.metadata.row_group(n).num_rows for n in range(file.metadata.num_row_groups)], dtype=int).tolist()
            about = _json((schema.metadata or {}).get(ABOUT, b""))
            found, left = [], []
            for field in schema:
                kind = field.type
                if (
                    arrow.types.is_floating(kind)
                    or arrow.types.is_integer(kind)
                    or arrow.types.is_timestamp(kind)
                    or arrow.types.is_boolean(kind)
                ):
                    found.append(_found(file, field, ends, about, arrow.types.is_timestamp(kind)))
                else:
                    left.append(field.name)
        said = [f"left out, as they hold no numbers: {', '.join(left)}"] if left else []
        yield Contents("parquet", found, None, about, tuple(said))


def _found(file: Any, field: Any, ends: list[int], about: dict[str, Json], stamps: bool) -> Found:
    more = {key.decode(): value.decode(errors="replace") for key, value in (field.metadata or {}).items()}
    unit = "s" if stamps else more.get("unit", more.get("units", ""))
    values = Stored(file, field.name, ends)
    told = about.get("rate_hz")
    rate = float(told) if isinstance(told, (int, float)) else None
    return Found(field.name, unit, values, rate, float(str(about.get("begin_s", 0.0))), about=_json(more.get("about", "")))


def _json(text: str | bytes) -> dict[str, Json]:
    with suppress(ValueError, TypeError):
        found = json.loads(text)
        if isinstance(found, dict):
            return found
    return {}
