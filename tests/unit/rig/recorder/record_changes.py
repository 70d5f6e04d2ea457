"""Changes of what stands in a record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py

Change = Callable[[h5py.Group], object]


def make(change: Change, run: Path) -> None:
    """In the record of the run."""
    with h5py.File(run / "run.h5", "r+") as file:
        change(file["entry"])


def attribute(where: str, key: str, value: Any = None) -> Change:
    """Another value of an attribute, or none any more; `where` "": of the entry itself."""

    def change(entry: h5py.Group) -> None:
        at = entry[where].attrs if where else entry.attrs
        if value is None:
            del at[key]
        else:
            at[key] = value

    return change
