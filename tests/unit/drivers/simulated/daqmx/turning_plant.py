"""A shaft that turns at a rippling speed, with an encoder, its index and a pickup once a turn: angles and edges are exact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TURN = 2.0 * np.pi


class TurningPlant:
    """angle(t) = begin + speed (t + ripple / (n speed) sin(n speed t)), forward; `silent`: signals that have died.

    A line of the encoder begins with the rise of A; B follows a quarter later. The index is high over most of the line that begins at
    `index` (rad), the pickup over 0.1 rad from `pickup` on. Analogue: cosine and sine of the angle, V.
    """

    analogue_inputs: tuple[str, ...] = ()
    analogue_outputs = ("cosine", "sine")
    digital_inputs: tuple[str, ...] = ()
    digital_outputs: tuple[str, ...] = ()
    edge_outputs = ("encoder_a", "encoder_b", "encoder_z", "pickup")

    def __init__(
        self, speed: float = 10.0 * np.pi, ripple: float = 0.01, harmonic: int = 4, lines: int = 1024, begin: float = 1e-4,
        index: float = 0.0, pickup: float = np.pi, silent: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.speed, self.ripple, self.harmonic, self.begin, self.silent = speed, ripple, harmonic, begin, silent
        line = TURN / lines
        self.spans = ((line, 0.0, line / 2), (line, line / 4, line / 2), (TURN, index - line / 8, 3 * line / 4), (TURN, pickup, 0.1))
        self.edge_levels = tuple(bool((begin - first) % every < high) for every, first, high in self.spans)
        self.now, self.taken = 0.0, 0.0

    def angle(self, times: float | NDArray[np.float64]) -> NDArray[np.float64]:
        n = self.harmonic * self.speed
        return np.asarray(self.begin + self.speed * (times + self.ripple / n * np.sin(n * np.asarray(times))))

    def advance(self, times, volts, lines):
        self.now = float(times[-1])
        angle = self.angle(times)
        return np.column_stack([np.cos(angle), np.sin(angle)])

    def take_edges(self):
        first, last = self.taken, self.now
        self.taken = last
        found = [self._edges(every, at, high, first, last) for every, at, high in self.spans]
        return [np.empty(0) if name in self.silent else times for name, times in zip(self.edge_outputs, found, strict=True)]

    def _edges(self, every: float, at: float, high: float, first: float, last: float) -> NDArray[np.float64]:
        low, top = self.angle(np.array([first, last]))
        begins = at + every * np.arange(np.floor((low - at) / every) - 1, np.ceil((top - at) / every) + 1)
        angles = np.sort(np.concatenate([begins, begins + high]))
        angles = angles[(angles > low) & (angles <= top)]
        times = (angles - self.begin) / self.speed
        for _ in range(6):
            slope = self.speed * (1.0 + self.ripple * np.cos(self.harmonic * self.speed * times))
            times = times - (self.angle(times) - angles) / slope
        return np.clip(times, np.nextafter(first, np.inf), last)

    def read_lines(self):
        return np.empty(0, dtype=bool)

    def take_events(self):
        return []
