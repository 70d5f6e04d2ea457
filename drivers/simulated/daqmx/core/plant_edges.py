"""Signals of the plant whose edges have exact times: an encoder's phases, a pickup's pulse.

They are known once the plant has gone through a piece of time. Counters and digital inputs take them in after that, at their exact times.
What would go by them earlier is refused (`trigger_checks.py`): the clock, trigger or pause of an analogue task, or of one that puts
something out.
"""

from __future__ import annotations

import numpy as np

from drivers.simulated.daqmx.core.edges import Edges
from drivers.simulated.daqmx.core.instants import NEVER, Times
from drivers.simulated.plant.plant import EdgeSource, Plant


class PlantEdges:
    """Levels of a plant's `edge_outputs`, and their edges in the piece of time that is being worked out.

    Raises ValueError where the plant does not keep to its protocol.
    """

    def __init__(self, plant: Plant) -> None:
        self._source = plant if isinstance(plant, EdgeSource) else None
        self.names = () if self._source is None else tuple(self._source.edge_outputs)
        levels = () if self._source is None else self._source.edge_levels
        if len(levels) != len(self.names):
            raise ValueError(f"plant: expected edge_levels of {', '.join(self.names)}, got {len(levels)}")
        self._levels = dict(zip(self.names, map(bool, levels), strict=True))
        self._fresh: dict[str, Times] = dict.fromkeys(self.names, NEVER)

    def take(self, until: float) -> None:
        """The plant has gone on to `until` (s): take its edges."""
        if self._source is None or not self.names:
            return
        for name, times in zip(self.names, self._source.take_edges(), strict=True):
            if len(times):
                self._fresh[name] = fresh = np.concatenate([self._fresh[name], times])
                if np.any(np.diff(fresh) <= 0.0) or fresh[-1] > until:
                    raise ValueError(f"plant: edges of {name}: expected times that increase, up to {until:.9g} s; got {times[0]:.9g} s "
                                     f"to {times[-1]:.9g} s")  # fmt: skip

    def level(self, name: str) -> bool:
        """Level before the piece."""
        return self._levels[name]

    def over(self, name: str) -> Edges:
        """The signal over the piece, after the plant has gone through it."""
        high, times = self._levels[name], self._fresh[name]
        return Edges(high, times[int(high) :: 2], times[1 - int(high) :: 2])

    def passed(self) -> None:
        """The piece is through."""
        for name, times in self._fresh.items():
            if len(times):
                self._levels[name] ^= bool(len(times) % 2)
                self._fresh[name] = NEVER
