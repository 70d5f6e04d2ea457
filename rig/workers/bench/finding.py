"""What is found in a block of a test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something against going on as before; `action` as of a limit."""

    sample: int
    kind: str  # "limit", "specimen", "overload", "dead_channel", "implausible", "lag", "missing_pulse", "extra_pulse", "index_correction"
    text: str
    action: str

    @property
    def message(self) -> str:
        """For the record."""
        return self.text if self.kind == "specimen" else f"{self.text}; action: {self.action}"
