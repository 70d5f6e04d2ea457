"""Sensors with a file of their own: `sensor = "../sensors/lc-1.toml"`, so that a new certificate is entered once for every bench.

`[channels.sensor] file = "../sensors/lc-1.toml"` with further keys takes these before the file's: a conditioner's bandwidth, say.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.tree import Path_, read
from rig.errors import ConfigError


@dataclass
class SensorFiles:
    """Which files were read for which sensors of a bench, and which keys the bench gives itself."""

    files: dict[Path_, Path] = field(default_factory=dict)
    own: dict[Path_, frozenset[str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    """Name as the bench gives it -> text."""

    def owner(self, path: Path_) -> tuple[Path, Path_] | None:
        """(file, path within it) where what stands at `path` of the bench, or is missing there, is a sensor file's business."""
        at = path[:3]
        if at not in self.files or (len(path) > 3 and path[3] in self.own[at]):
            return None
        return self.files[at], path[3:]

    def remarks(self) -> list[str]:
        """The texts as lines, to stand as comments below the bench's own in a record."""
        return [line for name, text in self.texts.items() for line in (f"{name}:", *(f"  {part}" for part in text.rstrip().splitlines()))]


def put_in(tree: Mapping[str, Json], bench: Path) -> SensorFiles:
    """Replace every sensor that names a file by what stands there; `tree` is changed. Raises ConfigError for a file that is not there."""
    found = SensorFiles()
    channels = tree.get("channels")
    for i, channel in enumerate(channels if isinstance(channels, list) else []):
        sensor = channel.get("sensor") if isinstance(channel, dict) else None
        own = dict(sensor) if isinstance(sensor, Mapping) else {}
        name = own.pop("file", None) if own else sensor
        if not isinstance(name, str):
            continue
        path = Path(os.path.normpath(bench.parent / name))
        try:
            record, text = read(path, "sensor")
        except ConfigError as error:
            raise ConfigError([f"{text} (named by channels[{i}].sensor of {bench})" for text in error.problems]) from None
        at = ("channels", i, "sensor")
        channel["sensor"] = {**record, **own}
        found.files[at], found.own[at], found.texts[name] = path, frozenset(own), text
    return found
