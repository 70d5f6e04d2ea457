"""How often one program is told of one kind of notice: at once, then no more than one in `every` s; what comes meanwhile is counted."""

from __future__ import annotations

import math
from dataclasses import replace

from rig.notification.notice import Notice


class Pacing:
    """Of one program. Times in s, of one clock that does not jump."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._told: dict[str, float] = {}
        self._waiting: dict[str, Notice] = {}

    def note(self, notice: Notice) -> None:
        """It is to be told: the newest one of its kind, with the number of those that it stands for."""
        before = self._waiting.get(notice.notice)
        self._waiting[notice.notice] = replace(notice, count=notice.count + (before.count if before else 0))

    def due(self, now: float) -> list[Notice]:
        """What is to go out now."""
        names = [name for name in self._waiting if now >= self._at(name)]
        self._told.update(dict.fromkeys(names, now))
        return [self._waiting.pop(name) for name in names]

    def rest(self) -> list[Notice]:
        """What has not gone out, and does not go out any more."""
        left = [*self._waiting.values()]
        self._waiting.clear()
        return left

    @property
    def next_at(self) -> float:
        """When something will be due; infinite where nothing waits."""
        return min((self._at(name) for name in self._waiting), default=math.inf)

    def _at(self, name: str) -> float:
        return self._told.get(name, -math.inf) + self._every
