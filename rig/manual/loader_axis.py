"""A loader on a line of its own as `rig.manual.session.ManualSession` has an axis: small slow ramps of its stroke, watched by its force."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import TypeVar

from drivers.axes.axis import Feedback, Guard
from drivers.errors import Refused
from drivers.loaders.loader import WaveformLoader
from rig.manual.session import Measure
from rig.workers.bench.watchdog_feeding import while_alive

Value = TypeVar("Value")

STROKE = Measure("STROKE", "1 mm", "mm", "m", 1e-3, 2e-3, 1e-3, 2e-5, "force", "N", "mm/s", 1e-3)
SHARE = 0.02
"""Of the force's full scale, by which the force may change in a move: more means that something is in the way."""
SHORTEST = 0.2
"""s of a ramp, at least."""


class LoaderAxis:
    """`loader`: see `drivers.loaders.instron.Instron`, made for mode stroke. `alive` is called while its line takes its time.

    Positions are m, velocities m/s; the torque of its feedback is the force, N. Without `guard` nothing takes the pressure away when this
    program dies; a ramp ends where it was to end.
    """

    modes = ("position",)

    def __init__(self, loader: WaveformLoader, guard: Guard | None, alive: Callable[[], None], shown: Measure = STROKE) -> None:
        self._loader, self._guard, self._shown = loader, guard, shown
        self.name, self.where, self.line = loader.name, loader.where, loader.line
        self._keeper = SimpleNamespace(reset_watchdog=alive)
        self._before = 0.0  # force before the move
        self._moves = False
        self._speed = 0.0

    @property
    def stops_within(self) -> float:
        """Time (s) after this program's last word in which it stands: that of the longest ramp, or sooner by its enable line."""
        longest = STROKE.largest / STROKE.speed
        return longest if self._guard is None else min(longest, self._guard.timeout)

    def connect(self) -> None:
        """See `Axis`."""
        self._do(self._loader.connect)

    def identity(self) -> str:
        """See `Axis`."""
        return self._do(self._loader.identity)

    def prepare(self, mode: str) -> None:
        """See `Axis`: nothing to be set; its mode is taken with the pressure."""

    def enable(self) -> None:
        """Pressure on, loop on the stroke, held where it stands."""
        self._line(True)
        self._do(self._loader.prepare)

    def feedback(self) -> Feedback:
        """Stroke, the speed of the ramp that runs, and the force. Raises Refused, with the ramp held, where the force changes too much."""
        stroke, force = self._do(lambda: (self._loader.feedback("stroke"), self._loader.feedback("force")))
        if self._moves:
            self._moves = self._do(self._loader.moving)
            most = SHARE * self._loader.config.force_full_scale
            if abs(force - self._before) > most:
                self.quick_stop()
                of = self._shown
                before, after, least = (f"{value / of.effort_one:.4g}" for value in (self._before, force, most))
                went = f"the force went from {before} to {after} {of.effort_unit}, by more than {least} {of.effort_unit} in a move by hand"
                raise Refused(f"{self.where}: {went}; it was stopped there: look what is in the way")
        return Feedback(stroke, self._speed if self._moves else 0.0, force)

    def command(self, value: float) -> Feedback | None:
        """A loader has no speed that it could be told."""
        raise Refused(f"{self.where}: it moves by ramps of its stroke alone")

    def move_to(self, position: float) -> None:
        """Off to a stroke (m), no faster than `STROKE.speed`."""
        now = self.feedback()
        assert now.position is not None and now.torque is not None
        way = position - now.position
        duration = max(SHORTEST, abs(way) / STROKE.speed)
        self._before, self._speed = now.torque, math.copysign(abs(way) / duration, way)
        self._do(lambda: self._loader.ramp_to(position, duration))
        self._moves = True

    def arrived(self) -> bool:
        """Whether the ramp has ended."""
        self.feedback()
        return not self._moves

    def quick_stop(self) -> None:
        """The ramp ends where it is; the loop holds."""
        self._moves = False
        self._do(self._loader.disable)

    def disable(self) -> None:
        """Pressure off."""
        self._moves = False
        try:
            self._do(self._loader.release)
        finally:
            self._line(False)

    def fault(self) -> str | None:
        """See `Axis`."""
        return self._do(self._loader.fault)

    def reset_fault(self) -> None:
        """Nothing that a program does."""
        raise Refused(f"{self.where}: faults of a frame are cleared at its panel")

    def close(self) -> list[str]:
        """Port closed; returns what went wrong, in words."""
        return self._do(self._loader.close)

    def _line(self, high: bool) -> None:
        if self._guard is not None:
            self._guard.lines.write_lines({f"{self.name}_enable": high})
            time.sleep(self._loader.config.pause)

    def _do(self, do: Callable[[], Value]) -> Value:
        return while_alive(self._keeper, do)
