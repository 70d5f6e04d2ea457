"""Writing a sensor's record back where it came from: the file of the sensor, or its table in the bench file. Comments are kept."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.effective import as_run
from rig.config.tree import read
from rig.errors import ConfigError

NOTHING = {"accuracy_class": "", "certificate": "", "laboratory": "", "calibrated": "", "expires": ""}
"""What hides a text of the sensor's file; a number is hidden by "none"."""


@dataclass(frozen=True)
class Place:
    """Where the record of a channel stands: the bench file, and the sensor's own where it has one. `own`: keys that the bench gives."""

    bench: Path
    channel: str
    file: Path | None
    own: frozenset[str]

    @property
    def main(self) -> Path:
        """The file that the sensitivity comes from."""
        return self.bench if self.file is None or "sensitivity" in self.own else self.file


def place(bench: Path, channel: str) -> Place:
    """Of a bench file that has been loaded. Raises ConfigError."""
    sensor = _table(read(bench, "bench")[0], channel).get("sensor")
    if isinstance(sensor, str):
        return Place(bench, channel, _beside(bench, sensor), frozenset())
    assert isinstance(sensor, Mapping)
    file = _beside(bench, str(sensor["file"])) if "file" in sensor else None
    return Place(bench, channel, file, frozenset(sensor) - {"file"})


def texts(where: Place, changes: Mapping[str, Json]) -> dict[Path, str]:
    """File -> its text with the record changed, all in the file that the sensitivity comes from; None stands for nothing.

    Keys of the bench that would hide a changed one of the sensor's file are taken out of the bench. Raises ConfigError.
    """
    tree, text = read(where.bench, "bench")
    table = _table(tree, where.channel)
    if where.main == where.bench:
        beneath = where.file is not None
        _change(_sensor(table), {key: NOTHING.get(key, "none") if beneath and v is None else v for key, v in changes.items()})
        return {where.bench: as_run(text, tree)}
    of_sensor, sensor_text = read(where.main, "sensor")
    _change(of_sensor, changes)
    made = {where.main: as_run(sensor_text, of_sensor)}
    if hiding := where.own & set(changes):
        _change(_sensor(table), dict.fromkeys(hiding))
        made[where.bench] = as_run(text, tree)
    return made


def write(made: Mapping[Path, str]) -> None:
    """Put the texts in place: all of them, or none where one cannot be written, which raises ConfigError."""
    new = {path.resolve(): path.resolve().with_name(path.name + ".new") for path in made}  # a link stays a link
    try:
        for beside, text in zip(new.values(), made.values(), strict=True):
            beside.write_text(text, encoding="utf-8")
        for real, beside in new.items():
            beside.replace(real)
    except OSError as error:
        for beside in new.values():
            beside.unlink(missing_ok=True)
        raise ConfigError(f"{error.filename}: cannot be written ({error.strerror}); no record was changed") from error


def _change(table: dict[str, Json], changes: Mapping[str, Json]) -> None:
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value


def _table(tree: Mapping[str, Json], channel: str) -> dict[str, Json]:
    channels = tree["channels"]
    assert isinstance(channels, list)
    return next(one for one in channels if isinstance(one, dict) and one["name"] == channel)


def _sensor(channel: dict[str, Json]) -> dict[str, Json]:
    sensor = channel["sensor"]
    assert isinstance(sensor, dict)
    return sensor


def _beside(bench: Path, name: str) -> Path:
    return Path(os.path.normpath(bench.parent / name))
