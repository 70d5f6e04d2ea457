"""A test as its report needs it: the record, the plan, and what the test said of itself at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import cast

from drivers.files.plain_values import Json
from drivers.files.plain_values import table as need_table
from rig.comparison import Settings
from rig.comparison.filtering import passable
from rig.config.plan import Plan
from rig.errors import ConfigError
from rig.files import json_files
from rig.recorder import chain
from rig.recorder.examination import run_folder
from rig.recorder.folders import RECORD, remedy
from rig.recorder.reading import RunData, read_run
from rig.report.signals import Signals, signals
from rig.report.summary import SUMMARY, compared_run

NO_SUMMARY = "the test left no summary, as one that was killed: verdict and figures were computed from the record for this report"


@dataclass(frozen=True)
class ReportedRun:
    """summary: as `rig run --json` has it; sealed: the chain of evidence, None where there is none; said: what a reader must know of
    where this comes from."""

    folder: Path
    plan: Plan
    record: RunData
    summary: Mapping[str, Json]
    sealed: chain.Links | None
    said: tuple[str, ...] = ()

    @cached_property
    def signals(self) -> Signals:
        """Read where they are sliced."""
        return signals(self.record, self.plan)

    @property
    def settings(self) -> Settings:
        """Of the comparison."""
        asked = self.plan.experiment.comparison
        return Settings(passable(asked.lowpass, self.record.rate), asked.discard_cycles, asked.remove_delay, band=asked.band)

    @property
    def duration(self) -> float:
        """s of the record."""
        return self.record.samples / self.record.rate

    def part(self, name: str) -> Mapping[str, Json]:
        """A table of the summary; an empty one where it is not there."""
        found = self.summary.get(name)
        return found if isinstance(found, Mapping) else {}

    def rows(self, name: str) -> list[Mapping[str, Json]]:
        """A list of tables of the summary."""
        found = self.summary.get(name)
        return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []


def reported_run(path: Path) -> ReportedRun:
    """Of a test that is over, by its folder or its record. Raises ConfigError for what is no run, and for a record that is cut, damaged or
    not whole."""
    folder = path.parent if path.is_file() else path
    if not (folder / "plan.json").exists() or (path.is_file() and path.name != RECORD):
        raise ConfigError(f"{path}: expected the folder of a run as made by `rig run`, or its {RECORD}; there is no plan.json")
    sealed = _sealed(folder)
    run_folder(folder)
    record = read_run(folder / RECORD)
    if not record.complete:
        raise ConfigError(f"{folder / RECORD}: the record is not whole, its test was broken off; {remedy(folder)}")
    if not record.streams.get("measured"):
        raise ConfigError(f"{folder}: nothing was measured in this run; there is nothing to report")
    plan = Plan.read(folder)
    summary, said = _summary(folder)
    return ReportedRun(folder, plan, record, summary, sealed, said)


def _sealed(folder: Path) -> chain.Links | None:
    """The chain; its files have the sizes that it says, which is seen at once (`rig verify` looks at each byte). Raises ConfigError."""
    if not (folder / chain.CHAIN).exists():
        return None
    links = chain.read(folder)
    for name, entry in links.entries.items():
        if not (file := folder / name).is_file():
            raise ConfigError(f"{file}: is gone, and was sealed with {entry.bytes} bytes; `rig verify {folder}` tells what else is")
        if (size := file.stat().st_size) != entry.bytes:
            what = "cut" if size < entry.bytes else "changed"
            raise ConfigError(f"{file}: {size} bytes, sealed with {entry.bytes}: it was {what} since; `rig verify {folder}` says where")
    return links


def _summary(folder: Path) -> tuple[Mapping[str, Json], tuple[str, ...]]:
    """What the test said at its end; of one that could not, what the record says now."""
    if not (folder / SUMMARY).exists():
        found, _ = compared_run(folder)
        return {**cast(Mapping[str, Json], found), "outcome": "failed", "reason": NO_SUMMARY}, (NO_SUMMARY,)
    try:
        return need_table(json_files.read(folder / SUMMARY, "summary")), ()
    except (ValueError, TypeError) as error:
        raise ConfigError(
            f"{error}; `rig compare {folder}` judges the record once more, `rig verify {folder}` says what was changed"
        ) from error
