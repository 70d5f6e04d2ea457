"""After a test in stroke mode: the loader stands under the force it ended with, and is brought out of it under a limit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from drivers.servo_loader import Preparation
from rig.preparation.settings import Reading, Settings
from rig.preparation.unloading import Unload
from rig.workers.output import Block, Output


class Unloading:
    """Takes the output by hand; one decision a block."""

    def __init__(self, loader: Any, output: Output, block: int, rate: float, force: Block, stroke: Block) -> None:
        shares = loader.preparation or Preparation()
        settings = Settings.of(shares, loader.force_full_scale, loader.stroke_full_scale, block, rate)
        self._output, self._stage = output, Unload(settings)
        self.needed = not abs(float(np.mean(force))) < settings.touch
        if self.needed:
            self._setpoint = self._stage.begin(Reading(output.hold(), np.full(len(force), math.nan), force, stroke))

    def take(self, force: Block, stroke: Block) -> bool:
        """One block; True when the force is gone. Raises BenchRefused when it is not to be got rid of."""
        setpoint = self._stage.next(Reading(self._setpoint, np.full(len(force), self._setpoint), force, stroke))
        if setpoint is None:
            return True
        self._setpoint = setpoint
        self._output.put(setpoint)
        return False

    def figures(self) -> str:
        """In words."""
        return self._stage.figures()
