"""`rig check EXPERIMENT`: both files valid, every instrument opened, every channel read once. It writes no output.

With --plot the trajectory is drawn first: the picture is there also when the instruments are not.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from rig import config
from rig.checks.stated_noise import LOOKED
from rig.command_line.names import file_name
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import add_setup_arguments
from rig.commands.bench import notifying
from rig.commands.bench.data_sheets import SheetRow, in_lines, others, sheet_row
from rig.config import Setup
from rig.config.bench import Bench, InputChannel
from rig.config.checks import control, elastic_shafts
from rig.config.checks.calibration import is_expired
from rig.config.counter import KINDS
from rig.config.experiment import Experiment, Limit
from rig.config.pairing import unpaired
from rig.hardware import data_sheets, identities
from rig.hardware.identities import Reading
from rig.hardware.shown_units import Shown, of_bench, of_unit
from rig.hardware.still_channels import doubts
from rig.identification.live import need_fit
from rig.prediction import encoder_counts
from rig.sensors.uncertainty import covered_from, expanded
from rig.supervision.bench_access import at_rest, opened, reachable
from rig.supervision.required_space import needed


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig check`."""
    add_setup_arguments(parser)
    text = "draw the whole trajectory against its limits (default: EXPERIMENT-trajectory.png here), also without hardware"
    parser.add_argument("--plot", metavar="FILE", nargs="?", const="", type=file_name, help=text)
    parser.add_argument("--notify", action="store_true", help="send a trial to every program that is told of a test")


def execute(args: argparse.Namespace) -> Result:
    """Read everything once. Raises ConfigError or DriverError in one message."""
    setup = config.load(args.experiment, args.overrides, args.bench)
    files = {} if args.plot is None else {"plot": _draw(setup, args.plot)}
    with reachable(setup.bench, setup.bench_path) as bench:
        sheets = data_sheets.read(bench)
        rate, values, lines, still = _read(setup.experiment, bench)
        drives, instruments = identities.ask(bench), identities.read(bench)
    rows = [
        _row(channel, value, setup.experiment.limits, sheet_row(channel, sheets.get(channel.name)))
        for channel, value in zip(setup.bench.channels, values, strict=True)
    ]
    need_fit(setup.experiment, setup.bench)
    alone, need = unpaired(setup.experiment, setup.bench), needed(setup)
    units = of_bench(setup.bench.channels, setup.bench_path)
    warnings = [*setup.warnings, *control.doubts(setup.experiment), *_doubts(rows, units), *others(setup.bench, sheets)]
    warnings += _beyond(setup.experiment, instruments) + still + need.doubts(Path.cwd())
    told = notifying.looked_at(setup.bench.notify, setup.name, args.notify)
    warnings += notifying.doubts(told)
    wrong = ((one["axis"], said) for one in drives for said in (one["fault"], one["slow"]) if said)
    warnings += [f"{axis}: {said}; no test can begin with it" for axis, said in wrong]
    data = {
        "experiment": str(setup.experiment_path),
        "bench": str(setup.bench_path),
        "rate_hz": rate,
        "channels": rows,
        "lines": lines,
        "axes": drives,
        "instruments": instruments,
        "files": files,
        "not_compared": alone.to_json(),
        "notify": told,
        "needs": {"duration_s": need.duration, "disk_bytes": need.disk, "bytes_a_cycle": need.cycle_bytes, "cycles": need.cycles},
    }
    led = [*encoder_counts.in_lines(setup.experiment, setup.bench), *elastic_shafts.in_lines(setup.experiment, setup.bench)]
    beside = (*identities.in_lines(drives, instruments), *in_lines(sheets), *led, alone.in_words())
    told_of = (_text(setup, rate, rows, lines, units), *beside)
    text = "\n".join([*told_of, need.words(Path.cwd()), *notifying.in_lines(told)]).rstrip()
    if failed := [row["program"][0] for row in told if row["ok"] is False]:
        return Result("failed", EXIT_CODES["failed"], {**data, "error": f"notify: {', '.join(failed)}: the trial failed"}, text, warnings)
    return Result(data=data, text=text, warnings=warnings)


def _draw(setup: Setup, name: str) -> str:
    from rig.command_line.picture import draw  # matplotlib takes a second

    return str(draw(setup, Path(name or f"{setup.name}-trajectory.png")))


def _read(experiment: Experiment, bench: Bench) -> tuple[float, list[float], dict[str, bool], list[str]]:
    """(real sample rate, one value a channel, state of the input lines, what cannot be believed of channels at rest)."""
    analogue = [channel for channel in bench.channels if channel.kind not in KINDS]
    with opened(bench) as daq:
        still = [*doubts(analogue, at_rest(daq, analogue, LOOKED))] if experiment.plausibility.watched else []
        values = [float(value) for value in daq.read_once()]
        block = round(experiment.acquisition.block * experiment.acquisition.rate)
        rate = daq.open(experiment.acquisition.rate, block, round(experiment.command.ahead * experiment.acquisition.rate))
        lines = daq.read_lines()
    return float(rate), values, lines, still


