"""Taking the points of a calibration, one by one, as a person sets them; every line typed may come from a file as well."""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from drivers.files.text_files import Unusable, read_text
from rig.config.bench import InputChannel, Tare
from rig.errors import ConfigError
from rig.hardware.shown_units import Shown
from rig.hardware.taring import Reading
from rig.sensors.calibration import Point

END = "end"
OF_CHANNEL = math.nan
"""The reference of a point that another channel gives."""
Ask = Callable[[int], float | None]
"""From the number of the point (from 0) to its reference, None at the end. Raises ConfigError where the input ends too early."""


@dataclass(frozen=True)
class Source:
    """`read` gives the channel at rest, gross, and the reference channel behind it where there is one."""

    channel: InputChannel
    reference: InputChannel | None
    rules: Tare
    unit: Shown
    read: Callable[[], Sequence[Reading]]


def take(source: Source, ask: Ask) -> list[Point]:
    """Every point; one that is not steady is not taken, and said. Raises ConfigError."""
    points: list[Point] = []
    sensor = source.channel.sensor
    while (reference := ask(len(points))) is not None:
        readings = source.read()
        known = [channel for channel in (source.channel, source.reference) if channel is not None]
        restless = [text for pair in zip(known, readings, strict=True) if (text := unsteady(*pair, source.rules, source.unit))]
        for text in restless:
            say(f"{text}; not taken, once more")
        if restless:
            continue
        if source.reference is not None:
            reference = readings[1].mean - source.reference.sensor.tare
        points.append(Point(reference, (readings[0].mean - sensor.offset) / sensor.sensitivity, readings[0].sd / abs(sensor.sensitivity)))
        unit, now = source.unit, readings[0]
        say(f"  {source.channel.name} shows {unit.text(now.mean)} (sd {unit.number(now.sd, 2)}) at {unit.text(reference)}")
    return points


def unsteady(channel: InputChannel, reading: Reading, rules: Tare, unit: Shown) -> str | None:
    """Why a reading is no point, in words: no number, or it scatters or drifts by more than `tare.steady` of the capacity."""
    full = channel.sensor.capacity or channel.range * abs(channel.sensor.sensitivity)
    if not math.isfinite(reading.mean):
        return f"{channel.name}: reads {unit.text(reading.mean)}; look at the wiring"
    for word, value in (("scatters by", reading.sd), ("drifts by", abs(reading.drift))):
        if value > rules.steady * full:
            allowed = f"at most {unit.text(rules.steady * full, 4)} (tare.steady)"
            return f"{channel.name}: {word} {unit.text(value, 4)} within {reading.duration:g} s, expected {allowed}"
    return None


def typed(unit: str) -> Ask:
    """The reference is typed at each point, as "10 kN" or a number in the SI unit; "end" or the end of input ends it."""
    from rig.config.units.quantities import QuantityError, described, to_si

    def ask(number: int) -> float | None:
        while (line := prompt(f"point {number + 1}: set it, then type the reference ({described(unit)}), or {END}: ")) not in (None, END):
            try:
                return to_si(f"{line} {unit}" if _plain(line) else line, unit)
            except QuantityError as error:
                say(str(error))
        return None

    return ask


def listed(values: Sequence[float], unit: Shown) -> Ask:
    """One point for each value, in order; Enter takes it."""

    def ask(number: int) -> float | None:
        if number == len(values):
            return None
        if prompt(f"point {number + 1} of {len(values)}: set {unit.text(values[number])}, then Enter (or {END}): ") in (None, END):
            raise ConfigError(f"ended at point {number + 1} of {len(values)}; nothing was written")
        return values[number]

    return ask


def shown(name: str) -> Ask:
    """The channel `name` gives the reference; Enter takes a point, "end" or the end of input ends it."""

    def ask(number: int) -> float | None:
        line = prompt(f"point {number + 1}: set it, then Enter reads it with {name}, or {END}: ")
        return None if line in (None, END) else OF_CHANNEL

    return ask


def read_file(path: Path, unit: str) -> list[float]:
    """References of a CSV file with the header `reference[UNIT]`, as SI numbers. Raises ConfigError with line and remedy."""
    from rig.config.units.quantities import QuantityError, to_si

    try:
        rows = list(csv.reader(read_text(path, "points").splitlines(), strict=True))
    except (Unusable, csv.Error) as error:
        raise ConfigError(f"--points {error if isinstance(error, Unusable) else f'{path}: {error}'}") from error
    name, _, given = (rows[0][0] if rows and rows[0] else "").strip().partition("[")
    if name != "reference" or not given.endswith("]") or any(cell.strip() for cell in rows[0][1:]):
        got = ",".join(rows[0]) if rows else "nothing"
        raise ConfigError(f"--points {path}: expected the header reference[{unit}] and one value a line, got {got!r}")
    found = []
    for number, row in enumerate(rows[1:], 2):
        if any(cell.strip() for cell in row[1:]):  # 1,5 is not 1
            got = f"line {number}: expected one value behind a decimal point, without thousands separators; got {','.join(row)!r}"
            raise ConfigError(f"--points {path}, {got}")
        if row and row[0].strip():
            try:
                found.append(to_si(f"{row[0].strip()} {given[:-1]}", unit))
            except QuantityError as error:
                raise ConfigError(f"--points {path}, line {number}: {error}") from error
    if len(found) < 2:
        raise ConfigError(f"--points {path}: expected two references at least, got {len(found)}")
    return found


def prompt(text: str) -> str | None:
    """One line from standard input, without its blanks; None where the input has ended."""
    print(text, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    return line.strip() if line else None


def say(text: str) -> None:
    """A line for the person who sets the points."""
    print(text, file=sys.stderr, flush=True)


def _plain(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
