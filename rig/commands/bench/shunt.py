"""`rig shunt BENCH|EXPERIMENT`: switch the shunt of a bridge on and off, and compare what the reading does with what it must do.

A command of its own, since `rig check` never writes an output: the line of a conditioner's shunt is one, and a controller that closes
its loop on the same load cell would follow the shunt. Therefore it is refused while the hydraulics are on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from drivers.daq.wiring import Input
from rig import config
from rig.command_line.result import EXIT_CODES, Result
from rig.commands import add_bench_arguments
from rig.commands.bench.tare import chosen
from rig.config.bench import Bench, InputChannel
from rig.errors import ConfigError
from rig.hardware.occupancy import occupied
from rig.hardware.shunt import Verdict, expected, judge, unfit
from rig.supervision.bench_access import opened, reachable

RATE = 5000.0  # Hz, about
DURATION = 1.0  # s that each of the three readings is averaged over


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rig shunt`."""
    add_bench_arguments(parser)


def execute(args: argparse.Namespace) -> Result:
    """Exit 1 when a shunt does not do what it must. Raises ConfigError when the bench is in use, or under pressure; DriverError."""
    bench, path = config.load_bench(args.file, args.overrides, args.bench)
    channels = chosen(bench, args.channels or _with_shunt(bench))
    if problems := [text for channel in channels if (text := unfit(channel))]:
        raise ConfigError(problems)
    with occupied(path, "shunt") as warnings:
        verdicts = _measure(bench, channels)
    rows = [_row(channel, verdict) for channel, verdict in zip(channels, verdicts, strict=True)]
    wrong = [verdict.wrong for verdict in verdicts if verdict.wrong]
    outcome = "verdict_failed" if wrong else "done"
    return Result(outcome, EXIT_CODES[outcome], {"bench": str(path), "channels": rows}, _text(rows, wrong), warnings)


def _with_shunt(bench: Bench) -> list[str]:
    """Channels whose shunt can be switched and whose record says what it does."""
    names = [channel.name for channel in bench.channels if (channel.kind == "force_bridge" or channel.shunt_line) and expected(channel)]
    if not names:
        raise ConfigError(
            f'{bench.title}: no channel with a shunt: kind = "force_bridge" or a shunt_line, and in the sensor\'s record shunt_value or '
            "shunt_resistance"
        )
    return names


def _measure(bench: Bench, channels: Sequence[InputChannel]) -> list[Verdict]:
    from drivers.daq.at_rest import read_lines, read_shunted

    with reachable(bench) as there, opened(there) as daq:
        loader = there.analog_loader  # a controller on a serial line has no such line
        pressure = None if loader is None else loader.hydraulics_on
        if pressure is not None and any(read_lines(daq, [pressure])):
            raise ConfigError(
                f"{bench.title}: hydraulics are on; the controller may follow the shunt as if it were a force. Switch the pump off; "
                "nothing was switched"
            )
        inputs = {item.name: item for item in daq.wiring.inputs if isinstance(item, Input)}
        return [
            judge(_as_opened(c, inputs[c.name]), read_shunted(daq, inputs[c.name], RATE, DURATION, c.sensor.shunt_resistance, c.shunt_line))
            for c in channels
        ]


def _as_opened(channel: InputChannel, item: Input) -> InputChannel:
    """With the sensitivity that is read with: a sensor may have told its own."""
    return replace(channel, sensor=replace(channel.sensor, sensitivity=item.gain))


class Row(TypedDict):
    """One bridge: SI, and why it is wrong; None: it is right."""

    channel: str
    unit: str
    expected: float
    found: float
    tolerance: float
    certified: bool
    passed: bool
    reason: str | None


def _row(channel: InputChannel, verdict: Verdict) -> Row:
    return {
        "channel": channel.name, "unit": channel.unit, "expected": verdict.expected, "found": verdict.found,
        "tolerance": verdict.tolerance, "certified": channel.sensor.shunt_value is not None, "passed": verdict.wrong is None,
        "reason": verdict.wrong,
    }  # fmt: skip


def _text(rows: Sequence[Row], wrong: Sequence[str]) -> str:
    from rig.report.table import aligned

    heads = ("channel", "unit", "expected", "found", "tolerance", "")
    cells = [
        (
            row["channel"], row["unit"], *(f"{value:.6g}" for value in (row["expected"], row["found"], row["tolerance"])),
            "ok" if row["passed"] else "FAIL",
        )
        for row in rows
    ]  # fmt: skip
    return "\n".join([aligned([heads, *cells], 2), *wrong])
