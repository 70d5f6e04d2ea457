"""The log of a virtual bench, one JSON object a line, as who made the test reads it afterwards: nobody does while a test is going on."""

from __future__ import annotations

import json
from pathlib import Path


def stood_still(log: Path, since: float) -> float | None:
    """For how long (s) device time stood still after `since` (time.time(), s); None where there is no such log."""
    if not log.exists():
        return None
    slipped = before = 0.0
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            told = json.loads(line)
        except json.JSONDecodeError:  # what a library writes there is no line of the log
            continue
        if isinstance(told, dict) and told.get("source") == "clock":
            slipped = float(told["slipped"])
            before = slipped if float(told["wall"]) < since else before
    return slipped - before
