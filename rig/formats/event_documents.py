"""What bluesky's event documents say of a channel: its name, its kind, and where its samples stand in an HDF5 file.

The data model is that of event-model (https://blueskyproject.io/event-model): a sample is an event, as a PandA or another digitizer
behind ophyd-async has it. Shared by the file of documents and by the device for bluesky's RunEngine.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py

from drivers.files.plain_values import Json
from rig.formats.table import Stored

MIMETYPE = "application/x-hdf5"
CHUNK = 1 << 16
"""Rows that are read together of a dataset that has no chunks of its own, as the whole of a record in parts."""
TIME = "sample_time"
"""Key of the times, s of the record; bluesky has `time` for itself."""


DataKey = dict[str, Any]
"""As event-model has it, whose types are not to be had where it is not installed."""


def key_name(stream: str, channel: str) -> str:
    """`measured-stroke`; the model's own limit: neither a point nor a slash."""
    return f"{stream}-{channel}".replace(".", "_").replace("/", "_")


def number(source: str, unit: str, sensor: Mapping[str, Json] | None = None, external: bool = False) -> DataKey:
    """A number, float64, that is an event's; `external`: it stands in a file."""
    key: DataKey = {"source": source, "dtype": "number", "shape": [1] if external else [], "dtype_numpy": "<f8"}
    more = {"units": unit, "external": "STREAM:" if external else "", "sensor": dict(sensor or {})}
    return key | {name: value for name, value in more.items() if value}


def text(source: str) -> DataKey:
    """A text that is an event's."""
    return {"source": source, "dtype": "string", "shape": [], "dtype_numpy": "|O8"}


def pointer(key: str, stored: Stored) -> dict[str, Any]:
    """What a stream_resource says of where the samples of a key stand: bluesky's consolidator of HDF5 files and Tiled's adapter take it."""
    uri = f"file://localhost/{stored.file.resolve().as_posix().lstrip('/')}"
    parameters = {"dataset": stored.dataset, "chunk_shape": [stored.chunk], "swmr": False}
    return {"mimetype": MIMETYPE, "uri": uri, "data_key": key, "parameters": parameters}


def stored(file: h5py.File, dataset: str, rows: int) -> Stored | None:
    """Where a dataset of a record stands; None for one that is not there, or has another number of rows."""
    found = file.get(dataset)
    if not isinstance(found, h5py.Dataset) or found.shape != (rows,):
        return None
    return Stored(Path(file.filename), dataset, min(found.chunks[0] if found.chunks else CHUNK, max(rows, 1)))
