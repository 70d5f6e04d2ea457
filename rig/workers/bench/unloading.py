"""After a test in stroke mode: the loader stands under the force it ended with, and is brought out of it under a limit."""

from __future__ import annotations

import math

import numpy as np

from drivers.loaders.preparation import Preparation
from drivers.loaders.settings import AnalogLoaderSettings
from rig.preparation.settings import Reading, Settings
from rig.preparation.unloading import Unload
from rig.workers.bench.output import Block, Output


class Unloading:
    """Takes the output by hand; one decision a block."""

    def __init__(self, loader: AnalogLoaderSettings, output: Output, block: int, rate: float, force: Block, stroke: Block) -> None:
        shares = loader.preparation or Preparation()
        settings = Settings.from_shares(shares, loader.force_full_scale, loader.stroke_full_scale, block, rate)
        self._output, self._stage, self._tail = output, Unload(settings), settings.tail
        self.needed = not abs(float(np.mean(force))) < settings.touch
        if self.needed:
            self._setpoint = output.hold()
            self._setpoint = self._stage.begin(self._reading(math.nan, force, stroke))

    def take(self, force: Block, stroke: Block) -> bool:
        """One block; True when the force is gone. Raises BenchRefused when it is not to be got rid of."""
        setpoint = self._stage.next(self._reading(self._setpoint, force, stroke))
        if setpoint is None:
            return True
        self._setpoint = setpoint
        self._output.put(setpoint)
        return False

    def _reading(self, command: float, force: Block, stroke: Block) -> Reading:
        k = len(force)
        return Reading(self._setpoint, np.full(k, command), force, stroke, self._tail, np.ones(k, dtype=bool))

    def figures(self) -> str:
        """In words."""
        return self._stage.figures()
