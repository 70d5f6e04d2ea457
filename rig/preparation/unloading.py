"""Ways out of a force, in stroke mode, under a limit on the force."""

from __future__ import annotations

from rig.errors import BenchRefused
from rig.preparation.settings import Reading, Settings, towards

FASTER = 2.0  # than the way in
NEAR = 0.1  # of the probe: close enough to where the stroke was
BEHIND = 0.25  # of the longest way: farther behind, the valve does not answer
LONGEST = 1.0  # s that the last bit may take


class Return:
    """Last stage: back to the stroke `home`, where the specimen was before."""

    name, mode = "unloading", "stroke"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.home = 0.0
        self._waited = 0
        self.stroke = 0.0

    def begin(self, reading: Reading) -> float:
        self._most = abs(reading.force_now) + self._settings.touch
        return reading.stroke_now

    def next(self, reading: Reading) -> float | None:
        """The next setpoint; None when the stroke is back. Raises BenchRefused when the force grows on the way out."""
        s, self.stroke = self._settings, reading.stroke_now
        _bounded(reading, self._most)
        if reading.setpoint != self.home:
            return towards(reading.setpoint, self.home, FASTER * s.speed * s.block)
        self._waited += 1
        near = abs(reading.stroke_now - self.home) < NEAR * s.stroke_probe
        return None if near or self._waited * s.block > LONGEST else self.home

    def explain(self, reading: Reading) -> None:
        return None

    def figures(self) -> str:
        return f"back to {(self.stroke - self.home) * 1e6:+.1f} um of where the stroke was"


class Unload:
    """After a test in stroke mode: against the force, until there is none to speak of."""

    name, mode = "unloading", "stroke"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def begin(self, reading: Reading) -> float:
        self._most, self._stroke = abs(reading.force_now) + self._settings.touch, reading.stroke_now
        self._from = reading.setpoint
        self.force, self.way = reading.force_now, 0.0
        return reading.setpoint

    def next(self, reading: Reading) -> float | None:
        """The next setpoint; None when there is less than `touch`. Raises BenchRefused when the force grows, or does not
        fall, or the stroke does not follow."""
        s = self._settings
        self.force, self.way = reading.force_now, reading.stroke_now - self._stroke
        _bounded(reading, self._most)
        if abs(self.force) < s.touch:
            return None
        if abs(self.way) > s.travel:
            raise BenchRefused("unloading", f"{self.force / 1e3:.2f} kN are left {abs(self.way) * 1e3:.2f} mm on the way out")
        behind = abs(reading.setpoint - self._from) - abs(self.way)
        if behind > BEHIND * s.travel:
            text = f"{self.force / 1e3:.2f} kN are left, and the stroke is {behind * 1e3:.2f} mm behind its setpoint: it does not follow"
            raise BenchRefused("unloading", f"{text}; look at the valve and its supply")
        direction = -1.0 if self.force > 0.0 else 1.0
        return reading.setpoint + direction * s.speed * s.block

    def explain(self, reading: Reading) -> None:
        return None

    def figures(self) -> str:
        return f"unloaded to {self.force / 1e3:.2f} kN within {abs(self.way) * 1e3:.3f} mm"


def _bounded(reading: Reading, most: float) -> None:
    if not abs(reading.force_now) <= most:
        raise BenchRefused("unloading", f"the force grows to {reading.force_now / 1e3:.2f} kN on the way out, limit {most / 1e3:.2f} kN")
