"""Tares: measured by `rig tare`, kept in a file beside the bench's own, put into the sensors' records when the bench is loaded."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, NotRequired, TypedDict, TypeGuard

from drivers.files.plain_values import Json
from rig.config.bench import Bench, InputChannel
from rig.errors import ConfigError
from rig.files import json_files


class Written(NamedTuple):
    """What stands under a key of a tare."""

    fits: Callable[[Json], bool]
    expected: str


def _is_time(value: Json) -> bool:
    try:
        return isinstance(value, str) and datetime.datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


_NUMBER = Written(lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST, "a number")
_TEXT = Written(lambda value: isinstance(value, str), "a text")
TEXTS = Written(lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value), "a list of texts")
WRITTEN = {
    "tare": _NUMBER, "sd": _NUMBER, "duration_s": _NUMBER, "by": _TEXT, "of": Written(lambda value: isinstance(value, dict), "a table"),
    "time": Written(_is_time, "a time with its zone such as 2026-05-31T10:00:00+02:00"),
}  # fmt: skip
LARGEST = 1e30
SAME_SENSOR = ("model", "serial", "sensitivity", "offset")


def tare_path(bench_path: Path) -> Path:
    """`virtual_loader.tare.json` beside `virtual_loader.toml`."""
    return bench_path.with_suffix(".tare.json")


class TareRecord(TypedDict):
    """One tare as it was taken, SI; `of`: the sensor and the terminal that it belongs to."""

    tare: float
    unit: str
    sd: float
    drift: float
    samples: int
    duration_s: float
    time: str
    by: str
    host: str
    of: dict[str, Json]
    plant: NotRequired[list[str]]


class TareFile(TypedDict):
    """Tares by channel, and all that was ever taken or cleared."""

    channels: dict[str, TareRecord]
    history: list[dict[str, Json]]


def read(bench_path: Path) -> TareFile:
    """What the tare file of a bench holds. Raises ConfigError for a damaged file."""
    path = tare_path(bench_path)
    if not os.path.lexists(path):
        return {"channels": {}, "history": []}
    found = json_files.read_history(path, "tare", _wrong, f"delete it and run `rig tare {bench_path}` again")
    assert _is_whole(found)
    return found


def _is_whole(found: Json) -> TypeGuard[TareFile]:
    return not _wrong(found)


def _wrong(found: Json) -> str:
    """The first thing in a tare file that is not as `rig tare` writes it, in words."""
    channels, history = (found.get(key) for key in ("channels", "history")) if isinstance(found, dict) else (None, None)
    if not isinstance(channels, dict) or not isinstance(history, list) or not all(isinstance(line, dict) for line in history):
        return "expected a table channels and a list of tables history"
    for name, tare in channels.items():
        if not isinstance(tare, dict):
            return f"channels.{name}: expected a table, got {tare!r}"
        for key, (fits, expected) in WRITTEN.items():
            if not fits(tare.get(key)):
                return f"channels.{name}.{key}: expected {expected}, got {tare.get(key)!r}"
        if not TEXTS.fits(tare.get("plant", [])):
            return f"channels.{name}.plant: expected {TEXTS.expected}, got {tare['plant']!r}"
    return ""


def identity(channel: InputChannel) -> dict[str, Json]:
    """What a tare belongs to: with another sensor, another scaling or another terminal it is worth nothing."""
    return {"terminal": channel.terminal, **{key: getattr(channel.sensor, key) for key in SAME_SENSOR}}


def apply(bench: Bench, bench_path: Path, now: datetime.datetime | None = None) -> tuple[Bench, list[str]]:
    """The bench with its tares, and a warning for each that is old. Raises ConfigError for a tare that belongs to another sensor."""
    taken = read(bench_path)["channels"]
    now = now or datetime.datetime.now().astimezone()
    warnings, problems, channels = [], [], []
    for channel in bench.channels:
        tare = taken.get(channel.name)
        if tare is None:
            channels.append(channel)
            continue
        if changed := _changed(tare, channel):
            problems.append(
                f"{tare_path(bench_path)}: {channel.name}: tared with {changed}; run `rig tare {bench_path} --channel {channel.name}` "
                "again, or with --clear"
            )
        if (age := (now - datetime.datetime.fromisoformat(tare["time"])).total_seconds()) > bench.tare.max_age:
            warnings.append(f"{channel.name}: its tare of {tare['tare']:.6g} {channel.unit} is {age / 3600.0:.1f} h old ({tare['time']})")
        if plant := tare.get("plant"):
            text = f"{channel.name}: its tare was taken on a virtual bench with {', '.join(plant)}, given in that call alone"
            warnings.append(f"{text}; `rig tare {bench_path} --clear` undoes it")
        said = f"{tare['time']}, by {tare['by']}, standard deviation {tare['sd']:.3g} {channel.unit} over {tare['duration_s']:g} s"
        channels.append(replace(channel, sensor=replace(channel.sensor, tare=float(tare["tare"]), tared=said)))
    if problems:
        raise ConfigError(problems)
    return replace(bench, channels=tuple(channels)), warnings


def _changed(tare: TareRecord, channel: InputChannel) -> str:
    """What is not as it was when the tare was taken, in words."""
    then, today = tare["of"], identity(channel)
    return ", ".join(f"{key} {then.get(key)!r}, now {today[key]!r}" for key in today if then.get(key) != today[key])
