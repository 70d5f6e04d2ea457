"""Triggers on the samples of an analogue input task: where in a block they come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from drivers.simulated.daqmx.tasks import Task

ANALOG_EDGE, ANALOG_WINDOW, ANALOG_LEVEL, ENTERING, RISING = 10099, 10103, 10101, 10163, 10280
ABOVE, INSIDE = 10093, 10199


def pauses_itself(task: Task) -> bool:
    """Whether the pause trigger is on a channel of the task itself."""
    head = {ANALOG_LEVEL: "ANLG_LVL", ANALOG_WINDOW: "ANLG_WIN"}.get(task.settings.get("PAUSE_TRIG_TYPE", 0))
    return head is not None and task.seeks(task.settings.get(f"{head}_PAUSE_TRIG_SRC", ""))


class Pausing:
    """Which samples an analogue pause trigger on a channel of the task keeps out.

    "Pause >> Analog Level >> Hysteresis", NI-DAQmx C Properties: paused above the level it goes on below level - hysteresis, paused below
    it goes on above level + hysteresis.
    """

    def __init__(self, task: Task) -> None:
        self._settings: Mapping[str, Any] = task.settings
        self._window = task.settings["PAUSE_TRIG_TYPE"] == ANALOG_WINDOW
        self._head = f"ANLG_{'WIN' if self._window else 'LVL'}_PAUSE_TRIG_"
        self.column = task.column_of(task.settings[f"{self._head}SRC"])
        self._paused = False

    def passed(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of the samples (k,), in the units of the channel, are taken; block after block."""
        if self._window:
            inside = (values >= self._of("BTM", 0.0)) & (values <= self._of("TOP", 0.0))
            return np.asarray(inside ^ (self._of("WHEN", INSIDE) == INSIDE))
        above = self._of("WHEN", ABOVE) == ABOVE
        sign = 1.0 if above else -1.0
        beyond = sign * (values - self._of("LVL", 0.0))
        pauses, goes = beyond > 0.0, beyond < -self._of("HYST", 0.0) if self._of("HYST", 0.0) else beyond <= 0.0
        # The last sample that decided counts for those in between.
        deciding = np.where(pauses | goes, np.arange(len(values)), -1)
        last = np.maximum.accumulate(deciding) if len(values) else deciding
        paused = np.where(last >= 0, pauses[last], self._paused)
        if len(values):
            self._paused = bool(paused[-1])
        return np.asarray(~paused)

    def _of(self, name: str, default: Any) -> Any:
        return self._settings.get(self._head + name, default)


class Crossing:
    """Looks for the edge of a level with hysteresis, or for a signal that enters or leaves a window, block after block."""

    def __init__(self, task: Task, name: str) -> None:
        """`name`: START or REF. The trigger's source is a channel of the task."""
        self._kind = task.settings[f"{name}_TRIG_TYPE"]
        self._settings: Mapping[str, Any] = task.settings
        self._head = f"ANLG_{'EDGE' if self._kind == ANALOG_EDGE else 'WIN'}_{name}_TRIG_"
        self.column = task.column_of(task.settings[f"{self._head}SRC"])
        self._ready = False
        self.left: int | None = None
        """Samples that a delay from the trigger still leaves out, None before it has come."""

    def find(self, values: NDArray[np.float64]) -> int | None:
        """Index of the first sample that has triggered, None if none in this block has. values: (k,) in the units of the channel."""
        outside, triggered = self._states(values)
        # The signal has first to be on the other side.
        for index in np.flatnonzero(outside | triggered):
            if outside[index]:
                self._ready = True
            elif self._ready:
                self._ready = False
                return int(index)
        return None

    def _states(self, values: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Where the signal is on the far side of the threshold, and where it is beyond it."""
        if self._kind == ANALOG_EDGE:
            level, hysteresis = self._of("LVL", 0.0), self._of("HYST", 0.0)
            if self._of("SLOPE", RISING) == RISING:
                return values <= level - hysteresis, values > level
            return values >= level + hysteresis, values < level
        inside = (values >= self._of("BTM", 0.0)) & (values <= self._of("TOP", 0.0))
        return (~inside, inside) if self._of("WHEN", ENTERING) == ENTERING else (inside, ~inside)

    def _of(self, name: str, default: Any) -> Any:
        return self._settings.get(self._head + name, default)
