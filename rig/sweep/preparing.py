"""A campaign before its first task: its file, its experiment with every key that is varied, its tasks, its columns."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config import load as load_setup
from rig.config import load_experiment
from rig.config.setup import Setup
from rig.errors import ConfigError
from rig.sweep import computing
from rig.sweep.campaign import OF_EVENTS, OF_MODEL, OF_TEST, Campaign, Kept, load
from rig.sweep.dataset import Columns
from rig.sweep.design import Points, points
from rig.sweep.rows import Work

NO_UNIT = "1"
IN_UNIT_OF_CHANNEL = ("max_", "reversal_", "overshoot", "impact_peak", "rms_")
"""Beginnings of the figures of a test's agreement that have the unit of their channel."""


@dataclass(frozen=True)
class Prepared:
    """stated: what the campaign is made of, to be compared with that of an earlier start."""

    campaign: Campaign
    points: Points
    columns: Columns
    work: Work
    stated: Mapping[str, Json]


def prepare(path: Path, overrides: Sequence[str] = ()) -> Prepared:
    """Raises ConfigError with every problem; the first and the last task have been looked at, and every word of `values`."""
    campaign = load(path)
    campaign = replace(campaign, set=(*campaign.set, *overrides))
    found = points(campaign)
    folder = path.resolve().parent
    if campaign.task == "function":
        work, columns = _function(campaign, folder)
    else:
        work, columns = _experiment(campaign, folder, found, path)
    work = replace(work, digest=computing.digest(work))
    stated = {"campaign": asdict(replace(campaign, title="", time_limit=0.0, deaths=0)), "files": work.digest}
    return Prepared(campaign, found, columns, work, _plain(stated))


def _work(campaign: Campaign, experiment: str, function: str) -> Work:
    keep = tuple((one.channel, one.figure, one.criterion) for one in campaign.keep)
    return Work(
        campaign.task,
        experiment,
        function,
        campaign.set,
        keep,
        campaign.after,
        campaign.time_limit,
        campaign.deaths,
        socket.gethostname(),
        "",
    )


def _function(campaign: Campaign, folder: Path) -> tuple[Work, Columns]:
    module, _, name = campaign.function.rpartition(":")
    named = f"{(folder / module).resolve()}:{name}" if module.endswith(".py") else campaign.function
    if module.endswith(".py") and not (folder / module).is_file():
        raise ConfigError(f"function: there is no file {folder / module}")
    work = _work(campaign, "", named)
    return work, Columns(tuple(one.column for one in campaign.keep), (NO_UNIT,) * len(campaign.keep))


def _experiment(campaign: Campaign, folder: Path, found: Points, path: Path) -> tuple[Work, Columns]:
    experiment = Path(os.path.normpath(folder / campaign.experiment))
    read = load_setup if campaign.task == "run" else load_experiment
    problems: list[str] = []
    setup = read(experiment, [*campaign.set])
    for task in _looked_at(found):
        try:
            read(experiment, [*campaign.set, *found.settings(task)])
        except ConfigError as error:
            problems += [f"{path}: task {task}: {text}" for text in error.problems]
    if problems:
        raise ConfigError(list(dict.fromkeys(problems)))
    if campaign.task == "run":
        assert isinstance(setup, Setup)
        if setup.bench.plant is None:
            raise ConfigError(f"{path}: {setup.bench_path} is no virtual bench; a campaign of tests moves no real machine")
        units = {channel.name: channel.unit for channel in setup.bench.channels}
    else:
        units = dict(setup.experiment.mechanism.channels)
    columns = [_unit(one, units, campaign.task, problems) for one in campaign.keep]
    if problems:
        raise ConfigError([f"{path}: keep: {problem}" for problem in problems])
    return _work(campaign, str(experiment), ""), Columns(tuple(one.column for one in campaign.keep), tuple(columns))


def _looked_at(found: Points) -> list[int]:
    """The tasks with the least and the largest of each key, and one of each word."""
    tasks = {int(k) for column in found.numbers.T for k in (column.argmin(), column.argmax())}
    for one, column in zip(found.vary, found.numbers.T, strict=True):
        if one.values and one.labels is None:
            tasks |= {int((column == place).argmax()) for place in range(len(one.values))}
    return sorted(tasks)


def _unit(one: Kept, units: Mapping[str, str], task: str, problems: list[str]) -> str:
    """Unit of a figure; what is wrong with it goes into `problems`."""
    alone = OF_EVENTS if task == "simulate" else OF_TEST
    if one.criterion and task == "simulate":
        problems.append(f'{one.column}: a criterion belongs to a test (task = "run")')
    elif one.figure in alone and not one.criterion:
        if one.channel:
            problems.append(f"{one.column}: {one.figure} is of the whole; leave channel out")
        return "m/s" if one.figure == "approach_speed" else NO_UNIT
    elif one.channel not in units:
        problems.append(f"{one.column}: channel: expected one of {', '.join(units)}; got {one.channel!r}")
    elif task == "simulate" and one.figure not in OF_MODEL:
        problems.append(f"{one.column}: figure: expected one of {', '.join((*OF_MODEL, *OF_EVENTS))}; got {one.figure!r}")
    elif not one.criterion and (task == "simulate" or one.figure.startswith(IN_UNIT_OF_CHANNEL)):
        return units[one.channel]
    return NO_UNIT


def _plain(value: Mapping[str, object]) -> dict[str, Json]:
    import json

    found: dict[str, Json] = json.loads(json.dumps(value))
    return found
