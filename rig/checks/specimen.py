"""Is the specimen still there? Force mode: a command that nothing answers is a loose specimen, or one that has parted.

Inside its play the specimen carries nothing either, so the stroke decides: it may go as far without force as there is play, no further.
Pure functions of arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

WINDOW = 1e-3  # s over which force, stroke and command are averaged
CARRIES = 0.2  # share of the command: less than this is no answer
CARRIED = 0.5  # share of the command: as much as this, on the same side, was an answer

Samples = NDArray[np.float64]


class Expected(Protocol):
    """What a test says of its specimen (`rig.config.experiment.Specimen`)."""

    @property
    def travel(self) -> float: ...
    @property
    def patience(self) -> float: ...
    @property
    def least(self) -> float: ...


@dataclass(frozen=True)
class Gone:
    """Found at `sample`; `name` is slack or specimen broke."""

    sample: int
    name: str
    text: str


class SpecimenCheck:
    """Takes blocks in order."""

    def __init__(self, expected: Expected, rate: float) -> None:
        self._expected, self._rate = expected, rate
        self._window = max(1, round(WINDOW * rate))
        self._side = 0.0
        self._largest = 0.0  # force on the command's side since it took that side
        self._since: tuple[int, float] | None = None  # sample and stroke at which the answer stayed away
        self._told = False

    def check(self, first: int, command: Samples, force: Samples, stroke: Samples) -> Gone | None:
        """Samples first .. of command and force (N) and stroke (m), each (k,). Says it once."""
        edges = np.arange(0, len(command), self._window)
        counts = np.diff(np.append(edges, len(command)))
        means = (np.add.reduceat(values, edges) / counts for values in (command, force, stroke))
        for edge, c, f, s in zip(edges, *means, strict=True):
            gone = self._look(first + int(edge), float(c), float(f), float(s))
            if gone is not None and not self._told:
                self._told = True
                return gone
        return None

    def _look(self, sample: int, command: float, force: float, stroke: float) -> Gone | None:
        side = float(np.sign(command)) if abs(command) >= self._expected.least else 0.0
        if side != self._side or side == 0.0:
            self._side, self._largest, self._since = side, 0.0, None
            return None
        force *= side
        if force >= CARRIES * abs(command):
            self._largest, self._since = max(self._largest, force), None
            return None
        if self._since is None:
            self._since = (sample, stroke)
        return self._judge(sample, command, force, abs(stroke - self._since[1]), (sample - self._since[0]) / self._rate)

    def _judge(self, sample: int, command: float, force: float, way: float, away: float) -> Gone | None:
        if way <= self._expected.travel and away <= self._expected.patience:
            return None
        while_ = f"while {abs(command) / 1e3:.2f} kN are commanded, and the stroke went {way * 1e3:.2f} mm in {away * 1e3:.0f} ms"
        if self._largest >= CARRIED * abs(command):
            return Gone(sample, "specimen broke", f"the force fell from {self._largest / 1e3:.2f} kN to {force / 1e3:.2f} kN {while_}")
        return Gone(sample, "slack", f"the force is {force / 1e3:.2f} kN {while_}; is the specimen gripped?")
