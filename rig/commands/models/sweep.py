"""`rig sweep CAMPAIGN.toml`: many models or tests that differ in a few keys, kept in one data set, and what their figures depend on."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from rig.command_line.names import file_path
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import add_overrides, version
from rig.console.progress import told_on_stderr
from rig.console.time_left import TimeLeft
from rig.errors import ConfigError, RigError
from rig.files import output_files
from rig.host import clock
from rig.sweep import lock, planning, table
from rig.sweep.cluster import LOCAL, connected
from rig.sweep.dataset import Result as Stored
from rig.sweep.dataset import lock_of
from rig.sweep.findings import findings
from rig.sweep.libraries import need_libraries
from rig.sweep.preparing import Prepared, prepare
from rig.sweep.scheduling import Tasks, need_version

FOLDER = "sweeps"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig sweep`."""
    parser.add_argument("campaign", metavar="CAMPAIGN", type=file_path, help="campaign file (.toml)")
    add_overrides(parser, "override a key of the experiment in every task")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="scheduler of Dask, as tcp://host:8786 (default: workers on this computer)")
    parser.add_argument("--workers", metavar="N", type=int, help="processes on this computer (default: one a core)")
    parser.add_argument("--plan", action="store_true", help="say tasks, hours and bytes, from a few tasks, and write nothing")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help=f"data set to write or to go on with: .zarr (default: {FOLDER}/CAMPAIGN.zarr)"
    )


def execute(args: argparse.Namespace) -> Result:
    """Compute what is left of a campaign; a task that fails is a row. Raises ConfigError before the first task."""
    need_libraries()
    if args.workers is not None and not (args.workers > 0 and args.scheduler is None):
        raise ConfigError("--workers: expected at least 1, and no --scheduler, whose workers are started with it")
    prepared = prepare(args.campaign, args.overrides)
    out = args.out or Path(FOLDER) / f"{args.campaign.stem}.zarr"
    if out.suffix != ".zarr":
        raise ConfigError(f"--out {out}: expected a name that ends in .zarr")
    if args.plan:
        with told_on_stderr("sweep") as tell:
            plan = planning.plan(prepared, tell)
        return Result(data=plan.to_json(), text=plan.text())
    output_files.folder("--out", out.parent)
    with lock.alone(lock_of(out)):
        return _run(prepared, out, args)


def _run(prepared: Prepared, out: Path, args: argparse.Namespace) -> Result:
    begun, outcome, workers = clock.now(), "done", 0
    stored = Stored(out, prepared.campaign, prepared.points, prepared.columns, prepared.stated)
    try:
        if len(stored.to_do):
            workers = _compute(prepared, stored, args)
    except KeyboardInterrupt:
        outcome = "stopped"
    except RigError:
        with contextlib.suppress(RigError):  # what went wrong first is told; the journal has every task that has ended
            stored.write()
        raise
    stored.close()
    data, text, warnings = table.told(prepared, stored)
    if not len(stored.to_do):
        found = findings(prepared, stored)
        data, text = {**data, "sensitivity": found.sensitivity, "files": found.files}, "\n".join([text, *found.lines])
        warnings = [*warnings, *found.warnings]
    if outcome == "stopped":
        text += f"\nstopped with {len(stored.to_do)} tasks to do; the same command goes on with them"
    last = {"wall_s": clock.now() - begun, "workers": workers, "scheduler": args.scheduler or LOCAL}
    return Result(outcome, EXIT_CODES[outcome], {**data, **last}, text, warnings)


def _compute(prepared: Prepared, stored: Stored, args: argparse.Namespace) -> int:
    """Number of workers that did it."""
    total = len(stored.state)
    with told_on_stderr("sweep") as tell, connected(args.scheduler, args.workers) as cluster:
        need_version(cluster, version())
        tasks = Tasks(prepared.work, prepared.points, stored, cluster)
        left: TimeLeft | None = None
        first = 0
        tell(f"{total - len(stored.to_do)} of {total} tasks; workers get compiled code, the first time that takes minutes")

        def told(done: int) -> None:
            nonlocal left, first
            if left is None:  # what came before the first task is not repeated
                left, first = TimeLeft(total - done), done
            tell(f"{done} of {total} tasks{left.words(done - first)}")

        tasks.compute(told)
        return tasks.workers
