"""What a file holds as channels of a record: named, in SI, on one grid of samples."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from drivers.files.plain_values import Json
from rig.comparison.delays.fractional_shift import Shifted
from rig.exchange.mapping import Mapping_, Taken
from rig.exchange.series import Masked, Placed, Scaled
from rig.exchange.si import NoUnit, si
from rig.exchange.time_axis import Axis, OnGrid, axis_of
from rig.formats.naming import is_time, named, time_column
from rig.formats.table import Contents, Found, Values
from rig.playback.resampling import Resampled
from rig.recorder.reading import STREAMS

STATUS = "status"
"""Stream of channels that tell where values of another are missing."""
SAME = 1e-9
ALIGNED = 1e-6
"""Of a sample distance: what lies nearer to the grid is on it."""
MOST_SHOWN = 40


@dataclass(frozen=True)
class Channel:
    """One channel as it goes into the record, (N,) in `unit`; from which column, and by which factor to `unit`."""

    stream: str
    name: str
    unit: str
    values: Values
    source: str
    scale: float
    sensor: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Incoming:
    """channels on one grid of `rate` Hz, `samples` long, that begins at `start`; gaps: (first, count) where no channel has a sample."""

    channels: Sequence[Channel]
    rate: float
    samples: int
    start: datetime.datetime | None
    gaps: tuple[tuple[int, int], ...]
    said: tuple[str, ...]


def incoming(contents: Contents, given: Mapping_) -> Incoming:
    """The channels of a file, by a map. Raises ValueError, in one line, for what cannot be understood, and what of the map would help."""
    said = list(contents.said)
    columns = [named(column) for column in contents.columns]
    if not columns:
        raise ValueError("; ".join(["holds no column of numbers", *contents.said]))
    time = _time_column(columns, given)
    if time is not None:
        said.append(f"time by column {time.name!r}")
        if not time.unit and time.name.lower() not in ("seconds",):
            said.append(f"the unit of {time.name!r} is not told, and taken as s")
    chosen = _chosen([column for column in columns if column is not time], columns, given)
    axes = [_axis(column, time, given) for column, _ in chosen]
    rate = _common_rate(chosen, axes, given)
    begin = min(axis.begin for axis in axes)
    made = [_channel(column, taken, axis, rate, begin, said) for (column, taken), axis in zip(chosen, axes, strict=True)]
    samples = max(len(channel.values) + _first(axis, rate, begin) for channel, axis in zip(made, axes, strict=True))
    made = [
        replace(channel, values=_placed(channel.values, _first(axis, rate, begin), samples))
        for channel, axis in zip(made, axes, strict=True)
    ]
    made = _masked(made, contents)
    start = _start(contents, given)
    start = None if start is None else start + datetime.timedelta(seconds=begin)
    return Incoming(made, rate, samples, start, _gaps(axes, rate, begin), tuple(said))


def _time_column(columns: Sequence[Found], given: Mapping_) -> Found | None:
    """The column of the times, where there is one and it is needed."""
    if given.time == "":
        return None
    if given.time is not None:
        return _find(columns, given.time, "time")
    return time_column(columns)


def _find(columns: Sequence[Found], name: str, what: str) -> Found:
    """The column of this name, or of this number as #3. Raises ValueError."""
    if name[:1] == "#" and name[1:].isdigit():
        if not 0 < int(name[1:]) <= len(columns):
            raise ValueError(f"{what}: there is no column {name}; there are {len(columns)}")
        return columns[int(name[1:]) - 1]
    found = [k for k, column in enumerate(columns) if name in (column.name, f"{column.name}[{column.unit}]")]
    if len(found) > 1:
        raise ValueError(f'{what}: {len(found)} columns are called {name!r}; column = "#{found[0] + 1}" in the map says which')
    if not found:
        names = ", ".join(column.name for column in columns[:MOST_SHOWN])
        raise ValueError(f"{what}: no column {name!r}; there are {names}{' and more' if len(columns) > MOST_SHOWN else ''}")
    return columns[found[0]]


def _chosen(left: Sequence[Found], columns: Sequence[Found], given: Mapping_) -> list[tuple[Found, Taken]]:
    """Which column becomes which channel. Raises ValueError for two of one name."""
    if given.channels:
        return [(_find(columns, taken.column, f"channels.{name}"), taken) for name, taken in given.channels.items()]
    left = [column for column in left if not is_time(column)]
    names = Counter(column.name for column in left)
    if twice := [name for name, count in names.items() if count > 1]:
        numbers = " and ".join(f"#{k + 1}" for k, column in enumerate(columns) if column.name == twice[0])
        raise ValueError(f'two columns are called {twice[0]!r} ({numbers}); a map with column = "#..." says which is which')
    if not left:
        raise ValueError("holds no channel beside its time")
    return [(column, Taken(column.name, column.name)) for column in left]


def _axis(column: Found, time: Found | None, given: Mapping_) -> Axis:
    if column.rate is not None and not (given.time and time is not None):
        return Axis(column.rate, column.begin, len(column.values))
    times = column.times
    if time is not None and times is None and len(time.values) == len(column.values):
        times = _seconds(time)
    if times is not None and given.time != "":
        return axis_of(times, f"the time of {column.name!r}" if time is None else f"the time ({time.name!r})")
    if given.rate is not None:
        return Axis(given.rate, 0.0, len(column.values))
    raise ValueError(f'column {column.name!r} has no time and no rate; time = "COLUMN" or rate = "1 kHz" in a map says it (--map)')


