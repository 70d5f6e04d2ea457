"""The history of a sensor's calibrations: a file beside the one that holds its record, to which each accepted one is added."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rig.errors import ConfigError


def history_path(record: Path) -> Path:
    """`lc-1.calibrations.json` beside `lc-1.toml`."""
    return record.with_suffix(".calibrations.json")


def read(record: Path) -> list[dict[str, Any]]:
    """What has been calibrated, oldest first. Raises ConfigError for a damaged file."""
    path = history_path(record)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["calibrations"]
        if isinstance(found, list):
            return found
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError):
        pass
    raise ConfigError(f"{path}: damaged; put it aside under another name, a new one is begun then")


def added(record: Path, entry: Mapping[str, Any]) -> dict[Path, str]:
    """The history file and its text with one more. Raises ConfigError when it is damaged."""
    return {history_path(record): json.dumps({"calibrations": [*read(record), entry]}, indent=1, allow_nan=False) + "\n"}
