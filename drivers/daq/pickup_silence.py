"""Whether a pickup or an encoder has fallen silent: on one shaft each tells of the other.

A counter that gets no pulses reads on without an error (it counts none), so a broken wire looks like a shaft that stands still.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from drivers.daq.wiring import Counter
from drivers.errors import NoReply

LONGEST = 3.0
"""Pulses that an encoder's angle may be worth while the pickup gives none; one or two that are missing can be bridged."""
FEWEST = 3
"""Pulses of the pickup without any count of the encoder: more than one that chatters at its edge gives while the shaft moves a little."""
STANDING = 2.5
"""Counts of an encoder of which one phase is dead: it goes to and fro by one."""
TURN = 2.0 * np.pi


class Pair:
    """A pickup beside an encoder; `resolution` is the angle (rad) of one count."""

    def __init__(self, pickup: Counter, encoder: Counter, resolution: float) -> None:
        self._pickup, self._encoder = pickup, encoder
        self._pitch, self._standing = TURN / pickup.pulses, STANDING * resolution
        self.begin(encoder.at_start)

    def begin(self, angle: float) -> None:
        """A start at `angle` (rad): no pulse yet."""
        self._count, self._moved_at = 0.0, 0.0
        self._anchor = self._mark = angle

    def look(self, pulses: NDArray[np.float64], angle: NDArray[np.float64]) -> None:
        """The next samples (k,) of both, pulses from 0 on. Raises NoReply that names the one that gives nothing."""
        if not len(pulses):
            return
        if np.max(np.abs(angle - self._mark)) > self._standing:
            self._mark, self._moved_at = float(angle[-1]), float(pulses[-1])
        if pulses[-1] - self._moved_at >= FEWEST:
            raise NoReply(self._words(self._encoder, f"no counts over {FEWEST} pulses of {self._pickup.name}"))
        if pulses[-1] > self._count:
            self._anchor = float(angle[np.searchsorted(pulses, pulses[-1])])
            self._count = float(pulses[-1])
        if (turned := abs(angle[-1] - self._anchor) / self._pitch) > LONGEST:
            raise NoReply(self._words(self._pickup, f"no pulse while {self._encoder.name} turned by {turned:.1f} of its pulses"))

    def _words(self, item: Counter, what: str) -> str:
        inputs = ", ".join(terminal for terminal in (item.a, item.b) if terminal) or "the counter's own inputs"
        return (
            f"DAQ: channel {item.name} ({item.kind}) on {item.terminal}: {what}; look at the {item.kind}, its supply and its wires to "
            f"{inputs}, and at counter.pulses"
        )


def pairs(counters: Sequence[Counter], resolution: dict[str, float]) -> list[tuple[Pair, int, int]]:
    """(pair, column of the pickup, column of the encoder) of pickups that stand beside an encoder."""
    columns = {item.name: column for column, item in enumerate(counters)}
    return [
        (Pair(item, counters[columns[item.beside]], resolution[item.beside]), column, columns[item.beside])
        for column, item in enumerate(counters)
        if item.beside in columns
    ]
