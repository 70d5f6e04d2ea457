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
from rig.hardware.shown_units import Shown, of_unit
from rig.supervision.run_status import look

EVERY = 1.0  # s between two looks of --follow
NEWEST = 5  # events in the text
PHASE = "command.phase"  # rad: it counts all turns of a test


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
    lines = [line(status), *([f"  verdict: {str(verdict).replace('_', ' ')}"] if verdict else []), *_from_where(status)]
    for name, channel in table(status["channels"]).items():
        lines.append(_channel(name, table(channel)))
    lines += limit_lines.lines(status)
    events = status.get("events")
    for event in (events if isinstance(events, list) else [])[-NEWEST:]:
        said = table(event)
        at = said.get("time_s")
        lines.append(f"  {at:10.3f} s  {said['text']}" if isinstance(at, (int, float)) else f"  {'':10}    {said['text']}")
    return "\n".join(lines)


def _from_where(status: Mapping[str, Json]) -> list[str]:
    """Of a test that left no closed record: which file tells the place, and of which moment the values are."""
    at, place, values = status.get("values_time_s"), status.get("place_from"), status.get("values_from")
    if place in (None, values):
        return []
    said = (
        f"the values below are of {values}, which ends at {at:.3f} s" if isinstance(at, (int, float)) else "no values: no file was closed"
    )
    return [f"  cycle and time: {place}, half a second old at most when the test was broken off; {said}"]


def _channel(name: str, channel: Mapping[str, Json]) -> str:
    known = [number for key in ("value", "low", "high") if isinstance(number := channel[key], (int, float))]
    unit = Shown(str(channel["unit"])) if name == PHASE else of_unit(str(channel["unit"]), max(map(abs, known), default=None))
    value, *ends = (unit.number(one) if isinstance(one := channel[key], (int, float)) else "–" for key in ("value", "low", "high"))
    bounds = "" if channel["low"] is None and channel["high"] is None else f"   limits {ends[0]} .. {ends[1]}"
    return f"  {name:34} {value:>12} {unit.unit}{bounds}"
