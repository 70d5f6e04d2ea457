"""`rig tare BENCH|EXPERIMENT`: what stands on a channel now counts as zero from here on. Nothing is commanded."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from rig import config
from rig.command_line.result import Result
from rig.commands import add_bench_arguments
from rig.config import tares
from rig.config.bench import Bench, InputChannel
from rig.config.tares import TareRecord
from rig.errors import ConfigError
from rig.hardware.occupancy import occupied
from rig.hardware.shown_units import Shown, of_bench
from rig.hardware.taring import Reading, author, entry, keep, refused, unfit
from rig.supervision.bench_access import at_rest, opened, reachable

PLANT = "bench.plant"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig tare`."""
    add_bench_arguments(parser)
    parser.add_argument("--clear", action="store_true", help="forget the tare of the named channels, or of all; reads nothing")
    parser.add_argument("--by", metavar="NAME", help="who takes it (default: the user who is logged in)")


def execute(args: argparse.Namespace) -> Result:
    """Measure and keep, or clear. Raises ConfigError when the bench is in use or a reading is no zero; nothing is kept then."""
    bench, path = config.load_bench(args.file, args.overrides, args.bench)
    by, now = author(args.by), datetime.datetime.now().astimezone()
    before = tares.read(path)["channels"]
    with occupied(path, "tare") as warnings:
        if args.clear:
            return _cleared(path, args.channels or list(before), before, by, now, warnings)
        channels = chosen(bench, args.channels)
        if problems := [text for channel in channels if (text := unfit(channel))]:
            raise ConfigError(problems)
        readings = measure(bench, channels)
        units = of_bench(channels, path)
        pairs = list(zip(channels, readings, strict=True))
        if problems := [text for channel, reading in pairs if (text := refused(channel, reading, bench.tare, units[channel.name]))]:
            raise ConfigError([*problems, "no tare was taken"])
        given = [text for text in args.overrides if text.strip().startswith(f"{PLANT}.")]
        taken = {channel.name: entry(channel, reading, by, now) for channel, reading in pairs}
        for one in taken.values() if given else ():
            one["plant"] = given
        file = _write(path, taken, (), by, now)
    rows = [_row(channel, reading, before.get(channel.name)) for channel, reading in pairs]
    return Result(
        data={"bench": str(path), "file": str(file), "by": by, "channels": rows}, text=_text(rows, units, file),
        warnings=[*warnings, *([_once(given, file, path)] if given else [])],
    )  # fmt: skip


class Row(TypedDict):
    """One channel, SI."""

    channel: str
    unit: str
    tare: float
    before: float | None
    sd: float
    drift: float
    samples: int
    share_of_capacity: float


def _once(given: Sequence[str], file: Path, path: Path) -> str:
    """A plant that only this call had leaves a zero that outlives it."""
    said = ", ".join(given)
    kept = f"the tare is kept in {file} for every test on {path.name}; `rig tare {path} --clear` undoes it"
    return f"{said} holds for this call only, but {kept}"


def chosen(bench: Bench, names: Sequence[str]) -> list[InputChannel]:
    """The channels by their names; without names what the loader's force loop closes on. Raises ConfigError."""
    there = {channel.name: channel for channel in bench.channels}
    wanted = list(names) or [name for name in [bench.loader_channel("force")] if name]
    if not wanted:
        raise ConfigError(f"{bench.title}: which channel? Give --channel NAME; there are {', '.join(there)}")
    if missing := [name for name in wanted if name not in there]:
        raise ConfigError(f"{bench.title}: no channel {', '.join(missing)}; there are {', '.join(there)}")
    return [there[name] for name in dict.fromkeys(wanted)]


def measure(bench: Bench, channels: Sequence[InputChannel]) -> list[Reading]:
    """Each channel at rest, gross. Raises DriverError."""
    with reachable(bench) as there, opened(there) as daq:
        return at_rest(daq, channels, bench.tare.duration)


def _cleared(
    path: Path, names: Sequence[str], before: Mapping[str, TareRecord], by: str, now: datetime.datetime, warnings: list[str]
) -> Result:
    if missing := [name for name in names if name not in before]:
        raise ConfigError(f"{path}: no tare of {', '.join(missing)} to clear; tared are {', '.join(before) or 'none'}")
    file = _write(path, {}, names, by, now)
    text = f"cleared: {', '.join(names) or 'nothing was tared'}"
    return Result(data={"bench": str(path), "file": str(file), "by": by, "cleared": list(names)}, text=text, warnings=warnings)


def _write(path: Path, taken: Mapping[str, TareRecord], cleared: Sequence[str], by: str, now: datetime.datetime) -> Path:
    try:
        return keep(path, taken, cleared, by, now)
    except OSError as error:
        raise ConfigError(f"{tares.tare_path(path)}: cannot be written ({error.strerror}); no tare was taken") from error


def _row(channel: InputChannel, reading: Reading, before: TareRecord | None) -> Row:
    assert channel.sensor.capacity is not None
    return {
        "channel": channel.name, "unit": channel.unit, "tare": reading.mean, "before": before["tare"] if before else None,
        "sd": reading.sd, "drift": reading.drift, "samples": reading.samples, "share_of_capacity": reading.mean / channel.sensor.capacity,
    }  # fmt: skip


def _text(rows: Sequence[Row], units: Mapping[str, Shown], file: Path) -> str:
    from rig.report.table import aligned

    heads = ("channel", "unit", "tare", "before", "sd", "% of capacity")
    cells = []
    for row in rows:
        unit = units[row["channel"]]
        before = "-" if row["before"] is None else unit.number(row["before"])
        share = f"{100.0 * row['share_of_capacity']:.3f}"
        cells.append((row["channel"], unit.unit, unit.number(row["tare"]), before, unit.number(row["sd"], 3), share))
    return f"{aligned([heads, *cells], 2)}\n\nkept in {file}; `rig check` shows gross, tare and net"
