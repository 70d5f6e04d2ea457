"""Readers: what a file holds, its numbers read where they are asked for. One module a format, found by the ending of the file's name."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol, cast

from rig.formats.table import Contents

READERS = {
    ".csv": "csv", ".txt": "csv", ".asc": "csv", ".dat": "csv", ".tsv": "csv",
    ".mat": "mat", ".uff": "uff58", ".unv": "uff58", ".uf58": "uff58", ".ufb": "uff58", ".uff58": "uff58",
    ".tdms": "tdms", ".mf4": "mdf4", ".mdf": "mdf4", ".mf3": "mdf4", ".mdf4": "mdf4", ".dl3": "mdf4",
    ".rsp": "rpc3", ".drv": "rpc3", ".rpc": "rpc3", ".rpc3": "rpc3", ".tim": "rpc3",
    ".wav": "wav", ".parquet": "parquet", ".xlsx": "xlsx",
}  # fmt: skip
"""Ending -> format."""


class Reader(Protocol):
    """A module of this room."""

    def opened(self, path: Path) -> AbstractContextManager[Contents]:
        """What the file holds, while it is open. Raises ValueError, in one line, for what is none or cannot be read."""
        ...


@contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """What a file of any format holds, while it is open. Raises ValueError, OSError; rig.formats.extras.Missing is a ValueError."""
    name = READERS.get(path.suffix.lower())
    if name is None:
        raise ValueError(f"expected a file that ends in {', '.join(READERS)}")
    reader = cast("Reader", importlib.import_module(f"rig.formats.reading.{name}_file"))
    try:
        with reader.opened(path) as contents:
            yield contents
    except ValueError as error:
        if "\n" not in str(error):
            raise
        raise ValueError(" ".join(str(error).split())) from error


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Whatever a library raises about a file as ValueError in one line; what: the kind of file, as `a TDMS file`."""
    try:
        yield
    except MemoryError:
        raise ValueError(f"not {what} that can be read: it takes more memory than there is") from None
    except Exception as error:  # libraries raise whatever they like about a file that is damaged
        if isinstance(error, OSError) and error.strerror:
            raise
        text = " ".join(str(error).split())
        raise ValueError(f"not {what} that can be read ({type(error).__name__}{f': {text[:200]}' if text else ''})") from error
