"""What commands share that ask something of a test which runs in another process."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from drivers.files.plain_values import Json, table
from rig.command_line.result import EXIT_CODES, Result
from rig.errors import ConfigError
from rig.host import clock
from rig.host.user import user_name
from rig.supervision.operation_client import NotRunning, ask
from rig.supervision.run_status import RUNNING, UNDECIDED, in_order

LOOK_EVERY = 0.1  # s
HELD = ("holding", "hold")
AGAIN = 30.0  # s in which a test that is held begins to go on


def add_arguments(parser: argparse.ArgumentParser, waits: bool = True) -> None:
    """RUN, who asks and why, and whether to wait until it is done."""
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of the run")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why; stands in the record")
    parser.add_argument("--operator", metavar="NAME", default=user_name(), help="who; stands in the record (default: the login's name)")
    if waits:
        parser.add_argument("--no-wait", action="store_true", help="return as soon as the test has taken it")


def add_new_baseline(parser: argparse.ArgumentParser, when: str) -> None:
    """Limits that are to learn anew."""
    help_text = f"limits that learn, by channel or as limits.0, learn anew {when}: all without a name; needs --reason"
    parser.add_argument("--new-baseline", metavar="LIMIT", nargs="*", help=help_text)


def operate(args: argparse.Namespace, verb: str, until: Sequence[str], **data: Json) -> Result:
    """Ask for it, and wait until the test is in one of the states `until`, or has ended."""
    answer = ask(args.run, verb, operator=args.operator, reason=args.reason, new_baseline=getattr(args, "new_baseline", None), **data)
    status = status_of(args.run)
    came_from, begun = status["state"], clock.now()
    while until and not getattr(args, "no_wait", False) and status["state"] not in (*until, "stopped", "stopping", "tripped"):
        time.sleep(LOOK_EVERY)
        try:
            status = status_of(args.run)
        except NotRunning:
            break
        if "hold" not in until and status["state"] in HELD and (came_from not in HELD or clock.now() - begun > AGAIN):
            break  # held again on its way
        came_from = status["state"]
    missed = bool(until) and not getattr(args, "no_wait", False) and status["state"] not in until
    again = missed and status["state"] in HELD
    outcome = ("tripped" if again or status["state"] == "tripped" else "stopped") if missed else "done"
    told = {**status, "outcome_of": "test" if missed else "command"}
    changed = f", {answer['words']}" if "words" in answer else ""
    why = "; it was held again on its way: `rig status` says why" if again else ""
    anew = answer.get("learns_anew")
    learns = f"; {', '.join(map(str, anew))} learn{'s' if len(anew) == 1 else ''} anew" if isinstance(anew, list) and anew else ""
    warnings = [str(answer["warning"])] if answer.get("warning") else []
    return Result(outcome, EXIT_CODES[outcome], told, line(status) + changed + learns + why, warnings)


def status_of(run: Path) -> dict[str, Json]:
    """Where a running test is. Raises NotRunning, ConfigError, RigError."""
    return in_order({**UNDECIDED, **RUNNING, **table(ask(run, "status")["status"])})


def line(status: dict[str, Json]) -> str:
    """In one line: state, cycle, time."""
    cycle, total, at = status.get("cycle"), status.get("cycles_total"), status.get("time_s")
    parts = [f"{status['run']}: {status['state']}"]
    if cycle is not None:
        parts.append(f"cycle {cycle}" + (f" of {total}" if total else ""))
    if isinstance(at, (int, float)):
        ours, session = status.get("session_time_s"), status.get("session")
        later = isinstance(ours, (int, float)) and isinstance(session, int) and session > 1
        parts.append(f"{at:.3f} s" + (f" ({ours:.3f} s in session {session})" if later else ""))
    held = status.get("held_s")
    if isinstance(held, (int, float)) and held > 0.0:
        parts.append(f"held for {held:.1f} s")
    if ended := status.get("ended"):
        reason = status.get("reason")
        parts.append(f"{str(ended).replace('_', ' ')}{f': {reason}' if reason else ''}")
    return ", ".join(parts)


def need_pair(text: str) -> tuple[str, str]:
    """(key, value) of KEY=VALUE. Raises ConfigError."""
    key, equals, value = text.partition("=")
    if not (key.strip() and equals and value.strip()):
        raise ConfigError(f'{text}: expected KEY=VALUE, as trajectory.amplitude="0.9 mm"')
    return key.strip(), value.strip().strip("\"'")
