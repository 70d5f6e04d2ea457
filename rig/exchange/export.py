"""A record into a file of another program: written beside its place, brought to the disk, and then put there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from drivers.files.plain_values import Json
from rig.errors import ConfigError
from rig.exchange.outgoing import Wanted, table
from rig.files import output_files
from rig.formats.extras import Missing
from rig.formats.table import Table
from rig.formats.writing import FORMATS, Writer, writer
from rig.recorder.reading import RunData

ABOUT = ".about.json"
"""Ending of what stands beside a file of a format that has no place for it."""
WITHOUT_PLACE = ("csv",)


@dataclass(frozen=True)
class Exported:
    """files: those that were written, the one that was asked for first. said: what it does not hold, and what else is to be known."""

    files: tuple[Path, ...]
    table: Table
    said: tuple[str, ...]


def place(out: Path | None, run: Path, name: str) -> Path:
    """Where the file of a format goes: what was asked for, else RUN.ENDING in the run's folder's folder. Raises ConfigError."""
    folder = run if run.is_dir() else run.parent
    path = out if out is not None else folder / f"{folder.resolve().name}{FORMATS[name]}"
    output_files.file("--out", path)
    output_files.need_writable(f"--out {output_files.shortened(path)}", path.parent)
    return path


def export(run: RunData, name: str, wanted: Wanted, path: Path) -> Exported:
    """Write the file. Raises ConfigError for what is asked for and is not there, for what the format cannot hold, for a library that is
    not installed, and for a disk that does not take it; then nothing of it is left."""
    made, said = table(run, wanted)
    try:
        format_writer = writer(name)
        refusal = format_writer.refusal(made)
    except Missing as error:
        raise ConfigError(f"--to {name}: {error}") from None
    if refusal:
        raise ConfigError(f"--to {name}: {refusal}")
    files = [path]
    if name in WITHOUT_PLACE:
        files.append(path.with_name(path.name + ABOUT))
        _write(files[1], lambda new: _about(new, made))
    said += _written(path, format_writer, made)
    return Exported(tuple(files), made, tuple(said))


def _written(path: Path, by: Writer, made: Table) -> list[str]:
    left: list[str] = []
    _write(path, lambda new: left.extend(by.write(new, made)))
    return left


def _write(path: Path, fill: Callable[[Path], None]) -> None:
    with output_files.whole("--out", path) as new:
        try:
            fill(new)
            with new.open("r+b") as file:
                os.fsync(file.fileno())
        except (ConfigError, OSError):
            raise
        except Exception as error:  # libraries have errors of their own for a disk that is full
            raise OSError(f"{type(error).__name__}: {' '.join(str(error).split())}") from error


def _about(new: Path, made: Table) -> None:
    known: dict[str, Json] = {
        **made.about, "start_time": made.start.isoformat(), "rate_hz": made.rate, "begin_s": made.begin,
        "columns": {column.label: {"unit": column.unit, **column.about} for column in made.columns},
    }  # fmt: skip
    new.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
