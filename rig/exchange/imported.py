"""A recording of another system as a record: run.h5 in a folder of its own, which is there whole or not at all."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from drivers.files.plain_values import Json
from rig.errors import ConfigError, RigError
from rig.exchange.incoming import Channel, Incoming, incoming
from rig.exchange.mapping import Mapping_
from rig.files import output_files
from rig.formats.reading import opened
from rig.recorder.description import Description, Gap, StreamShape
from rig.recorder.folders import RECORD
from rig.recorder.reading import HIGHEST_RATE, LOWEST_RATE, STREAMS
from rig.recorder.record import Record

ROWS = 1 << 15
MISSING = "not in the file that was imported"
LARGEST = 1 << 31
"""Samples of a channel: half a day at 51.2 kHz."""


@dataclass(frozen=True)
class Imported:
    """The record, and what it was made of."""

    record: Path
    channels: tuple[Channel, ...]
    rate: float
    samples: int
    start: datetime.datetime
    format: str
    said: tuple[str, ...]


def import_file(file: Path, out: Path, given: Mapping_) -> Imported:
    """Make the record `out`/run.h5. Raises ConfigError, in one line, for a file that cannot be understood, or a place that is taken."""
    _need_free(out)
    try:
        with opened(file) as contents:
            found = incoming(contents, given)
            _need_bounded(found)
            _need_room(out, found)
            start, how = _start(file, found)
            with _folder(out) as folder:
                lost = _write(folder / RECORD, _description(file, out, contents.format, found, start, given), found,
                              imported_from=file.name, imported_sha256=_digest(file), start_from=how, import_map=given.text)  # fmt: skip
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror or error}") from None
    except ConfigError:
        raise
    except (ValueError, OverflowError) as error:
        raise ConfigError(f"{file}: {' '.join(str(error).split())}") from None
    said = [*found.said, *([] if how == "the file" else [f"the file does not say when it began: {how}"]), *lost]
    return Imported(out / RECORD, tuple(found.channels), found.rate, found.samples, start, contents.format, tuple(said))


def _need_free(out: Path) -> None:
    output_files.place("--out", out)
    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"--out {out}: is not empty; give a folder that is not there yet")


def _need_bounded(found: Incoming) -> None:
    if not LOWEST_RATE <= found.rate <= HIGHEST_RATE:
        raise ValueError(f"is sampled at {found.rate:g} Hz, a record at {LOWEST_RATE:g} to {HIGHEST_RATE:g} Hz")
    if not 2 <= found.samples <= LARGEST:
        raise ValueError(f"has {found.samples} samples, expected 2 to {LARGEST}; cut it")
    names = [(channel.stream, channel.name) for channel in found.channels]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"two columns become {'/'.join(twice[0])}; a map gives them different names (--map)")


def _need_room(out: Path, found: Incoming) -> None:
    """Raises ConfigError where the disk cannot hold the record: it is told before anything is written."""
    above = next(one for one in (out, *out.absolute().parents) if one.exists())
    needed, free = 8 * found.samples * (len(found.channels) + 1), shutil.disk_usage(above).free
    if needed > free:
        raise ConfigError(
            f"--out {out}: the record takes {needed / 1e9:.3g} GB, {free / 1e9:.3g} GB are free there; free some, or give another place"
        )


def _start(file: Path, found: Incoming) -> tuple[datetime.datetime, str]:
    """When it began, and who says so."""
    if found.start is not None:
        return found.start, "the file"
    changed = datetime.datetime.fromtimestamp(file.stat().st_mtime, datetime.UTC)
    return changed - datetime.timedelta(seconds=found.samples / found.rate), "taken as if the file had been written at its end"


@contextlib.contextmanager
def _folder(out: Path) -> Iterator[Path]:
    """A folder beside `out` to write to, which becomes `out`; where that fails it goes."""
    new = out.with_name(f".{out.name}.part")
    try:
        shutil.rmtree(new, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        new.mkdir()
        yield new
        if out.exists():
            out.rmdir()  # empty, see above
        new.rename(out)
    except RigError as error:
        raise ConfigError(f"--out {out}: {error}") from error
    except OSError as error:
        raise ConfigError(f"--out {out}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _description(file: Path, out: Path, kind: str, found: Incoming, start: datetime.datetime, given: Mapping_) -> Description:
    title = f"Recording imported from {file.name}"
    channels = "\n".join(
        f"[[channels]]\nname = {json.dumps(f'{one.stream}/{one.name}')}\nfrom = {json.dumps(one.source)}\nunit = {json.dumps(one.unit)}\n"
        f"scale = {one.scale!r}\n"
        for one in found.channels
    )
    sensors = {one.name: _sensor(one) for one in found.channels if one.stream == "measured" and "sensitivity" in one.sensor}
    return Description(
        run=out.resolve().name, title=title, started=start.isoformat(timespec="microseconds"),
        experiment_text=f"title = {json.dumps(title)}\n", bench_text=f"format = {json.dumps(kind)}\n\n{channels}", sensors=sensors,
    )  # fmt: skip


def _sensor(channel: Channel) -> dict[str, Json]:
    record: Mapping[str, Json] = {"offset": 0.0, **channel.sensor}
    return {**{key: value for key, value in record.items() if value is not None}, "unit": channel.unit}


def _write(path: Path, description: Description, found: Incoming, **attributes: str) -> list[str]:
    """Write the record; returns what of its values is missing, in words."""
    record = Record(path, description)
    streams = {name: [one for one in found.channels if one.stream == name] for name in STREAMS}
    streams = {name: channels for name, channels in streams.items() if channels}
    missing: dict[str, int] = {}
    try:
        for name, channels in streams.items():
            record.stream(StreamShape(name, tuple(one.name for one in channels), tuple(one.unit for one in channels), found.rate))
        for first in range(0, found.samples, ROWS):
            end = min(first + ROWS, found.samples)
            for name, channels in streams.items():
                block = np.column_stack([one.values[first:end] for one in channels])
                for one, count in zip(channels, np.sum(np.isnan(block), axis=0), strict=True):
                    missing[f"{name}/{one.name}"] = missing.get(f"{name}/{one.name}", 0) + int(count)
                record.append(name, first, block)
            record.flush()
        for first, count in found.gaps:
            for name in streams:
                record.gap(Gap(name, first, count, MISSING))
        record.close(0, **attributes)
    except BaseException:
        record.abandon()
        raise
    gaps = sum(count for _, count in found.gaps)
    said = [f"{len(found.gaps)} gaps, {gaps} samples in all, the first at sample {found.gaps[0][0]}"] if found.gaps else []
    lacking = [f"{name} ({count - gaps})" for name, count in missing.items() if count > gaps]
    return [*said, *([f"samples without a value: {', '.join(lacking)}"] if lacking else [])]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
