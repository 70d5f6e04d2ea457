"""A file of series: tests one after the other that differ in a few keys, and what a source prints of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rig.config.source import Source
from rig.config.tree import read
from rig.errors import ConfigError

METRICS = ("max", "reversal_peak", "overshoot", "impact_peak", "band_level", "nrms")


@dataclass(frozen=True)
class Point:
    """One test: "KEY=VALUE" over those of its series; an experiment file where it is not the series'."""

    label: str
    set: tuple[str, ...] = ()
    experiment: str | None = None


@dataclass(frozen=True)
class Series:
    """Tests in the order of what is varied. where, printed: in the source; printed_error: largest relative one of model and test there."""

    name: str
    points: tuple[Point, ...]
    where: str = ""
    printed: str = ""
    printed_error: float | None = field(default=None, metadata={"unit": "1", "over": 0.0})
    set: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeriesFile:
    """experiment: beside the file; channel, metrics: of the agreement, which are tabled."""

    title: str
    experiment: str
    channel: str
    metrics: tuple[str, ...]
    series: tuple[Series, ...]
    set: tuple[str, ...] = ()


def load(path: Path) -> SeriesFile:
    """Raises ConfigError with every problem."""
    tree, text = read(path, "series")
    made = Source(path, tree, text, ()).built(SeriesFile)
    if wrong := [f"{path}: {problem}" for problem in _problems(made)]:
        raise ConfigError(wrong)
    return made


def _problems(made: SeriesFile) -> list[str]:
    found = [f"metrics: expected some of {', '.join(METRICS)}; got {name!r}" for name in made.metrics if name not in METRICS]
    names = [series.name for series in made.series]
    found += [f"series: there are two of the name {name!r}" for name in dict.fromkeys(names) if names.count(name) > 1]
    return found + [f"series {series.name!r}: expected at least one point" for series in made.series if not series.points]


def planned(made: SeriesFile, series: Series, folder: Path, overrides: Sequence[str]) -> list[tuple[Point, Path, list[str]]]:
    """(point, its experiment file, all its "KEY=VALUE", the later over the earlier) in order; `folder`: of the file."""
    return [
        (point, folder / (point.experiment or made.experiment), [*made.set, *series.set, *point.set, *overrides]) for point in series.points
    ]
