"""`rig calibrate BENCH --channel NAME`: a channel against a reference, point by point; its record is written only when it is accepted."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rig import config
from rig.command_line.names import file_path
from rig.command_line.result import Result
from rig.commands import add_bench_arguments
from rig.commands.bench.calibration.points import Ask, Source, listed, prompt, read_file, say, shown, take, typed
from rig.commands.bench.calibration.record import data_of, doubts, entry, in_units, record, text_of
from rig.commands.bench.tare import chosen
from rig.config import calibrations, counter, sensor_record, tares
from rig.config.bench import Bench, InputChannel
from rig.errors import ConfigError
from rig.files import output_files
from rig.hardware.occupancy import occupied
from rig.hardware.shown_units import Shown, of_bench
from rig.hardware.taring import author
from rig.sensors.calibration import Line, Point, Reference, fit
from rig.sensors.uncertainty import share_of_reading
from rig.supervision.bench_access import at_rest, opened, reachable

WORD = "accept"
PICTURES = (".png", ".pdf", ".svg")


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig calibrate`."""
    add_bench_arguments(parser, several=False)
    parser.add_argument("--points", metavar="FILE.csv", type=file_path, help="references to set, in order; header reference[UNIT]")
    parser.add_argument("--reference", metavar="CHANNEL", help="another channel of the bench gives the reference")
    parser.add_argument(
        "--reference-uncertainty", metavar="U", help='expanded (k=2): "0.1 %%" of the reading, or "20 N"; default: record of --reference'
    )
    parser.add_argument("--duration", metavar="S", type=_seconds, help="s that each point is averaged over (default: tare.duration)")
    parser.add_argument("--by", metavar="NAME", help="who calibrates (default: the user who is logged in)")
    parser.add_argument("--certificate", metavar="TEXT", default="", help="of the reference or of this calibration, for the record")
    parser.add_argument("--expires", metavar="DATE", help="ISO; default: in a year")
    parser.add_argument("--plot", metavar="FILE.png", type=file_path, help="picture (default: CHANNEL-calibration.png here)")
    parser.add_argument("--accept", action="store_true", help="write the new record without being asked")


def execute(args: argparse.Namespace) -> Result:
    """Take the points, fit, show old and new, ask. Raises ConfigError; no file but the picture is touched then. DriverError."""
    bench, path = config.load_bench(args.file, args.overrides, args.bench)
    channel, other, reference, expires = _parse(bench, path, args)
    target = output_files.checked("--plot", args.plot or Path(f"{channel.name}-calibration.png"), PICTURES)
    where = sensor_record.place(path, channel.name)
    calibrations.read(where.main)  # a damaged history is told before anybody sets a point
    unit = of_bench([channel], path)[channel.name]
    with occupied(path, "calibration") as warnings:
        points = _points(bench, channel, other, args, unit)
        try:
            line = fit(points, reference)
        except ValueError as error:
            raise ConfigError(f"{channel.name}: {error}; nothing was written") from error
        by, today = author(args.by), datetime.datetime.now().astimezone()
        new = record(line, by, args.certificate, today.date(), expires)
        picture = _draw(target, path, channel, points, line)
        say(text_of(channel, points, line, new, unit))
        accepted = args.accept or prompt(f"\nwrite this to {where.main}? Type '{WORD}': ") == WORD
        data = data_of(path, channel, reference, points, line, new) | {"accepted": accepted, "by": by}
        files = {"plot": picture}
        if accepted:
            made = sensor_record.texts(where, in_units(new, channel.unit))
            sensor_record.write({**calibrations.append(where.main, entry(data, channel, today)), **made})
            files |= {"record": where.main, "history": calibrations.history_path(where.main)}
    ended = f"written to {where.main}; tare and shunt belong to the old record: run them again" if accepted else "nothing was written"
    return Result(data={**data, "files": files}, text=f"{ended}\n{picture}", warnings=[*warnings, *doubts(channel, line, unit)])


