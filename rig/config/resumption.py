"""Where a test that was broken off goes on, as its workers need to know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from drivers.files.plain_values import Json, table


@dataclass(frozen=True)
class Resumption:
    """One more session of a test, from its second on.

    cycle: which is begun with, None for the whole trajectory from its beginning; pace: how many times as fast as the trajectory says;
    repeated: cycles that the command has counted beyond those of the trajectory, to run another one once more; changes: keys of the
    trajectory's table that an operator had changed, and their values (SI); correction: mean, real and imaginary part of the fundamental
    that an outer loop had come to. The record goes on in part `part`, which begins at sample `part_first`, and the session's own sample 0
    is sample `first_sample` of it; apart: where streams with rows of their own go on. memory: what limits had learned. text: what the
    record is to say of it.
    """

    session: int
    cycle: int | None
    part: int
    part_first: int
    first_sample: int
    pace: float = 1.0
    repeated: int = 0
    changes: Mapping[str, float] = field(default_factory=dict)
    correction: tuple[float, float, float] | None = None
    apart: Mapping[str, int] = field(default_factory=dict)
    memory: Mapping[str, object] = field(default_factory=dict)
    text: str = ""

    def to_json(self) -> dict[str, Json]:
        """As it stands in plan.json."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Json) -> Resumption | None:
        """Raises TypeError, ValueError, LookupError for what `to_json` never gives."""
        if data is None:
            return None
        values = dict(table(data))
        if (correction := values.get("correction")) is not None:
            assert isinstance(correction, list)
            values["correction"] = tuple(correction)
        return cls(**values)  # type: ignore[arg-type]
