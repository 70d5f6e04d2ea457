"""The history of a sensor's calibrations: a file beside the one that holds its record, to which each accepted one is added."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from drivers.files.plain_values import Json
from rig.files import json_files


def history_path(record: Path) -> Path:
    """`lc-1.calibrations.json` beside `lc-1.toml`."""
    return record.with_suffix(".calibrations.json")


def read(record: Path) -> list[dict[str, Json]]:
    """What has been calibrated, oldest first. Raises ConfigError for a damaged file."""
    path = history_path(record)
    if not os.path.lexists(path):
        return []
    remedy = "put it aside under another name, a new one is begun then"
    return _entries(json_files.read_history(path, "history of calibrations", _wrong, remedy)) or []


def _wrong(found: Json) -> str:
    return "" if _entries(found) is not None else "expected a list of tables under calibrations"


def _entries(found: Json) -> list[dict[str, Json]] | None:
    entries = found.get("calibrations") if isinstance(found, dict) else None
    tables = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    return tables if isinstance(entries, list) and len(tables) == len(entries) else None


def append(record: Path, entry: Mapping[str, Json]) -> dict[Path, str]:
    """The history file and its text with one more. Raises ConfigError when it is damaged."""
    return {history_path(record): json.dumps({"calibrations": [*read(record), entry]}, indent=1, allow_nan=False) + "\n"}
