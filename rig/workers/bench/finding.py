"""What is found in a block of a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from drivers.files.plain_values import Json


@dataclass(frozen=True)
class Finding:
    """Something against going on as before; `action` as of a limit."""

    sample: int
    kind: str  # "limit", "specimen", "overload", "dead_channel", "implausible", "lag", "missing_pulse", "extra_pulse", "index_correction"
    text: str
    action: str
    limit: Mapping[str, Json] | None = field(default=None, compare=False)
    """Of a limit: see `learned_limits.acted`."""

    @property
    def message(self) -> str:
        """For the record."""
        return self.text if self.kind == "specimen" else f"{self.text}; action: {self.action}"
