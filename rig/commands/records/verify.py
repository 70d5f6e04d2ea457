"""`rig verify RUN`: whether the files of a run are as the test left them, and whether its verdict follows from its record."""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import asdict
from pathlib import Path

from rig.command_line.result import EXIT_CODES, Result, plain
from rig.commands.running.alone import need_nobody
from rig.console.counted import counted
from rig.errors import ConfigError
from rig.files import json_files
from rig.recorder.chain import read
from rig.recorder.examination import run_folder
from rig.recorder.verification import Verified, verified
from rig.report.summary import PICTURE, SUMMARY, compared_run

JUDGED = ("agreement", "contact_loss", "verdict")  # fields of summary.json that come from the record
SAID_SINCE = ("cycles",)  # that an older program did not say
SHOWN = 20  # files that are listed in the text; --json has all


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig verify`."""
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a run that is over")


def execute(args: argparse.Namespace) -> Result:
    """Look at every file of the run's chain of evidence, and judge anew; exit 1 when anything is not as it was. Raises ConfigError."""
    folder = args.run.parent if args.run.is_file() else args.run
    if not folder.is_dir():
        raise ConfigError(f"{args.run}: no such run folder")
    need_nobody(folder)
    found = verified(folder)
    bad = next((one for one in found if not one.ok), None)
    equal, why = (None, "files are not as they were") if bad else _judged_again(folder)
    ok = bad is None and equal is not False
    data = {
        "run": folder.resolve().name, "parts": [_row(one) for one in found], "ok": ok,
        "first_bad": bad and {"file": bad.file, "offset": bad.bad_at}, "verdict_recomputed_equal": equal,
        "verdict_not_recomputed": why or None, "chain_sha256": read(folder).digest,
        "removed": [asdict(one) for one in read(folder).removed],
    }  # fmt: skip
    outcome = "done" if ok else "verdict_failed"
    return Result(outcome, EXIT_CODES[outcome], data, _text(folder, found, equal, why, str(data["chain_sha256"])))


def _row(one: Verified) -> dict[str, object]:
    return {key: value for key, value in asdict(one).items() if key != "why"} | {"why": one.why or None}


def _judged_again(folder: Path) -> tuple[bool | None, str]:
    """Whether the record gives what summary.json says, number by number; None, and why, where there is nothing to be judged."""
    said = json_files.read(folder / SUMMARY, "summary") if (folder / SUMMARY).exists() else None
    if not isinstance(said, dict):
        return None, f"there is no {SUMMARY}"
    if not said.get("agreement"):
        return None, "the test itself compared nothing"
    with tempfile.TemporaryDirectory() as aside:
        again = dict(compared_run(run_folder(folder), picture=Path(aside) / PICTURE)[0])
    told = [key for key in SAID_SINCE if key in said]
    return all(_as_told(plain(again[key]), said.get(key), key) == said.get(key) for key in (*JUDGED, *told)), ""


def _as_told(now: object, said: object, key: str) -> object:
    """Without what an older program did not say of it."""
    if key in SAID_SINCE and isinstance(now, dict) and isinstance(said, dict):
        return {name: value for name, value in now.items() if name in said}
    return now


def _text(folder: Path, found: list[Verified], equal: bool | None, why: str, digest: str) -> str:
    bad = [one for one in found if not one.ok]
    lines = [f"{folder}: {counted(len(found), 'file')}, {len(bad) or 'none'} not as {'it was' if len(bad) == 1 else 'they were'}"]
    lines += [f"  {one.file}, within 1 MiB from byte {one.bad_at} on: {one.why}" for one in bad[:SHOWN]]
    if len(bad) > SHOWN:
        lines.append(f"  ... and {counted(len(bad) - SHOWN, 'more file')}, see --json")
    lines += [
        f"  removed by rig resume: {one.file}, {one.bytes} bytes, SHA-256 {one.sha256}; {one.by} holds all that it held"
        for one in read(folder).removed[:SHOWN]
    ]
    judged = {
        True: "comes out of the record again, bit for bit",
        False: "does NOT come out of the record",
        None: f"was not judged again: {why}",
    }
    return "\n".join([*lines, f"the verdict {judged[equal]}", f"last line of the chain: {digest}"])
