"""Third stage: seated, in force mode, the force is moved a little about the preload."""

from __future__ import annotations

from rig.errors import BenchRefused
from rig.preparation.settings import Reading, Settings, towards

HOLD = 0.03  # s at the force that was taken over
RISE = 0.05  # s from one plateau to the next
LEAST = 0.08  # s that a plateau lasts: two windows and more
FOLLOWED = 0.2  # share of the command within which a force has followed it
STEADY = 0.004  # share of the probe that the force may still move within a quarter of a plateau's least
WINDOW = 0.02  # s


class ForceProbe:
    """Above the preload, below it, back to it."""

    name, mode = "force probe", "force"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._legs = [settings.preload + settings.force_probe, settings.preload - settings.force_probe, settings.preload]
        self._plateaus: list[tuple[float, float]] = []
        self._window: list[float] = []  # means of the blocks on this plateau
        self._followed = False
        self.gain = float("nan")

    def begin(self, reading: Reading) -> float:
        self._stroke = reading.stroke_now
        self._held = self._settings.blocks(HOLD)
        return reading.force_now

    def next(self, reading: Reading) -> float | None:
        """The next setpoint; None when the stage is over. Raises BenchRefused: sign, span, specimen, stroke bound."""
        s = self._settings
        self._check(reading)
        if self._held > 0:
            self._held -= 1
            self._followed = abs(reading.force_now - reading.setpoint) <= FOLLOWED * abs(reading.setpoint)
            return reading.setpoint
        target = self._legs[0]
        if reading.setpoint != target:
            self._window = []
            return towards(reading.setpoint, target, 2.0 * s.force_probe * s.block / RISE)
        self._window.append(float(reading.force.mean()))
        if len(self._window) < s.blocks(LEAST) or not self._steady(reading):
            return target
        self._plateaus.append((target, self._mean()))
        self._legs.pop(0)
        if self._legs:
            return target
        self._judge()
        return None

    def explain(self, reading: Reading) -> None:
        """Raise BenchRefused if force and command tell why a guard ended the stage."""
        if abs(reading.setpoint) < self._settings.touch:
            return
        share = reading.force_now / reading.setpoint
        if self._followed and share < 1.0 - FOLLOWED:
            raise BenchRefused(
                "specimen", f"the force fell to {reading.force_now / 1e3:.2f} kN when {reading.setpoint / 1e3:.2f} kN were asked"
            )
        if share < 0.0:
            raise BenchRefused("sign", f"force {reading.force_now / 1e3:.2f} kN when {reading.setpoint / 1e3:.2f} kN were asked")
        if abs(share - 1.0) > FOLLOWED:
            raise BenchRefused(
                "span",
                f"force {reading.force_now / 1e3:.2f} kN when {reading.setpoint / 1e3:.2f} kN were asked: "
                f"set the span of the external command to 100 % in force mode (it looks like {100 * share:.0f} %)",
            )

    def figures(self) -> str:
        return f"force follows with a gain of {self.gain:.4f}"

    def _check(self, reading: Reading) -> None:
        s = self._settings
        moved = reading.stroke_now - self._stroke
        if abs(moved) > s.stroke_bound:
            if s.side * reading.force_now < s.touch:
                raise BenchRefused(
                    "specimen", f"the force fell to {reading.force_now / 1e3:.2f} kN and the stroke went {moved * 1e3:.2f} mm"
                )
            raise BenchRefused("stroke bound", f"the stroke went {moved * 1e3:.3f} mm in force mode, allowed {s.stroke_bound * 1e3:g} mm")
        if s.side * reading.force_now < 0.5 * s.touch:
            self.explain(reading)
            raise BenchRefused("specimen", f"the force fell to {reading.force_now / 1e3:.2f} kN: contact lost")

    def _steady(self, reading: Reading) -> bool:
        s = self._settings
        if len(self._window) * s.block > s.patience:
            self.explain(reading)
            raise BenchRefused("no rest", f"the force does not come to rest at {self._legs[0] / 1e3:.2f} kN within {s.patience:g} s")
        n = s.blocks(WINDOW)
        new, old = self._window[-n:], self._window[-2 * n : -n]
        return abs(sum(new) - sum(old)) / n < STEADY * s.force_probe

    def _mean(self) -> float:
        new = self._window[-self._settings.blocks(WINDOW) :]
        return sum(new) / len(new)

    def _judge(self) -> None:
        (high_set, high), (low_set, low) = self._plateaus[:2]
        self.gain = (high - low) / (high_set - low_set)
        if abs(self.gain - 1.0) <= self._settings.tolerance:
            return
        if self.gain < 0.0:
            raise BenchRefused("sign", f"the force goes the other way (gain {self.gain:.3f}): command or force monitor is inverted")
        raise BenchRefused(
            "span",
            f"the force follows with a gain of {self.gain:.4f}, expected 1 within {100 * self._settings.tolerance:g} %: set the span of "
            f"the external command to 100 % in force mode (it looks like {100 * self.gain:.0f} %), and check full scale and sensitivity",
        )
