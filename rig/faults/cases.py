"""One case of a campaign: a fault of the bench, or one of the computer and of its operator."""

from __future__ import annotations

from typing import Any

from rig.faults import host_faults, injecting
from rig.faults.injecting import Course
from rig.faults.table import Rig, Row


def injected(course: Course, row: Row, rig: Rig, seed: int) -> dict[str, Any]:
    """The judgement of one injection, JSON values."""
    return host_faults.injected(course, row, rig, seed) if row.host else injecting.injected(course, row, rig, seed)
