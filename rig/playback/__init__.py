"""One column of a file as an evenly sampled signal: what is read, whether it can be played, and how it comes to another rate.

Imports files and formats.
Imported by trajectory, hybrid and configuration.
"""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rig.errors import ConfigError
from rig.playback.column import Column
from rig.playback.playable import ensure_no_hole, ensure_playable, stamp

READERS = {
    ".csv": "csv_column", ".h5": "hdf5_column", ".hdf5": "hdf5_column", ".nxs": "hdf5_column",
    ".uff": "uff_column", ".unv": "uff_column", ".uf58": "uff_column", ".ufb": "uff_column",
    **dict.fromkeys((".mat", ".tdms", ".mf4", ".mdf", ".rsp", ".drv", ".rpc", ".wav", ".parquet", ".xlsx"), "format_column"),
}  # fmt: skip
SUFFIXES = ", ".join(READERS)
_DIGESTS: dict[tuple[int, ...], str] = {}  # of files as they stand: a check asks three times for what takes seconds a gigabyte
LONGEST_NAME, LONGEST_LINE = 80, 2000  # characters of what a message cites


def read(file: str, column: str, unit: str | None = None, sha256: str = "") -> Column:
    """The column of the file (of any of READERS), in SI.

    unit: of a column whose file does not say it. sha256: what the file must still be, where that is known. Raises ConfigError in one
    line for a file that is not there or has changed, and for a column that is not there, is empty, holds NaN, is not evenly
    sampled, or has a unit that is neither a force's, a length's nor an acceleration's.
    """
    path = Path(file)
    try:
        ensure_playable(path)
        if path.suffix.lower() not in READERS:
            raise ConfigError(f"{path}: expected a file that ends in {SUFFIXES}")
        if READERS[path.suffix.lower()] not in ("hdf5_column", "format_column"):
            ensure_no_hole(path)
        content = digest(path)
    except OSError as error:
        slashes = "; write / between folders, which Windows takes as well" if "\\" in file and os.sep == "/" else ""
        raise ConfigError(f"{path}: {f'no such file{slashes}' if isinstance(error, FileNotFoundError) else error.strerror}") from None
    if sha256 and content != sha256:
        raise ConfigError(f"{path}: has changed since it was checked (sha256 {content[:12]}..., expected {sha256[:12]}...)")
    return _read(path, content, column, unit)


def another(file: str, sha256: str) -> str:
    """In words that the file is not the one of this SHA-256; empty where it is, where none is given, and for a file that cannot be read."""
    path = Path(file)
    try:
        found = digest(path) if sha256 else ""
    except OSError:
        return ""
    if found == sha256:
        return ""
    how = "enter the new one, leave it out, or put back the file that was meant"
    return f"{path}: its sha256 is {found}, the experiment's is {sha256}; {how}"


def digest(path: Path) -> str:
    """SHA-256 of a file. Raises OSError; also for what is no file, is empty, or is too large to be looked through."""
    known = stamp(ensure_playable(path))
    if known in _DIGESTS:
        return _DIGESTS[known]
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if known:
        _DIGESTS[known] = found
    return found


@lru_cache(maxsize=8)
def _read(path: Path, content: str, column: str, unit: str | None) -> Column:
    reader = importlib.import_module(f"rig.playback.{READERS[path.suffix.lower()]}")  # h5py: only for its files
    try:
        found: Column = reader.read(path, column, unit)
    except OSError as error:
        raise ConfigError(f"{path}: {_one_line(error.strerror or str(error))}") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {_one_line(str(error))}") from None
    return found


def no_such_column(column: str, there: Sequence[str]) -> ValueError:
    """The error of every reader, with the columns that there are."""
    names = [_short(name) for name in there[:40]]
    shown = ", ".join(names) + (f" and {len(there) - 40} more" if len(there) > 40 else "")
    return ValueError(f"no column {_short(column)!r}; there are {shown or 'none'}")


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."


def _one_line(text: str) -> str:
    """A message that cites a file: whatever that holds, it is one line that a terminal can show."""
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}..."
