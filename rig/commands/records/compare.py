"""`rig compare RUN`: measured against predicted of a run that is over, once more, from its record; or of the closed parts of one that
is not. `rig compare RECORD EXPERIMENT`: the experiment's model along the input of any record, beside what was measured there."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from rig import config
from rig.command_line.result import EXIT_CODES, Result, envelope
from rig.commands import add_comparison_of, add_overrides, version
from rig.config.setup import Setup
from rig.errors import ConfigError
from rig.exchange.along_recording import follow
from rig.files import output_files
from rig.recorder.examination import run_folder
from rig.recorder.folders import RECORD
from rig.recorder.reading import read_run
from rig.report.summary import PICTURE, SUMMARY, compare_run
from rig.supervision.unfinished import Readable, readable

PLAN = "plan.json"
AGAIN = "comparison-{}"  # folder in the run's own, from 2 on: what the test itself said is 1, and stays as it is

SO_FAR = ("done", "")
"""Of what is closed of a test that goes on or was broken off: it is judged as it stands, and how it will end is no part of that."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig compare`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or of a record that was imported")
    parser.add_argument(
        "along", metavar="EXPERIMENT", nargs="?", type=Path, help="run this experiment's model along the recorded input first"
    )
    parser.add_argument("--bench", metavar="FILE", type=Path, help="with EXPERIMENT: bench file instead of the one that it names")
    parser.add_argument("--alternative", metavar="LAW", help="contact law that the verdict must be able to tell from the one used")
    parser.add_argument("--out", metavar="DIR", help="folder for picture and summary (default: comparison-2, -3 ... in the run's)")
    add_comparison_of(parser)
    text = (
        'comparison.KEY=VALUE, as comparison.lowpass="500 Hz" or comparison.criteria.nrms.tolerance=0.01; with EXPERIMENT any of its keys'
    )
    add_overrides(parser, text)


def execute(args: argparse.Namespace) -> Result:
    """Compare, draw, judge; exit 1 when the verdict is `fail`. What the test itself left is not touched. Raises ConfigError."""
    if args.along is None and args.bench is not None:
        raise ConfigError("--bench: expected EXPERIMENT before it, whose model runs along the record")
    if args.along is not None and args.experiment is not None:
        raise ConfigError("--experiment: EXPERIMENT has a [comparison] already; expected one of both")
    with readable(Path(args.run)) as there:
        return _compared(args, there)


def _compared(args: argparse.Namespace, there: Readable) -> Result:
    given = Path(args.run)
    if args.along is None and not ((given if given.is_dir() else given.parent) / PLAN).exists() and (given / RECORD).exists():
        raise ConfigError(f"{given}: a record without a plan of its test; rig compare {given} EXPERIMENT runs a model along it")
    run_dir, source = (given if given.is_dir() else given.parent), run_folder(there.run)
    with _folder(run_dir, args.out) as folder:
        followed = [] if args.along is None else _along(args, source, folder)
        found = compare_run(
            source if args.along is None else folder, alternative=args.alternative, overrides=args.overrides if args.along is None else (),
            experiment_file=args.experiment, picture=folder / PICTURE, ended=SO_FAR if there.said or args.along else None,
        )  # fmt: skip
    outcome = "verdict_failed" if found["verdict"]["result"] == "fail" else "done"
    data = {
        key: found[key]
        for key in ("agreement", "not_compared", "error_sign", "contact_loss", "validation", "cycles", "endurance", "verdict")
    } | {
        "run": run_dir.resolve().name, "set": args.overrides, "alternative": args.alternative,
        "experiment": None if args.experiment is None else str(args.experiment),
        "files": {**found["files"], "summary": str(folder / SUMMARY)},
    }  # fmt: skip
    if args.along is not None:
        data |= {"experiment": str(args.along), "reason": "", "files": {**data["files"], "record": str(folder / RECORD)}}
    said = [*([f"so far only: {there.said}"] if there.said else []), *followed]
    text = "\n".join([found["text"], *said, *found["files"].values()])
    result = Result(outcome, EXIT_CODES[outcome], data, text, [*said, *found["warnings"]])
    answer = json.loads(envelope("compare", version(), result))
    (folder / SUMMARY).write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")
    return result


def _along(args: argparse.Namespace, source: Path, folder: Path) -> list[str]:
    """Make the folder a run of the experiment's model along the record; in words how the recording was understood. Raises ConfigError."""
    setup = config.load_experiment(args.along, args.overrides, args.bench)
    if not isinstance(setup, Setup):
        raise ConfigError(f"{args.along}: names no bench, whose channels the recording has; --bench FILE gives one")
    return [*setup.warnings, *follow(read_run(source), setup, folder).said]


@contextlib.contextmanager
def _folder(run_dir: Path, out: str | None) -> Iterator[Path]:
    """Where picture and summary go; a folder that was made for them is not left behind empty. Raises ConfigError."""
    if not run_dir.is_dir():
        raise ConfigError(f"{run_dir}: not the folder of a run")
    if out is not None and Path(out).resolve() == run_dir.resolve():
        raise ConfigError(f"--out {out}: that is the run's own folder, whose {PICTURE} and {SUMMARY} stay as the test left them")
    folder = Path(out) if out is not None else next(one for n in count(2) if not (one := run_dir / AGAIN.format(n)).exists())
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be made ({error.strerror}); give another place with --out") from error
    try:
        output_files.need_writable(f"{folder}" if out is None else f"--out {out}", folder)
        yield folder
    except BaseException:
        if made:
            with contextlib.suppress(OSError):
                for name in (RECORD, PLAN):
                    (folder / name).unlink(missing_ok=True)
                folder.rmdir()
        raise
