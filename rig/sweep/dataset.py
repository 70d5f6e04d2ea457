"""The result: one data set of xarray in Zarr with a row for each task, made whole at the start and filled in as tasks end.

Written chunk by chunk, each of which takes the place of the one before at once; `state` last. The journal beside it (NAME.journal) is what
counts after a kill: what it has that the data set lacks is filled in when the campaign goes on. It goes when every task has ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig.errors import ConfigError, RigError
from rig.files import output_files
from rig.sweep import journal
from rig.sweep.campaign import Campaign
from rig.sweep.design import Points
from rig.sweep.rows import TO_DO, Row

CHUNK = 4096  # tasks
TASK = "task"
ROW_BYTES = 600  # of a journal's line, at most; its reason included
SHOWN = 5  # differences


@dataclass(frozen=True)
class Columns:
    """Names and SI units of the figures."""

    names: tuple[str, ...]
    units: tuple[str, ...]


class Result:
    """The data set of a campaign, opened by one process; all of its rows are in memory, whose size the number of tasks fixes."""

    def __init__(self, path: Path, campaign: Campaign, points: Points, columns: Columns, stated: Mapping[str, Json]) -> None:
        """Made, or opened to go on. stated: what the campaign is made of, as JSON. Raises ConfigError for that of another campaign."""
        self.path, self._columns = path, columns
        tasks = len(points.numbers)
        self.state = np.full(tasks, TO_DO, dtype=np.uint8)
        self.figures = np.full((tasks, len(columns.names)), np.nan)
        self.wall, self.cpu = np.zeros(tasks), np.zeros(tasks)
        self.reasons: dict[int, str] = {}
        self._dirty: set[int] = set()
        with _told(path):
            if not path.exists():
                self._make(campaign, points, stated)
            self._open(points, stated)
            for row in journal.rows(journal_of(path)):
                self._put(row)
        self.skipped = int(np.count_nonzero(self.state))
        self._journal = journal.Journal(journal_of(path))

    @property
    def to_do(self) -> NDArray[np.intp]:
        """Indices of tasks that have not ended, in order."""
        return np.flatnonzero(self.state == TO_DO)

    def add(self, rows: Sequence[Row]) -> None:
        """Of tasks that have just ended: on the disk when this returns. One that is there already stays. Raises RigError."""
        if new := [row for row in rows if self.state[row.task] == TO_DO]:
            self._journal.append(new)
            for row in new:
                self._put(row)

    def write(self) -> None:
        """What has been added, into the data set. Raises RigError."""
        import zarr

        with _told(self.path, RigError):
            group = zarr.open_group(self.path, mode="r+", zarr_format=2)
            for chunk in sorted(self._dirty):
                rows = slice(chunk * CHUNK, min((chunk + 1) * CHUNK, len(self.state)))
                reasons = np.array([self.reasons.get(k, "") for k in range(rows.start, rows.stop)], dtype=object)
                columns = dict(zip(self._columns.names, self.figures[rows].T, strict=True))
                for name, values in {**columns, "wall_s": self.wall[rows], "cpu_s": self.cpu[rows], "reason": reasons}.items():
                    group[name][rows] = values
                group["state"][rows] = self.state[rows]
            self._dirty.clear()

    def close(self) -> None:
        """Written; the journal goes where nothing is left to do and all of it is on the disk. Raises RigError."""
        self.write()
        self._journal.close()
        if not len(self.to_do):
            with _told(self.path, RigError):
                _to_the_disk(self.path)
                journal_of(self.path).unlink(missing_ok=True)

    def release(self) -> None:
        """Left as it is; the journal has everything."""
        self._journal.close()

    def _put(self, row: Row) -> None:
        k = row.task
        self.state[k], self.wall[k], self.cpu[k] = row.state, row.wall_s, row.cpu_s
        if row.figures:
            self.figures[k] = [np.nan if one is None else one for one in row.figures]
        if row.reason:
            self.reasons[k] = row.reason
        self._dirty.add(k // CHUNK)

    def _make(self, campaign: Campaign, points: Points, stated: Mapping[str, Json]) -> None:
        """Under another name until it is whole."""
        import xarray

        varied = {
            one.key: (TASK, column, {"units": one.unit, **({"words": list(one.values)} if one.values and not one.labels else {})})
            for one, column in zip(points.vary, points.si.T, strict=True)
        }
        figures = {name: (TASK, column, {"units": unit}) for name, unit, column in zip(*_of(self._columns), self.figures.T, strict=True)}
        own = {
            "state": (TASK, self.state, {"flag_values": [0, 1, 2], "flag_meanings": "to_do done failed"}),
            "reason": (TASK, np.full(len(self.state), "", dtype=object), {"long_name": "why a task failed"}),
            "wall_s": (TASK, self.wall, {"units": "s"}),
            "cpu_s": (TASK, self.cpu, {"units": "s"}),
        }
        data = xarray.Dataset(
            {**figures, **own}, {TASK: np.arange(len(self.state)), **varied}, {"title": campaign.title, "campaign": json.dumps(stated)}
        )
        encoding = {name: {"chunks": (CHUNK,)} for name in data.variables}
        part = self.path.with_name(f".{self.path.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of the consolidated form, which readers of format 2 expect
                data.to_zarr(part, mode="w", zarr_format=2, consolidated=True, encoding=encoding)
            part.replace(self.path)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def _open(self, points: Points, stated: Mapping[str, Json]) -> None:
        import zarr

        try:
            group = zarr.open_group(self.path, mode="r", zarr_format=2)
            before = json.loads(str(group.attrs["campaign"]))
        except (KeyError, ValueError, FileNotFoundError) as error:
            raise ConfigError(f"{self.path}: is no result of `rig sweep` ({error}); give another --out") from None
        if differing := _differences(before, stated):
            more = [f"... and {len(differing) - SHOWN} more"] if len(differing) > SHOWN else []
            what = f"{self.path}: holds the result of another campaign; give another --out, or remove it. What differs:"
            raise ConfigError([what, *differing[:SHOWN], *more])
        if not all(np.array_equal(group[one.key][:], column) for one, column in zip(points.vary, points.si.T, strict=True)):
            raise ConfigError(
                f"{self.path}: the tasks of this campaign were drawn otherwise by another version of scipy or SALib; give another --out"
            )
        self.state[:], self.wall[:], self.cpu[:] = (group[name][:] for name in ("state", "wall_s", "cpu_s"))
        for column, name in enumerate(self._columns.names):
            self.figures[:, column] = group[name][:]
        reasons = group["reason"][:]
        self.reasons = {int(k): str(reasons[k]) for k in np.flatnonzero(reasons != "")}


def journal_of(path: Path) -> Path:
    """Beside the data set."""
    return path.with_name(f"{path.stem}.journal")


def lock_of(path: Path) -> Path:
    """Beside the data set."""
    return path.with_name(f"{path.stem}.lock")


def size(tasks: int, keys: int, figures: int) -> int:
    """Bytes that a campaign takes at most, with its journal."""
    return tasks * (8 * (keys + figures + 3) + 1 + ROW_BYTES)


def _of(columns: Columns) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return columns.names, columns.units


def _differences(before: Json, now: Json, at: str = "") -> list[str]:
    """One line for each value that is another one."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        keys = [*dict.fromkeys([*before, *now])]
        return [line for key in keys for line in _differences(before.get(key), now.get(key), f"{at}.{key}".lstrip("."))]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return [line for k, pair in enumerate(zip(before, now, strict=True)) for line in _differences(*pair, f"{at}.{k}")]
    if isinstance(before, str) and isinstance(now, str) and "\n" in before + now:
        pairs = [(a, b) for a, b in zip(before.splitlines(), now.splitlines(), strict=False) if a != b]
        text = [f"{at}: {b.strip()!r}; in the result {a.strip()!r}" for a, b in pairs[:1]]
        return (text or [f"{at}: another text"]) if before != now else []
    return [] if before == now else [f"{at}: {now!r}; in the result {before!r}"]


def _to_the_disk(path: Path) -> None:
    """Every file of the data set, so that the journal can go."""
    for folder, _, files in os.walk(path):
        for name in files:
            handle = os.open(Path(folder) / name, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        output_files.names_to_the_disk(Path(folder))


@contextlib.contextmanager
def _told(path: Path, kind: type[RigError] = ConfigError):  # type: ignore[no-untyped-def]
    try:
        yield
    except OSError as error:
        raise kind(f"{path}: cannot be written: {error.strerror or error}") from None
