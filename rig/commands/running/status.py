"""`rig status RUN`: where a test is: state, cycle, newest values with their limits, disk, events."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from drivers.files.plain_values import Json, table
from rig.command_line.operating import line, status_of
from rig.command_line.result import Result
from rig.console.plain_letters import in_visible_letters
from rig.errors import ConfigError
from rig.recorder.run_files import SUMMARY
from rig.supervision.operation_client import NotRunning

EVERY = 1.0  # s between two looks of --follow
NEWEST = 5  # events in the text


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig status`."""
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of the run")
    parser.add_argument("--follow", action="store_true", help="a line a second until it has ended")


def execute(args: argparse.Namespace) -> Result:
    """Look once, or until it has ended."""
    status = _status(args.run)
    while args.follow and status["state"] not in ("stopped", "tripped"):
        print(in_visible_letters(line(status)), file=sys.stderr if args.json else sys.stdout, flush=True)
        time.sleep(EVERY)
        status = _status(args.run)
    return Result(data=status, text=_text(status))


def _status(run: Path) -> dict[str, Json]:
    try:
        return status_of(run)
    except NotRunning as error:
        return _ended(run if run.is_dir() else run.parent, error)


def _ended(folder: Path, why: NotRunning) -> dict[str, Json]:
    """Of a test that has ended. Raises NotRunning for a folder without its summary."""
    try:
        summary = table(json.loads((folder / SUMMARY).read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise why from None
    except (OSError, ValueError, TypeError) as error:
        raise ConfigError(f"{folder / SUMMARY} cannot be read: {error}") from error
    duration = summary.get("duration_s")
    return {
        "run": summary.get("run"), "state": "tripped" if summary.get("outcome") == "tripped" else "stopped",
        "sample": None, "time_s": duration, "cycle": None, "cycles_total": None, "block": None, "phase": None, "held_s": 0.0,
        "operator": None, "channels": {}, "lag_s": None, "disk": {"free_bytes": None, "needed_bytes": 0},
        "events": summary.get("events"), "ended": summary.get("outcome"), "verdict": summary.get("verdict"),
    }  # fmt: skip


def _text(status: dict[str, Json]) -> str:
    lines = [line(status)]
    for name, channel in table(status["channels"]).items():
        lines.append(_channel(name, table(channel)))
    events = status.get("events")
    for event in (events if isinstance(events, list) else [])[-NEWEST:]:
        said = table(event)
        at = said.get("time_s")
        lines.append(f"  {at:10.3f} s  {said['text']}" if isinstance(at, (int, float)) else f"  {'':10}    {said['text']}")
    return "\n".join(lines)


def _channel(name: str, channel: Mapping[str, Json]) -> str:
    value, low, high = channel["value"], channel["low"], channel["high"]
    shown = f"{value:.6g}" if isinstance(value, (int, float)) else "–"
    ends = ["–" if end is None else f"{end:g}" for end in (low, high)]
    bounds = "" if low is None and high is None else f"   limits {ends[0]} .. {ends[1]}"
    return f"  {name:34} {shown:>12} {channel['unit']}{bounds}"
