"""Signals as a running task sees them, through its digital filters."""

from __future__ import annotations

from drivers.simulated.daqmx.core.edges import Edges, TimeSlice
from drivers.simulated.daqmx.core.task import Task


def seen(piece: TimeSlice, task: Task, key: str, pin: str) -> Edges:
    """The signal at a terminal as a running task sees it: through its filter `key`, if there is one."""
    found = task.filters.get(key)
    if found is None:
        return piece.edges(pin)
    known = piece.filtered.get(found)
    if known is None:
        known = piece.filtered[found] = found.through(piece, piece.edges(found.pin))
    return known


def follow(piece: TimeSlice, task: Task) -> None:
    """The filters of a running task see every piece, whether or not the task goes by what they let through in it."""
    for key, found in task.filters.items():
        seen(piece, task, key, found.pin)
