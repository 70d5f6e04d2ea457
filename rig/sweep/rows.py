"""One task's result, and what every task of a campaign has in common."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

from drivers.files.plain_values import Json

TO_DO, DONE, FAILED = 0, 1, 2
"""States of a task."""
WORDS = 300  # characters of a reason


class Row(NamedTuple):
    """Task `index`: its state, its figures in the order of [[keep]] (None: the motion has none), what it took, and why it failed."""

    task: int
    state: int
    figures: tuple[float | None, ...]
    wall_s: float
    cpu_s: float
    reason: str

    @classmethod
    def failed(cls, index: int, reason: str, wall_s: float = 0.0, cpu_s: float = 0.0) -> Row:
        """Of a task that has no figures."""
        return cls(index, FAILED, (), wall_s, cpu_s, " ".join(reason.split())[:WORDS])


@dataclass(frozen=True)
class Work:
    """What a worker has to know of a campaign; paths are absolute. `keep`: (channel, figure, criterion) each. `home`: name of the computer
    that the campaign was started on. `digest`: of the files that the experiment is made of."""

    task: str
    experiment: str
    function: str
    set: tuple[str, ...]
    keep: tuple[tuple[str, str, str], ...]
    after: float
    time_limit: float
    deaths: int
    home: str
    digest: str

    def to_json(self) -> dict[str, Json]:
        """As a process of its own takes it."""
        data: dict[str, Json] = asdict(self)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Json]) -> Work:
        """Back again."""
        return cls(**{**data, "set": tuple(data["set"]), "keep": tuple(tuple(one) for one in data["keep"])})  # type: ignore[arg-type, union-attr]


Asked = tuple[int, tuple[str, ...] | dict[str, float | str]]
"""A task: its index, and its "KEY=VALUE", or a function's arguments."""
