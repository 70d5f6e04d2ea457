"""The moment of a record that is shown, and how it moves."""

from __future__ import annotations

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)


class Playhead:
    """Sample index between 0 and `end`; plays at `speed` times real time."""

    def __init__(self, end: int, rate: float, position: float) -> None:
        self.end, self.rate = end, rate
        self.speed, self.playing = 1.0, False
        self._exact = 0.0
        self._clock: float | None = None
        self.seek(position)

    @property
    def position(self) -> int:
        return int(self._exact)

    def tick(self, clock: float) -> None:
        """Move on to `clock` (a monotonic clock, s); it stops at the end."""
        if self.playing and self._clock is not None:
            self._exact = min(self._exact + (clock - self._clock) * self.speed * self.rate, float(self.end))
            self.playing = self._exact < self.end
        self._clock = clock

    def seek(self, position: float) -> None:
        """Go to a sample, as near as the record has it."""
        self._exact = min(max(float(position), 0.0), float(self.end))

    def toggle(self) -> None:
        """Play or pause; at the end it plays from the beginning."""
        if not self.playing and self._exact >= self.end:
            self._exact = 0.0
        self.playing = not self.playing and self.end > 0
