"""Tares: measured by `rig tare`, kept in a file beside the bench's own, put into the sensors' records when the bench is loaded."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rig.config.bench import Bench, InputChannel
from rig.errors import ConfigError

SAME_SENSOR = ("model", "serial", "sensitivity", "offset")


def tare_path(bench_path: Path) -> Path:
    """`virtual_loader.tare.json` beside `virtual_loader.toml`."""
    return bench_path.with_suffix(".tare.json")


def read(bench_path: Path) -> dict[str, Any]:
    """What the tare file of a bench holds: `channels` (name -> tare) and `history`. Raises ConfigError for a damaged file."""
    path = tare_path(bench_path)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if all(isinstance(tare["tare"], (int, float)) for tare in found["channels"].values()) and isinstance(found["history"], list):
            return dict(found)
    except FileNotFoundError:
        return {"channels": {}, "history": []}
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise ConfigError(f"{path}: damaged; delete it and run `rig tare {bench_path}` again")


def identity(channel: InputChannel) -> dict[str, Any]:
    """What a tare belongs to: with another sensor, another scaling or another terminal it is worth nothing."""
    return {"terminal": channel.terminal, **{key: getattr(channel.sensor, key) for key in SAME_SENSOR}}


def apply(bench: Bench, bench_path: Path, now: datetime.datetime | None = None) -> tuple[Bench, list[str]]:
    """The bench with its tares, and a warning for each that is old. Raises ConfigError for a tare that belongs to another sensor."""
    taken: Mapping[str, Any] = read(bench_path)["channels"]
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


def _changed(tare: Mapping[str, Any], channel: InputChannel) -> str:
    """What is not as it was when the tare was taken, in words."""
    then, today = tare["of"], identity(channel)
    return ", ".join(f"{key} {then.get(key)!r}, now {today[key]!r}" for key in today if then.get(key) != today[key])
