"""`rig status RUN`: where a test is: state, cycle, newest values with their limits, disk, events; of one that has ended, how and where."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from drivers.files.plain_values import Json, table
from rig.command_line import limit_lines
from rig.command_line.operating import line
from rig.command_line.result import EXIT_CODES, Result
from rig.console.plain_letters import in_visible_letters
from rig.supervision.run_status import look

EVERY = 1.0  # s between two looks of --follow
NEWEST = 5  # events in the text


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig status`."""
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of the run")
    parser.add_argument("--follow", action="store_true", help="a line a second until it has ended; then as it ended: exit 0, 1 or 3")


def execute(args: argparse.Namespace) -> Result:
    """Look once, or until it has ended, which the exit code then tells. Raises ConfigError, RigError."""
    try:
        return _looked(args)
    except KeyboardInterrupt:
        if not args.follow:
            raise
        return Result(text="no longer followed; the test goes on")


def _looked(args: argparse.Namespace) -> Result:
    status = look(args.run)
    while args.follow and not status.get("ended"):
        print(in_visible_letters(line(status)), file=sys.stderr if args.json else sys.stdout, flush=True)
        time.sleep(EVERY)
        status = look(args.run)
    if not args.follow:
        return Result(data=status, text=_text(status))
    ended = str(status["ended"])
    outcome = ended if ended in EXIT_CODES else "failed"
    return Result(outcome, EXIT_CODES[outcome], {**status, "outcome_of": "test"}, _text(status))


def _text(status: dict[str, Json]) -> str:
    verdict = status.get("test_verdict")
    lines = [line(status), *([f"  verdict: {str(verdict).replace('_', ' ')}"] if verdict else [])]
    for name, channel in table(status["channels"]).items():
        lines.append(_channel(name, table(channel)))
    lines += limit_lines.lines(status)
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
