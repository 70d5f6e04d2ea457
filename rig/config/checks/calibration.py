"""What the dates in the sensors' records say: what cannot be right, what has run out, what is not known."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from rig.config.bench import Bench, InputChannel
from rig.config.tree import Problem
from rig.errors import ConfigError

DATES = ("calibrated", "expires")


def problems(bench: Bench, today: datetime.date | None = None) -> Iterator[Problem]:
    """Dates that are none, calibrations that have not happened yet, tares written by hand."""
    today = today or datetime.date.today()
    for i, channel in enumerate(bench.channels):
        at, sensor = ("channels", i, "sensor"), channel.sensor
        for key in DATES:
            try:
                _date(getattr(sensor, key))
            except ValueError:
                yield Problem((*at, key), f"expected a date such as 2026-05-31, got {getattr(sensor, key)!r}")
                break
        else:
            if (done := _date(sensor.calibrated)) is not None and done > today:
                text = f"{channel.name}: calibrated on {done}, which has not come yet (this computer's date is {today})"
                yield Problem((*at, "calibrated"), text)
        for key in ("tare", "tared"):
            if getattr(sensor, key):
                yield Problem((*at, key), "a tare is measured, not written: leave it out, and run `rig tare`")


def expired(bench: Bench, today: datetime.date | None = None) -> list[str]:
    """A line for every sensor whose calibration has run out; the record says so as well."""
    return [_in_words(channel) for channel in bench.channels if is_expired(channel, today or datetime.date.today())]


def is_expired(channel: InputChannel, today: datetime.date) -> bool:
    """Whether the calibration of the channel's sensor had run out on that day; without a date it had not. Raises ConfigError: no date."""
    try:
        expires = _date(channel.sensor.expires)
    except ValueError:
        raise ConfigError(f"channel {channel.name}: sensor.expires is {channel.sensor.expires!r}, expected a date as 2026-12-31") from None
    return expires is not None and expires < today


def unknown(bench: Bench) -> list[str]:
    """One line that names the channels of a real bench whose sensors have no date of calibration; none for simulated ones."""
    missing = [channel.name for channel in bench.channels if not channel.sensor.calibrated and channel.sensor.capacity is not None]
    if bench.plant is not None or not missing:
        return []
    return [f"{', '.join(missing)}: no date of calibration in the sensor's record; the record of the test cannot vouch for these channels"]


def _in_words(channel: InputChannel) -> str:
    sensor = channel.sensor
    certificate = f" (certificate {sensor.certificate})" if sensor.certificate else ""
    text = f"{channel.name}: calibration of its sensor {sensor.model} {sensor.serial}{certificate} expired on {sensor.expires}"
    done, expires = _date(sensor.calibrated), _date(sensor.expires)
    if done is not None and expires is not None and expires < done:
        text += f", before it was calibrated on {sensor.calibrated}: one of the two dates is wrong"
    return text


def _date(text: str) -> datetime.date | None:
    return datetime.date.fromisoformat(text) if text else None