class LimitRow(TypedDict):
    """A limit of one channel, SI."""

    minimum: float | None
    maximum: float | None
    rate: float | None
    action: str


class Row(TypedDict):
    """One channel, SI; None: not known, or nothing."""

    channel: str
    unit: str
    value: float
    tare: float
    gross: float
    uncertainty: float | None
    uncertainty_from: float | None
    terminal: str
    sensor: str | None
    calibrated: str | None
    expires: str | None
    expired: bool
    tared: str | None
    limits: list[LimitRow]
    teds: SheetRow | None


def _row(channel: InputChannel, value: float, limits: Sequence[Limit], teds: SheetRow | None) -> Row:
    sensor = channel.sensor
    return {
        "channel": channel.name,
        "unit": channel.unit,
        "value": value,
        "tare": sensor.tare,
        "gross": value + sensor.tare,
        "uncertainty": expanded(sensor, value + sensor.tare),
        "uncertainty_from": covered_from(sensor),
        "terminal": channel.terminal,
        "sensor": " ".join(part for part in (sensor.model, sensor.serial) if part) or None,
        "calibrated": sensor.calibrated or None,
        "expires": sensor.expires or None,
        "expired": is_expired(channel, datetime.date.today()),
        "tared": sensor.tared or None,
        "limits": [
            {"minimum": limit.minimum, "maximum": limit.maximum, "rate": limit.rate, "action": limit.action}
            for limit in limits
            if limit.channel == channel.name
        ],
        "teds": teds,
    }


def _doubts(rows: list[Row], units: Mapping[str, Shown]) -> list[str]:
    """Values that a test could not be started with."""
    return [
        f"{row['channel']}{word}: {units[row['channel']].text(value)} is outside its {limit['action']} limit already"
        for row in rows
        for limit in row["limits"]
        for value, word in ((row["value"], ""), *([(row["gross"], " (gross)")] if row["tare"] else []))
        if not _inside(value, limit["minimum"], limit["maximum"])
    ]


def _beyond(experiment: Experiment, instruments: list[Reading]) -> list[str]:
    """The same of the instruments beside the DAQ device."""
    return [
        f"{one['instrument']}: {of_unit(one['unit'], one['value']).text(one['value'])} is outside its {limit.action} limit already"
        for one in instruments
        for limit in experiment.limits
        if limit.channel == one["instrument"] and not _inside(one["value"], limit.minimum, limit.maximum)
    ]


def _inside(value: float, minimum: float | None, maximum: float | None) -> bool:
    return (minimum is None or value >= minimum) and (maximum is None or value <= maximum)


def _text(setup: Setup, rate: float, rows: list[Row], lines: dict[str, bool], units: Mapping[str, Shown]) -> str:
    tared = any(row["tare"] for row in rows)
    heads = ("channel", *(("gross", "tare", "net") if tared else ("value",)), "unit", "U (k=2)", "sensor", "calibrated", "limits")
    cells = []
    for row in rows:
        unit = units[row["channel"]]
        values = [unit.number(value) for value in ((row["gross"], row["tare"], row["value"]) if tared else (row["value"],))]
        cells.append(
            (row["channel"], *values, unit.unit, _uncertainty(row, unit), row["sensor"] or "-", _calibrated(row), _limits(row, unit))
        )
    widths = [max(len(line[i]) for line in (heads, *cells)) for i in range(len(heads))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in (heads, *cells)]
    states = ", ".join(f"{name} {'high' if high else 'low'}" for name, high in lines.items())
    head = [f"{setup.experiment.title}", f"{setup.bench.title} ({_where(setup.bench)}), {rate:.9g} Hz", ""]
    return "\n".join([*head, *table, "", *([f"lines: {states}"] if states else [])])


def _uncertainty(row: Row, unit: Shown) -> str:
    """Below the reading from which the sensor's record covers it: where that begins."""
    if row["uncertainty"] is not None:
        return unit.number(row["uncertainty"], 2)
    return "-" if row["uncertainty_from"] is None else f"from {unit.number(row['uncertainty_from'])} on"


def _calibrated(row: Row) -> str:
    return f"EXPIRED {row['expires']}" if row["expired"] else row["calibrated"] or "-"


def _where(bench: Bench) -> str:
    if bench.address:
        return f"device server at {bench.address}"
    return "virtual" if bench.plant is not None else "NI driver of this machine"


def _limits(row: Row, unit: Shown) -> str:
    parts = []
    for limit in row["limits"]:
        low, high = ("" if value is None else unit.number(value) for value in (limit["minimum"], limit["maximum"]))
        span = f"{low}..{high}" if low or high else ""
        rate = f"rate {unit.number(limit['rate'])}/s" if limit["rate"] is not None else ""
        parts.append(" ".join(part for part in (span, rate, limit["action"]) if part))
    return "; ".join(parts) or "-"
