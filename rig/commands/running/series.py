"""`rig series FILE`: the tests of a file of series, one after the other, and a table of what was measured and predicted."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rig import config
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import add_overrides
from rig.commands.running import run
from rig.config.series import Series, SeriesFile, load, planned
from rig.errors import ConfigError
from rig.report.series import SeriesResult, series_result, table, test_result

GOES_ON = ("done", "verdict_failed")  # how a test may end for the next one to begin


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig series`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="file of series (.toml)")
    parser.add_argument(
        "--series", metavar="NAME", dest="names", action="append", default=[], help="which; may be given again; default all"
    )
    parser.add_argument("--bench", metavar="FILE", help="bench file instead of the one that the experiments name")
    add_overrides(parser, "override a key in every test")
    parser.add_argument("--headless", action="store_true", help="as these tests are in any case: nobody sits beside a series")
    parser.add_argument("--out", metavar="DIR", default="runs", help="folder that gets the runs' own folders (default: runs)")


def execute(args: argparse.Namespace) -> Result:
    """Run them; one that trips, fails or is stopped is the last. Raises ConfigError before the first for what any cannot be run with."""
    made = load(args.file)
    chosen = _chosen(made, args)
    _check(made, chosen, args)
    results: list[SeriesResult] = []
    ends: list[Result] = []
    for series in chosen:
        found = []
        for point, experiment, settings in planned(made, series, args.file.parent, args.overrides):
            if ends and ends[-1].outcome not in GOES_ON:
                break
            print(f"series: {series.name}, {point.label} ...", file=sys.stderr, flush=True)
            ends.append(run.execute(_arguments(args, experiment, settings)))
            found.append(test_result(made, point.label, ends[-1].outcome, ends[-1].data))
        results.append(series_result(made, series, found))
    ended = _ended(ends)
    data = {"title": made.title, "channel": made.channel, "metrics": made.metrics, "series": results}
    warnings = [f"{end.data.get('run')}: {text}" for end in ends for text in end.warnings]
    return Result(ended.outcome, ended.exit_code, data, table(made, results), warnings)


def _ended(ends: list[Result]) -> Result:
    """What the whole ended with: as its last test where that broke it off, else a verdict that failed."""
    if ends and ends[-1].outcome not in GOES_ON:
        return ends[-1]
    return next((end for end in ends if end.outcome != "done"), Result("done", EXIT_CODES["done"]))


def _chosen(made: SeriesFile, args: argparse.Namespace) -> list[Series]:
    known = [series.name for series in made.series]
    if unknown := [name for name in args.names if name not in known]:
        raise ConfigError(f"--series: expected {', '.join(known)} ({args.file}); got {', '.join(unknown)}")
    return [series for series in made.series if series.name in args.names or not args.names]


def _check(made: SeriesFile, chosen: list[Series], args: argparse.Namespace) -> None:
    """Every test, before the first one begins. Raises ConfigError."""
    problems: list[str] = []
    for series in chosen:
        for point, experiment, settings in planned(made, series, args.file.parent, args.overrides):
            try:
                setup = config.load(experiment, settings, args.bench)
            except ConfigError as error:
                problems += [f"{args.file}: {series.name}, {point.label}: {text}" for text in error.problems]
                continue
            if setup.bench.plant is None:
                problems.append(
                    f"{args.file}: {setup.bench_path} is no virtual bench; where a specimen is changed by hand, `rig run` each test"
                )
            if made.channel not in [channel.name for channel in setup.bench.channels]:
                problems.append(f"{args.file}: channel: {setup.bench_path} has no channel {made.channel!r}")
    if problems:
        raise ConfigError(list(dict.fromkeys(problems)))


def _arguments(args: argparse.Namespace, experiment: Path, settings: list[str]) -> argparse.Namespace:
    """Those of `rig run`, made by its own parser: an option that it gets one day is there as well."""
    parser = argparse.ArgumentParser()
    run.configure(parser)
    bench = [] if args.bench is None else ["--bench", str(args.bench)]
    sets = [word for setting in settings for word in ("--set", setting)]
    return parser.parse_args([str(experiment), "--headless", "--out", str(args.out), *bench, *sets])
