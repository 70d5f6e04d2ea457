"""How long something that is counted will go on, by how long it has taken so far."""

from __future__ import annotations

from rig.host import clock

SOON = 5.0
"""s that are passed before anything is said of what is left."""


class TimeLeft:
    """Of `total` things that take about as long each; from its making on."""

    def __init__(self, total: int) -> None:
        self._total, self._begun = total, clock.now()

    def words(self, done: int) -> str:
        """As `, about 3 min left`; nothing while it is too early to tell, or at the end."""
        passed = clock.now() - self._begun
        if not 0 < done < self._total or passed < SOON:
            return ""
        return f", about {rounded(passed * (self._total - done) / done)} left"


def rounded(seconds: float) -> str:
    """As a person would say it."""
    if seconds < 90.0:
        return f"{max(5.0, 5.0 * round(seconds / 5.0)):g} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
