"""Second stage: the play is taken up in stroke mode, slowly, until the specimen carries a small force on one side."""

from __future__ import annotations

import math

from rig.errors import BenchRefused
from rig.preparation.settings import Reading, Settings

CREEP = 0.25  # of the speed, once there is contact
REST = 0.05  # s at the preload before it counts
ENOUGH = 0.8  # of the preload, still there after the rest
LOST = 0.3  # of the largest force so far: less than this, with the stroke going on, is a specimen that gave way


class Seating:
    """Fast until there is contact, then creeping."""

    name, mode = "seating", "stroke"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._touched = False
        self._largest = 0.0
        self._wait = 0
        self.force = self.way = 0.0

    def begin(self, reading: Reading) -> float:
        """Goes on from the stage before; where the program was off since, as when it is seated again, from where the stroke is."""
        self._stroke = reading.stroke_now
        return self._stroke if math.isnan(reading.setpoint) else reading.setpoint

    def next(self, reading: Reading) -> float | None:
        """The next setpoint; None when seated. Raises BenchRefused: slack, sign, specimen."""
        s = self._settings
        force = s.side * reading.force_now
        self.force, self.way = reading.force_now, reading.stroke_now - self._stroke
        self._largest = max(self._largest, force)
        if self._wait:
            return self._resting(reading, force)
        if force >= abs(s.preload):
            self._wait = s.blocks(REST)
            return reading.stroke_now
        if force <= -s.touch:
            raise BenchRefused(
                "sign", f"force reads {reading.force_now / 1e3:.2f} kN when the stroke goes {self._word()}: the force monitor is inverted"
            )
        if self._largest > 2.0 * s.touch and force < LOST * self._largest:
            raise BenchRefused("specimen", f"the force fell from {self._largest / 1e3:.2f} kN to {force / 1e3:.2f} kN while it was seated")
        if abs(self.way) > s.travel or abs(reading.setpoint - self._stroke) > s.travel + s.stroke_probe:
            raise BenchRefused(
                "slack",
                f"{abs(self.way) * 1e3:.2f} mm {self._word()} and only {reading.force_now / 1e3:.3f} kN: more play than the "
                f"{s.travel * 1e3:g} mm that preparation.travel allows; is the specimen gripped?",
            )
        return self._going(reading, force)

    def explain(self, reading: Reading) -> None:
        return None

    def figures(self) -> str:
        return f"seated at {self.force / 1e3:.2f} kN after {self.way * 1e3:.3f} mm"

    def _going(self, reading: Reading, force: float) -> float:
        s = self._settings
        if not self._touched and force >= s.touch:
            self._touched = True
            return reading.stroke_now  # stops at once, without what the command was ahead
        reach = s.speed * s.block * (CREEP if self._touched else 1.0)
        return reading.setpoint + s.side * reach

    def _resting(self, reading: Reading, force: float) -> float | None:
        self._wait -= 1
        if self._wait:
            return reading.setpoint
        return None if force >= ENOUGH * abs(self._settings.preload) else reading.setpoint

    def _word(self) -> str:
        return "into tension" if self._settings.side > 0.0 else "into compression"
