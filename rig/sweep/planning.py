"""What a campaign costs: a few of its tasks are computed here, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from drivers.files.plain_values import Json
from rig.console.counted import counted
from rig.console.time_left import rounded
from rig.errors import RigError
from rig.sweep.cluster import cores
from rig.sweep.dataset import size
from rig.sweep.preparing import Prepared
from rig.sweep.rows import FAILED
from rig.sweep.scheduling import measured

FEW, TESTS = 5, 1  # tasks that are measured: of models, of whole tests


@dataclass(frozen=True)
class Plan:
    """cost: s of one worker for all tasks; bytes: of the data set and its journal, at most."""

    tasks: int
    cost: float
    bytes: int
    measured: int

    def to_json(self) -> dict[str, Json]:
        """{tasks, cost_s, bytes}."""
        return {"tasks": self.tasks, "cost_s": self.cost, "bytes": self.bytes, "measured": self.measured}

    def text(self) -> str:
        """Three lines."""
        each = self.cost / self.tasks
        return "\n".join([
            f"tasks  {self.tasks}",
            f"time   {rounded(self.cost)} of one worker, by {counted(self.measured, 'task')} of {each:.3g} s on average; "
            f"{rounded(self.cost / cores())} on the {counted(cores(), 'core')} here",
            f"disk   {self.bytes / 1e6:.3g} MB at most",
        ])  # fmt: skip


def plan(prepared: Prepared, tell: Callable[[str], None]) -> Plan:
    """Raises RigError where all of the few fail."""
    tasks = len(prepared.points.numbers)
    few = min(tasks, TESTS if prepared.campaign.task == "run" else FEW)
    tell(f"computing {counted(few, 'task')} of {tasks} to see how long they take")
    rows = [*measured(prepared.work, prepared.points, [int((k + 0.5) * tasks / few) for k in range(few)])]
    if all(row.state == FAILED for row in rows):
        raise RigError(f"all of {counted(few, 'task')} failed: task {rows[0].task}: {rows[0].reason}")
    cost = tasks * sum(row.wall_s for row in rows) / few
    return Plan(tasks, cost, size(tasks, len(prepared.campaign.vary), len(prepared.campaign.keep)), few)
