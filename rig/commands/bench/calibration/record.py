"""What a calibration says: the new record beside the old one, the points with their residuals, and what is doubtful about them."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.bench import InputChannel, Sensor
from rig.hardware.shown_units import Shown
from rig.sensors.calibration import Line, Point, Reference

Record = dict[str, float | str | None]
"""Keys of a sensor's record, SI or with their units; None: nothing."""
VALID = datetime.timedelta(days=365)
KEYS = (
    "sensitivity", "offset", "uncertainty", "zero_uncertainty", "accuracy_class", "lowest", "certificate", "laboratory", "calibrated",
    "expires",
)  # fmt: skip
PER = {"sensitivity": "/V"}
OF_CHANNEL = ("sensitivity", "offset", "zero_uncertainty", "lowest")
"""Keys in the channel's unit, or in it for one volt."""
NEAR_ZERO = 0.02
"""Of the largest reference: what begins below it is calibrated from 0 on."""


def record(line: Line, by: str, certificate: str, today: datetime.date, expires: datetime.date | None) -> Record:
    """What the new record says, in SI; None: nothing."""
    largest = max(abs(line.low), abs(line.high))
    nearest = 0.0 if line.low <= 0.0 <= line.high else min(abs(line.low), abs(line.high))
    return {
        "sensitivity": _short(line.sensitivity), "offset": _short(line.offset),
        "uncertainty": _short(line.uncertainty), "zero_uncertainty": _short(line.zero_uncertainty), "accuracy_class": None,
        "lowest": _short(nearest) if nearest > NEAR_ZERO * largest else None, "certificate": certificate or None, "laboratory": by,
        "calibrated": today.isoformat(), "expires": (expires or today + VALID).isoformat(),
    }  # fmt: skip


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.8g}")


def in_units(new: Record, unit: str) -> Record:
    """As it stands in a file."""
    units = {"sensitivity": f" {unit}/V", "offset": f" {unit}", "zero_uncertainty": f" {unit}", "lowest": f" {unit}"}
    return {key: f"{value!r}{units[key]}" if key in units and value is not None else value for key, value in new.items()}


def _old(sensor: Sensor) -> Record:
    return {key: None if (value := getattr(sensor, key)) == "" else value for key in KEYS}


def entry(data: Mapping[str, Json], channel: InputChannel, now: datetime.datetime) -> dict[str, Json]:
    """One calibration in the history."""
    sensor = channel.sensor
    head = {"time": now.isoformat(timespec="seconds"), "host": platform.node(), "model": sensor.model, "serial": sensor.serial}
    return {**head, "terminal": channel.terminal, **{key: value for key, value in data.items() if key != "accepted"}}


def data_of(path: Path, channel: InputChannel, reference: Reference, points: Sequence[Point], line: Line, new: Record) -> dict[str, Json]:
    """For --json and for the history: SI, without what files there are."""
    rows: list[dict[str, Json]] = [
        {**asdict(point), "rising": up, "residual": residual}
        for point, up, residual in zip(points, line.rising, line.residuals, strict=True)
    ]
    return {
        "bench": str(path), "channel": channel.name, "unit": channel.unit, "reference": asdict(reference), "points": rows,
        "nonlinearity": line.nonlinearity, "hysteresis": line.hysteresis, "span": line.span, "old": _old(channel.sensor), "new": new,
    }  # fmt: skip


def text_of(channel: InputChannel, points: Sequence[Point], line: Line, new: Record, unit: Shown) -> str:
    """Points, figures, and the record old and new."""
    from rig.report.table import aligned

    rows = [
        (unit.number(p.reference), "up" if up else "down", f"{p.volts:.7g}", f"{residual / unit.size:+.4g}", f"{residual / line.span:+.3%}")
        for p, up, residual in zip(points, line.rising, line.residuals, strict=True)
    ]
    table = aligned([(f"reference, {unit.unit}", "", "V", f"residual, {unit.unit}", "of span"), *rows], 0)
    back = "not known, no way back" if line.hysteresis is None else _of_span(line.hysteresis, line, unit)
    figures = f"non-linearity {_of_span(line.nonlinearity, line, unit)}, hysteresis {back}"
    old = _old(channel.sensor)
    pairs = [(key, *(_cell(key, one[key], unit) for one in (old, new))) for key in KEYS if old[key] is not None or new[key] is not None]
    return f"\n{table}\n\n{figures}\n\n{aligned([('record', 'old', 'new'), *pairs], 3)}"


def _of_span(value: float, line: Line, unit: Shown) -> str:
    return f"{unit.text(value, 4)} ({value / line.span:.3%} of span)"


def _cell(key: str, value: float | str | None, unit: Shown) -> str:
    if not isinstance(value, float):
        return "-" if value is None else str(value)
    return unit.text(value, 8) + PER.get(key, "") if key in OF_CHANNEL else f"{value:.8g}"


def doubts(channel: InputChannel, line: Line, unit: Shown) -> list[str]:
    """What the points do not tell."""
    found, capacity = [], channel.sensor.capacity
    if line.uncertainty is None:
        found.append(f"{channel.name}: two points leave nothing over, so linearity and uncertainty are not known; take three or more")
    if line.hysteresis is None:
        found.append(f"{channel.name}: all points were come to from one side, so hysteresis is not known; go back down as well")
    if capacity is not None and max(abs(line.low), abs(line.high)) < 0.5 * capacity:
        reach = f"calibrated from {unit.number(line.low)} to {unit.text(line.high)}"
        found.append(f"{channel.name}: {reach}; from there to its capacity of {unit.text(capacity)} the line is only extended")
    return found