def _parse(bench: Bench, path: Path, args: argparse.Namespace) -> tuple[InputChannel, InputChannel | None, Reference, datetime.date | None]:
    """(channel, reference channel, uncertainty of the reference, expiry). Raises ConfigError for what does not fit together."""
    if foreign := [text for text in args.overrides if text.strip().startswith("bench.channels")]:
        raise ConfigError(f"--set {foreign[0]}: a calibration is of the record as it stands in its file; leave it out")
    if len(args.channels) != 1:
        raise ConfigError(f"which channel? Give one --channel NAME; there are {', '.join(one.name for one in bench.channels)}")
    (channel,) = chosen(bench, args.channels)
    other = chosen(bench, [args.reference])[0] if args.reference else None
    if channel.kind in counter.KINDS or channel.teds:
        why = "its sensitivity comes from the sensor (teds = true)" if channel.teds else "a counter counts"
        raise ConfigError(f"{channel.name}: {why}; there is nothing to calibrate")
    if channel.sensor.coupling is not None:
        raise ConfigError(f"{channel.name}: AC coupled, it shows 0 at rest; take its sensitivity from the certificate or from its TEDS")
    if other is not None and (other.name == channel.name or other.unit != channel.unit):
        raise ConfigError(f"--reference {other.name}: expected another channel in {channel.unit}, got one in {other.unit}")
    if other is not None and args.points:
        raise ConfigError("--points and --reference: each gives the reference; leave one out")
    if args.duration is not None and not 0.1 <= args.duration <= 60.0:
        raise ConfigError(f"--duration {args.duration:g}: expected 0.1 to 60 s")
    if other is not None:  # what was tared there is no part of the reference
        (other,) = tares.apply(replace(bench, channels=(other,)), path)[0].channels
    return channel, other, _reference(channel, other, args.reference_uncertainty), _date(args.expires)


def _reference(channel: InputChannel, other: InputChannel | None, given: str | None) -> Reference:
    from rig.config.units.quantities import QuantityError, to_si

    what = other.name if other is not None else "typed"
    if given is not None:
        bare = given.replace(".", "", 1).strip().isdigit()  # 20: N, or twenty times the reading?
        for unit in () if bare else ("1", channel.unit):
            try:
                value = to_si(given, unit)
            except QuantityError:
                continue
            if value >= 0.0:
                return Reference(*((value, 0.0) if unit == "1" else (0.0, value)), what)
        wanted = f'expected a share such as "0.1 %" or a value in {channel.unit}, not negative'
        raise ConfigError(f"--reference-uncertainty: {wanted}; got {given!r}")
    if other is None:
        raise ConfigError('--reference-uncertainty: missing; expected U (k=2) from the certificate of the reference, as "0.1 %" or "20 N"')
    share = share_of_reading(other.sensor)
    if share is None:
        raise ConfigError(f"{other.name}: its record tells no uncertainty; enter it there, or give --reference-uncertainty")
    return Reference(share, other.sensor.zero_uncertainty or 0.0, what)


def _seconds(text: str) -> float:
    from rig.config.units.quantities import QuantityError, to_si

    try:
        return float(text)
    except ValueError:
        try:
            return float(to_si(text, "s"))
        except QuantityError as error:
            raise argparse.ArgumentTypeError(str(error)) from None


def _date(text: str | None) -> datetime.date | None:
    try:
        return None if text is None else datetime.date.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--expires {text}: expected a date such as 2027-05-31") from None


def _points(bench: Bench, channel: InputChannel, other: InputChannel | None, args: argparse.Namespace, unit: Shown) -> list[Point]:
    ask: Ask
    if other is not None:
        ask = shown(other.name)
    else:
        ask = listed(read_file(args.points, channel.unit), unit) if args.points else typed(channel.unit)
    channels = [channel] if other is None else [channel, other]
    duration = args.duration or bench.tare.duration
    with reachable(bench) as there, opened(there) as daq:
        return take(Source(channel, other, bench.tare, unit, lambda: at_rest(daq, channels, duration)), ask)


def _draw(target: Path, path: Path, channel: InputChannel, points: Sequence[Point], line: Line) -> Path:
    from rig.report.calibration import calibration  # matplotlib takes a second

    sensor = f" ({channel.sensor.model} {channel.sensor.serial})".replace("( )", "").replace(" )", ")")
    with output_files.whole("--plot", target) as new:
        calibration(new, f"{channel.name}{sensor} on {path.name}", channel.unit, points, line)
    return target
