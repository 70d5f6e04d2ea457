"""What a command ends with, and how it is told: text for a person, one JSON object for a program."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from drivers.files.plain_values import Json
from rig.console.plain_letters import in_unicode

SCHEMA = 1
EXIT_CODES = {"done": 0, "stopped": 0, "tripped": 1, "verdict_failed": 1, "bad_input": 2, "failed": 3}


@dataclass(frozen=True)
class Result:
    """Outcome (a key of EXIT_CODES), exit code, the command's own JSON fields (SI), what a person reads, and warnings."""

    outcome: str = "done"
    exit_code: int = 0
    data: Mapping[str, object] = field(default_factory=dict)
    text: str = ""
    warnings: list[str] = field(default_factory=list)


@runtime_checkable
class Listed(Protocol):
    """A number or an array of numpy."""

    def tolist(self) -> object: ...


def envelope(command: str | None, version: str, result: Result) -> str:
    """The one line of JSON: the common fields, then the command's own. Unknown is null, never NaN or infinity."""
    common = {
        "schema": SCHEMA,
        "command": command,
        "rig_version": version,
        "exit_code": result.exit_code,
        "outcome": result.outcome,
        "warnings": list(result.warnings),
    }
    return json.dumps(plain({**result.data, **common}), allow_nan=False)


def plain(value: object) -> Json:
    """`value` in what JSON knows: tuples and arrays as lists, paths as text, numbers that are not finite as None."""
    if isinstance(value, Mapping):
        return {in_unicode(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return in_unicode(value)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Path):
        return in_unicode(str(value))
    if isinstance(value, Listed):  # numpy scalars and arrays, without importing numpy for it
        return plain(value.tolist())
    raise TypeError(f"{type(value).__name__} has no JSON form: {value!r}")