def _seconds(time: Found) -> Values:
    try:
        unit, factor, _ = si(time.unit or "s")
    except NoUnit as error:
        raise ValueError(f"the time ({time.name!r}): {error}") from None
    if unit != "s":
        raise ValueError(
            f'the time ({time.name!r}) is in {time.unit!r}, expected a time in s, ms or alike; time = "COLUMN" in a map says which'
        )
    return time.values if factor == 1.0 else Scaled(time.values, factor, 0.0)


def _common_rate(chosen: Sequence[tuple[Found, Taken]], axes: Sequence[Axis], given: Mapping_) -> float:
    """The rate of the record. Raises ValueError for channels of different rates, unless the map says which it shall be."""
    if given.rate is not None:
        return given.rate
    rates: dict[float, list[str]] = {}
    for (column, _), axis in zip(chosen, axes, strict=True):
        near = next((rate for rate in rates if abs(axis.rate / rate - 1.0) <= SAME), axis.rate)
        rates.setdefault(near, []).append(column.name)
    if len(rates) > 1:
        shown = "; ".join(f"{rate:.10g} Hz: {', '.join(names[:3])}{' ...' if len(names) > 3 else ''}" for rate, names in rates.items())
        raise ValueError(f'channels have different rates ({shown}); rate = "{max(rates):.10g} Hz" in a map brings all to one')
    return next(iter(rates))


def _first(axis: Axis, rate: float, begin: float) -> int:
    """Sample of the record at which a channel begins."""
    return int(np.floor((axis.begin - begin) * rate + ALIGNED))


def _channel(column: Found, taken: Taken, axis: Axis, rate: float, begin: float, said: list[str]) -> Channel:
    told = taken.unit if taken.unit is not None else column.unit
    try:
        unit, factor, zero = si(told)
    except NoUnit as error:
        raise ValueError(f'column {column.name!r}: {error}; unit = "kN" or alike in a map says what is meant') from None
    if taken.unit is not None and column.unit and column.unit != taken.unit:
        said.append(f"{column.name!r} is in {column.unit!r} by the file, and taken in {taken.unit!r} by the map")
    if not told.strip():
        said.append(f"the unit of {column.name!r} is not told; it is taken as a plain number")
    stream, _, name = taken.channel.rpartition("/")
    if stream not in (*STREAMS, STATUS):
        stream, name = "measured", taken.channel.replace("/", ".")
    if stream == "measured" and name == "command":
        stream, name = "command", "value"
    values: Values = column.values if not axis.gaps else OnGrid(column.values, axis)
    if (taken.scale, taken.offset, factor, zero) != (1.0, 0.0, 1.0, 0.0):
        values = Scaled(values, taken.scale * factor, taken.offset * factor + zero)
    else:
        values = Scaled(values, 1.0, 0.0)
    if abs(axis.rate / rate - 1.0) > SAME:
        resampled = Resampled(values, axis.rate, rate)
        said.append(f"{column.name!r} is brought from {axis.rate:.10g} to {rate:.10g} Hz ({resampled.words})")
        values = resampled
    late = (axis.begin - begin - _first(axis, rate, begin) / rate - taken.delay) * rate  # samples that it has to go later
    if abs(late) > ALIGNED:
        values = Shifted(values, late)
    sensor = {key.removeprefix("sensor_"): value for key, value in column.about.items() if key.startswith("sensor_")}
    return Channel(stream, name.strip(), unit, values, column.name, taken.scale * factor, sensor)


def _placed(values: Values, first: int, samples: int) -> Values:
    return values if first == 0 and len(values) == samples else Placed(values, first, samples)


def _masked(channels: list[Channel], contents: Contents) -> list[Channel]:
    """Where this program wrote beside a stream that values are missing, they are."""
    status = {one.name: one.values for one in channels if one.stream == STATUS}
    left = [one for one in channels if one.stream != STATUS]
    return [replace(one, values=Masked(one.values, status[one.stream])) if one.stream in status and contents.about else one for one in left]


def _gaps(axes: Sequence[Axis], rate: float, begin: float) -> tuple[tuple[int, int], ...]:
    """Where the axes, being all alike, miss samples."""
    first = axes[0]
    if any(axis.gaps != first.gaps or axis.begin != first.begin for axis in axes) or abs(first.rate / rate - 1.0) > SAME:
        return ()
    return tuple(first.gaps)


def _start(contents: Contents, given: Mapping_) -> datetime.datetime | None:
    """Time 0 of the file, with a zone. Raises ValueError for a local time that nobody knows the zone of."""
    start = given.start or contents.start
    told = contents.about.get("start_time")
    if given.start is None and isinstance(told, str):
        start = datetime.datetime.fromisoformat(told)
    if start is None or start.tzinfo is not None:
        return start
    if given.zone is None:
        raise ValueError(
            f'its start, {start.isoformat(" ")}, is a local time without its zone; zone = "Europe/Berlin" or alike in a map says it (--map)'
        )
    return start.replace(tzinfo=given.zone)
