"""How a run went."""

from __future__ import annotations

from dataclasses import dataclass, field

from rig.supervision.worker_process import Usage
from rig.workers.messages import EventMessage, Figures

SEVERITY = {"done": 0, "stopped": 1, "tripped": 2, "failed": 3}


@dataclass
class Outcome:
    """Gathered while the run lasts; the worst that happens is the outcome."""

    outcome: str = "done"
    reason: str = ""
    startup_s: float | None = None
    begun_at: float | None = None  # time.time() of the first sample, s; None before
    duration_s: float = 0.0
    cpu_cores: float | None = None
    events: list[EventMessage] = field(default_factory=list)
    processes: dict[str, Usage] = field(default_factory=dict)
    figures: dict[str, Figures] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    deaths: dict[str, str] = field(default_factory=dict)
    """Last words of each process that ended although it was not to."""

    def worse(self, outcome: str, reason: str) -> None:
        """Something ended the run as `outcome`; the first reason of the worst one stays."""
        if SEVERITY[outcome] > SEVERITY[self.outcome]:
            self.outcome, self.reason = outcome, reason

    @property
    def failed(self) -> bool:
        return self.outcome == "failed"
