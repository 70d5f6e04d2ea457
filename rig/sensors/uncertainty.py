"""Expanded uncertainty (k = 2) of a reading, from what the sensor's certificate says (GUM; ISO 7500-1 and ISO 9513 for classes)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date

from drivers.files.plain_values import Json
from rig.config.bench import InputChannel, Sensor
from rig.config.checks.calibration import is_expired

COVERAGE = 2.0
LEAST = 0.01  # of capacity: nothing is said below where a record tells neither its lowest reading nor the uncertainty of its zero


def expanded(sensor: Sensor, gross: float) -> float | None:
    """Uncertainty (k = 2) of the gross reading, in its unit; None where the certificate does not cover it.

    A class bounds the error of the reading: within the bound every value is as likely, so its standard deviation is the bound / sqrt(3).
    """
    share, least = share_of_reading(sensor), covered_from(sensor)
    if share is None or least is None or abs(gross) < least:
        return None
    return math.hypot(share * gross, sensor.zero_uncertainty or 0.0)


def covered_from(sensor: Sensor) -> float | None:
    """Smallest |gross reading| that has an uncertainty; None where there is none at all.

    A share of the reading vanishes with it, which no sensor does: so it needs an uncertainty of the zero, or an end below which it says
    nothing.
    """
    if share_of_reading(sensor) is None:
        return None
    if sensor.lowest is not None or sensor.zero_uncertainty is not None:
        return sensor.lowest or 0.0
    return None if sensor.capacity is None else LEAST * sensor.capacity


def share_of_reading(sensor: Sensor) -> float | None:
    """Expanded uncertainty (k = 2) as a share of the reading, by certificate or class; None where the record has neither."""
    return sensor.uncertainty if sensor.uncertainty is not None else _of_class(sensor.accuracy_class)


def _of_class(name: str) -> float | None:
    if name in ("", "00"):  # 00 is of ISO 376, which bounds more than one error
        return None
    return COVERAGE * float(name) / 100.0 / math.sqrt(3.0)


def at_max(channel: InputChannel, largest: float | None) -> float | None:
    """Uncertainty (k = 2) of the largest net reading of a comparison; the certificate is about the gross one."""
    return None if largest is None else expanded(channel.sensor, largest + channel.sensor.tare)


def figures(channels: Sequence[InputChannel], agreement: Mapping[str, Mapping[str, Json]], today: date) -> dict[str, dict[str, Json]]:
    """What summary.json says of each sensor; `uncertainty_at_max` (k = 2) is that of the largest value of the comparison."""
    largest = {name: value for name, found in agreement.items() if isinstance(value := found.get("max_measured"), float)}
    return {channel.name: _figures(channel, largest.get(channel.name), today) for channel in channels}


def _figures(channel: InputChannel, largest: float | None, today: date) -> dict[str, Json]:
    sensor = channel.sensor
    return {
        "unit": channel.unit,
        "serial": sensor.serial or None,
        "certificate": sensor.certificate or None,
        "calibrated": sensor.calibrated or None,
        "expires": sensor.expires or None,
        "expired": is_expired(channel, today),
        "tare": sensor.tare,
        "tared": sensor.tared or None,
        "uncertainty_at_max": at_max(channel, largest),
    }
