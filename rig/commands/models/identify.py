"""`rig identify RUN [RUN...]`: numbers of the specimen from records of its tests, with intervals, and whether the model explains them."""

from __future__ import annotations

import argparse
from pathlib import Path

from rig.command_line.names import file_path
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import add_overrides
from rig.console.progress import told_on_stderr
from rig.errors import ConfigError
from rig.files import output_files
from rig.identification import identified_file, table
from rig.identification.identified import identified
from rig.identification.live.fitting import fitting
from rig.identification.parameters import parameters
from rig.identification.recorded_test import RecordedTest
from rig.identification.tapped import tapped
from rig.recorder.examination import run_folder
from rig.report.summary import plan_of

FILE = "identified.toml"
REACH = 0.1


def reach(text: str) -> float:
    """Raises ValueError for no share, which argparse tells."""
    if not 0.0 < (value := float(text)) <= 1.0:
        raise argparse.ArgumentTypeError(f"expected a share above 0, up to 1, got {text}")
    return value


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig identify`."""
    parser.add_argument("runs", metavar="RUN", nargs="+", help="folder of a run; of several, all of one specimen on one bench")
    parser.add_argument(
        "--validate", metavar="RUN", dest="validation", action="append", default=[],
        help="a run that is not fitted and that the fitted model must explain as well; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--experiment", metavar="FILE", type=Path,
        help="experiment file whose [identify] and [comparison] take the place of those in the records",
    )  # fmt: skip
    parser.add_argument(
        "--out", metavar="FILE", type=file_path, help=f"what an experiment can take by mechanism.from ({FILE} in the first run)"
    )
    parser.add_argument("--picture", metavar="FILE", type=file_path, help="draw what is fitted, what is left, and the profiles, as PNG")
    parser.add_argument(
        "--live", metavar="FILE", type=file_path,
        help="write what a running test needs to estimate these numbers from cycle to cycle ([estimate] of an experiment); of one RUN",
    )  # fmt: skip
    parser.add_argument(
        "--reach", metavar="SHARE", type=reach, default=REACH,
        help=f"of what is between the bounds of a number: how far it may go in a running test from what was found ({REACH:g})",
    )  # fmt: skip
    parser.add_argument(
        "--tap", metavar="CHANNEL",
        help="nothing but this: frequency and damping from how a measured channel rings down behind a tap, a step or a stop; of one RUN",
    )  # fmt: skip
    parser.add_argument("--from", metavar="S", type=float, dest="begin", help="with --tap: s of the record (behind the largest sample)")
    parser.add_argument("--to", metavar="S", type=float, dest="end", help="with --tap: s of the record (until nothing rings any more)")
    parser.add_argument("--modes", metavar="N", type=int, help="with --tap: how many ring at once (1)")
    add_overrides(
        parser, 'identify.KEY=VALUE or comparison.KEY=VALUE, as identify.free=[{key="clearance", minimum="0.1 mm", maximum="1 mm"}]'
    )


def execute(args: argparse.Namespace) -> Result:
    """Fit, write the file; exit 1 where the model is refused. Raises ConfigError."""
    if args.tap is not None:
        return _tapped(args)
    if given := [name for name, value in (("--from", args.begin), ("--to", args.end), ("--modes", args.modes)) if value is not None]:
        raise ConfigError(f"{given[0]}: it is of --tap CHANNEL, which is not given")
    folders, validation = ([run_folder(Path(name)) for name in names] for names in (args.runs, args.validation))
    out = output_files.file("--out", args.out or folders[0] / FILE)
    if both := [folder for folder in validation if folder in folders]:
        raise ConfigError(f"--validate {both[0]}: it is fitted; a test that shall check the fit must be another one")
    tests = [_test(folder, args) for folder in (*folders, *validation)]
    if args.live is not None and len(folders) > 1:
        raise ConfigError(f"--live: a running test is compared with one record, got {len(folders)}; give one RUN")
    first = tests[0].plan
    for one in tests[1:]:
        if one.plan.experiment.mechanism != first.experiment.mechanism:
            raise ConfigError(f"{one.run_dir}: its [mechanism] is another than that of {tests[0].run_dir}; expected tests of one specimen")
    free = parameters(first.experiment.identify.free, first.experiment.mechanism, first.bench.channels)
    notes = [note for one in tests for note in one.notes]
    with told_on_stderr("identify") as tell:
        found = identified(
            tests[: len(folders)], tests[len(folders) :], free, first.experiment.identify, lambda done: tell(f"{done} runs of the model")
        )
    with output_files.whole("--out", out) as path:
        path.write_text(identified_file.text(found, folders, validation), encoding="utf-8")
    if args.picture is not None:
        from rig.identification import picture  # matplotlib takes half a second

        runs = ", ".join(folder.resolve().name for folder in folders)
        with output_files.whole("--picture", output_files.file("--picture", args.picture)) as path:
            picture.draw(found, f"{first.experiment.title}: identified", f"from {runs}; curves are those of the first", path)
    if args.live is not None and found.reason:
        args.live = None
        notes.append("--live: not written, as the model is refused")
    if args.live is not None:
        with told_on_stderr("identify") as tell:
            fitted = fitting(tests[0], free, found, first.experiment.identify, args.reach, lambda done: tell(f"{done} runs for --live"))
        with output_files.whole("--live", output_files.file("--live", args.live)) as path:
            fitted.write(path)
    outcome = "verdict_failed" if found.reason else "done"
    data = {
        "runs": [folder.resolve().name for folder in folders], "validation_runs": [folder.resolve().name for folder in validation],
        "set": args.overrides, "experiment": None if args.experiment is None else str(args.experiment), **found.to_json(), "file": str(out),
        "picture": None if args.picture is None else str(args.picture), "live": None if args.live is None else str(args.live),
    }  # fmt: skip
    written = "\n".join(str(one) for one in (out, args.live) if one is not None)
    return Result(outcome, EXIT_CODES[outcome], data, f"{table.text(found)}\n\n{written}", notes)


def _tapped(args: argparse.Namespace) -> Result:
    if len(args.runs) > 1:
        raise ConfigError(f"--tap: one record is looked at, got {len(args.runs)}; give one RUN")
    others = {
        "--validate": args.validation, "--experiment": args.experiment, "--out": args.out, "--live": args.live, "--set": args.overrides,
    }  # fmt: skip
    if given := [name for name, value in others.items() if value]:
        raise ConfigError(f"{given[0]}: nothing is fitted to a model with --tap; leave it out")
    found = tapped(run_folder(Path(args.runs[0])), args.tap, args.begin, args.end, 1 if args.modes is None else args.modes)
    if args.picture is not None:
        from rig.identification import ring_down_picture  # matplotlib takes half a second

        with output_files.whole("--picture", output_files.file("--picture", args.picture)) as path:
            ring_down_picture.draw(found, path)
    data = {"runs": [found.run], "tap": found.to_json(), "picture": None if args.picture is None else str(args.picture)}
    return Result("done", EXIT_CODES["done"], data, found.text(), [])


def _test(folder: Path, args: argparse.Namespace) -> RecordedTest:
    plan = plan_of(folder, args.overrides, args.experiment, sections=("identify", "comparison"))
    return RecordedTest(folder, plan, plan.experiment.identify)
