"""Triggers on the samples of an analogue input task: where in a block they come."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from nidaqmx import constants as ni
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.names import expand
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.trigger_types import ANALOG_EDGE, ANALOG_LEVEL, ANALOG_WINDOW, MULTI_EDGE, RISING
from drivers.simulated.daqmx.core.values import Values, as_float, as_floats, as_int, as_ints

Block = NDArray[np.float64]
States = Callable[[NDArray[np.float64]], tuple[NDArray[np.bool_], NDArray[np.bool_]]]

ENTERING = ni.WindowTriggerCondition1.ENTERING_WINDOW.value
ABOVE, INSIDE = ni.ActiveLevel.ABOVE.value, ni.WindowTriggerCondition2.INSIDE_WINDOW.value


def pauses_itself(task: Task) -> bool:
    """Whether the pause trigger is on a channel of the task itself."""
    head = {ANALOG_LEVEL: "ANLG_LVL", ANALOG_WINDOW: "ANLG_WIN"}.get(task.settings.get("PAUSE_TRIG_TYPE", 0))
    return head is not None and task.seeks(str(task.settings.get(f"{head}_PAUSE_TRIG_SRC", "")))


class Pausing:
    """Which samples an analogue pause trigger on a channel of the task keeps out.

    "Pause >> Analog Level >> Hysteresis", NI-DAQmx C Properties: paused above the level it goes on below level - hysteresis, paused below
    it goes on above level + hysteresis.
    """

    def __init__(self, task: Task) -> None:
        self._settings: Values = task.settings
        self._window = task.settings["PAUSE_TRIG_TYPE"] == ANALOG_WINDOW
        self._head = f"ANLG_{'WIN' if self._window else 'LVL'}_PAUSE_TRIG_"
        self.column = task.column_of(str(task.settings[f"{self._head}SRC"]))
        self._paused = False

    def passed(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of the samples (k,), in the units of the channel, are taken; block after block."""
        if self._window:
            inside = (values >= self._level("BTM")) & (values <= self._level("TOP"))
            return np.asarray(inside ^ (self._when(INSIDE) == INSIDE))
        above = self._when(ABOVE) == ABOVE
        sign = 1.0 if above else -1.0
        beyond, hysteresis = sign * (values - self._level("LVL")), self._level("HYST")
        pauses, goes = beyond > 0.0, beyond < -hysteresis if hysteresis else beyond <= 0.0
        # The last sample that decided counts for those in between.
        deciding = np.where(pauses | goes, np.arange(len(values)), -1)
        last = np.maximum.accumulate(deciding) if len(values) else deciding
        paused = np.where(last >= 0, pauses[last], self._paused)
        if len(values):
            self._paused = bool(paused[-1])
        return np.asarray(~paused)

    def _level(self, name: str) -> float:
        return as_float(self._settings.get(self._head + name, 0.0))

    def _when(self, default: int) -> int:
        return as_int(self._settings.get(f"{self._head}WHEN", default))


class Crossing:
    """Looks for the edge of a level with hysteresis, or for a signal that enters or leaves a window, block after block."""

    def __init__(self, column: int | None, states: States) -> None:
        """`column`: of the channel that it is on. `states`: where a signal is on the far side of the threshold, and where beyond it."""
        self._column, self._states = column, states
        self.ready = False
        """Whether the signal has been on the other side."""
        self.left: int | None = None
        """Samples that a delay from the trigger still leaves out, None before it has come."""

    def find(self, values: Block) -> int | None:
        """Index of the first sample that has triggered, None if none in this block has. values: (k, channels) in their units."""
        outside, triggered = self._states(values[:, self._column])
        for index in np.flatnonzero(outside | triggered):
            if outside[index]:
                self.ready = True
            elif self.ready:
                self.ready = False
                return int(index)
        return None


class AnyCrossing:
    """The first of several: triggers on several edges are one as if by a logical OR (NI-DAQmx, Analog Multi Edge)."""

    def __init__(self, parts: Sequence[Crossing]) -> None:
        self._parts = parts
        self.left: int | None = None

    def find(self, values: Block) -> int | None:
        """See `Crossing`."""
        before = [part.ready for part in self._parts]
        found = [index for part in self._parts if (index := part.find(values)) is not None]
        if not found:
            return None
        first = min(found)
        for part, ready in zip(self._parts, before, strict=True):  # what comes later has not been looked at yet
            part.ready = ready
            part.find(values[: first + 1])
        return first


def edge(level: float, hysteresis: float, slope: int) -> States:
    """The states of an edge."""
    if slope == RISING:
        return lambda values: (values <= level - hysteresis, values > level)
    return lambda values: (values >= level + hysteresis, values < level)


def window(bottom: float, top: float, when: int) -> States:
    """The states of a window."""

    def states(values: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        inside = (values >= bottom) & (values <= top)
        return (~inside, inside) if when == ENTERING else (inside, ~inside)

    return states


Search = Crossing | AnyCrossing


def watch(task: Task, name: str) -> Search | None:
    """What looks for the analogue trigger `name` (START, REF) on channels of the task, None where there is no such trigger."""
    kind = as_int(task.settings.get(f"{name}_TRIG_TYPE", 0))
    if kind == MULTI_EDGE:
        return AnyCrossing([Crossing(column, edge(level, hyst, slope)) for column, level, hyst, slope in multi_edges(task, name)])
    head = {ANALOG_EDGE: f"ANLG_EDGE_{name}_TRIG_", ANALOG_WINDOW: f"ANLG_WIN_{name}_TRIG_"}.get(kind)
    source = str(task.settings.get(f"{head}SRC", ""))
    if head is None or not task.seeks(source):
        return None

    one, other = (as_float(task.settings.get(head + tail, 0.0)) for tail in (("LVL", "HYST") if kind == ANALOG_EDGE else ("BTM", "TOP")))
    if kind == ANALOG_EDGE:
        return Crossing(task.column_of(source), edge(one, other, as_int(task.settings.get(f"{head}SLOPE", RISING))))
    return Crossing(task.column_of(source), window(one, other, as_int(task.settings.get(f"{head}WHEN", ENTERING))))


def multi_edges(task: Task, name: str) -> list[tuple[int | None, float, float, int]]:
    """Column, level, hysteresis and slope of each edge; what was given for fewer edges has the default for the others."""
    head = f"ANLG_MULTI_EDGE_{name}_TRIG_"
    sources = expand(str(task.settings.get(f"{head}SRCS", "")))
    levels, hysteresis = ([*as_floats(task.settings.get(head + tail, [])), *[0.0] * len(sources)] for tail in ("LVLS", "HYSTS"))
    slopes = [*as_ints(task.settings.get(f"{head}SLOPES", [])), *[RISING] * len(sources)]
    return [(task.column_of(source), *how) for source, *how in zip(sources, levels, hysteresis, slopes, strict=False)]
