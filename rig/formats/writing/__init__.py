"""Writers: a table into a new file, piece by piece. One module a format, found by its name."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Protocol, cast

from rig.formats.table import Table

FORMATS = {
    "csv": ".csv", "mat": ".mat", "uff58": ".uff", "tdms": ".tdms", "mdf4": ".mf4", "parquet": ".parquet", "rpc3": ".rsp", "xlsx": ".xlsx",
    "bluesky": ".jsonl",
}  # fmt: skip
"""Format -> ending of its files."""


class Writer(Protocol):
    """A module of this room."""

    def refusal(self, table: Table) -> str:
        """Why the format cannot hold the table, and what to do; empty where it can. Nothing is written for it."""
        ...

    def write(self, path: Path, table: Table) -> list[str]:
        """Write the table to a file that is not there yet; returns what of it the format could not take, in words.

        Raises OSError where the disk does not take it.
        """
        ...


def writer(name: str) -> Writer:
    """Of a format of FORMATS. Raises rig.formats.extras.Missing where its library is not installed."""
    return cast("Writer", importlib.import_module(f"rig.formats.writing.{name}_file"))
