"""What sensors say of themselves (TEDS), beside what the bench file says: compared, or taken where the channel has `teds = true`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from rig.config.bench import Bench, InputChannel
from rig.errors import ConfigError

TOLERANCE = 0.01
"""Share by which the sensitivities of record and sheet may differ: a sheet has it rounded, and a newer certificate has another."""


class Sheet(Protocol):
    """See `drivers.daq.teds.DataSheet`."""

    @property
    def serial(self) -> int: ...
    @property
    def gain(self) -> float | None: ...
    @property
    def in_words(self) -> str: ...


def read(bench: Bench) -> Mapping[str, Sheet]:
    """Channel -> sheet of the sensors of a reachable bench that have one. Raises DriverError."""
    from drivers.daq import teds  # the vendor's package takes a second
    from rig.hardware.wiring import analogue

    return teds.read(bench.address, [analogue(channel) for channel in bench.channels if channel.kind in teds.KINDS])


def disagreements(channel: InputChannel, sheet: Sheet) -> list[str]:
    """In which the sheet is another sensor's than the record, in words."""
    found, sensor = [], channel.sensor
    if sensor.serial and not _same_serial(sensor.serial, sheet.serial):
        found.append(
            f"{channel.name}: the sensor on {channel.terminal} is serial {sheet.serial} by its TEDS, expected {sensor.serial!r} as in its "
            "record: enter the record of the sensor that is mounted, or mount the other one"
        )
    if sheet.gain is None:
        found.append(
            f"{channel.name}: expected a sensor in {channel.unit} on {channel.terminal}, its TEDS is of another one ({sheet.in_words}): "
            "look what is plugged in"
        )
    elif not channel.teds and not math.isclose(abs(sensor.sensitivity), abs(sheet.gain), rel_tol=TOLERANCE):
        unit, off = f"{channel.unit}/V", abs(sheet.gain / sensor.sensitivity) - 1.0
        found.append(
            f"{channel.name}: expected {abs(sensor.sensitivity):.6g} {unit} as in its record, got {abs(sheet.gain):.6g} from its TEDS "
            f"({off:+.1%}): enter what its certificate says, or teds = true to take it from the sensor"
        )
    return found


def adopt(bench: Bench, sheets: Mapping[str, Sheet]) -> tuple[Bench, list[str]]:
    """The bench with the sensitivities of the channels that have `teds = true`, and a line for each.

    The sign stays the record's: how a sensor is mounted it does not know. Raises ConfigError for a sensor without a sheet, or another one.
    """
    problems, said, channels = [], [], []
    for channel in bench.channels:
        sheet = sheets.get(channel.name)
        if channel.teds and sheet is None:
            problems.append(
                f"{channel.name}: teds = true, but no sensor with a data sheet answers on {channel.terminal}; look at cable and sensor"
            )
        elif channel.teds and sheet is not None:
            wrong = disagreements(channel, sheet)
            problems += wrong
            if sheet.gain is not None and not wrong:
                channel = _described(channel, sheet, sheet.gain)
                said.append(f"{channel.name}: {channel.sensor.sensitivity:.6g} {channel.unit}/V from its TEDS ({sheet.in_words})")
        channels.append(channel)
    if problems:
        raise ConfigError(problems)
    return replace(bench, channels=tuple(channels)), said


def _described(channel: InputChannel, sheet: Sheet, gain: float) -> InputChannel:
    sensor = channel.sensor
    signed = math.copysign(gain, sensor.sensitivity)
    return replace(channel, sensor=replace(sensor, sensitivity=signed, serial=sensor.serial or str(sheet.serial)))


def _same_serial(record: str, number: int) -> bool:
    """A record may say "SN 0123-A" for 123."""
    return any(int(digits) == number for digits in re.findall(r"\d+", record))
