"""Triggers and clocks on pins to which nothing is connected.

On NI's simulated devices nobody waits for what cannot come (NI-DAQmx help, "NI-DAQmx Simulated Devices", task behaviour: reads return, and
finite tasks are done, without a trigger). With `at_once` a trigger on such a pin has come as soon as it is waited for, a sample clock or
a timebase there has the rate that the task was told, and a pause trigger there pauses nothing; with `waits` all of them wait, as on a
real bench. A retriggerable task is triggered again once its samples were read, and not more often than every 10 ms: its buffer holds one
run ("How Is Buffer Size Determined?": of a finite acquisition the samples per channel), so that triggers which come faster would only
end it with -200279, as they do on a real bench.

A pin is loose that has no wire, no line of a plant and no route, and that no task, running or not, puts anything out at. Signals inside a
device are never loose: what comes there is for other tasks to say.
"""

from __future__ import annotations

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.names import expand
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.trigger_types import ANALOG_EDGE, ANALOG_WINDOW, PATTERN
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.routing import patterns

WAITS, AT_ONCE = "waits", "at_once"
UNCONNECTED = (WAITS, AT_ONCE)
"""What a trigger or a clock on a loose pin does."""


def unconnected(bench: Bench, pin: str) -> bool:
    """Whether nothing can come at a terminal (in its canonical form), and nobody is to wait for it."""
    return bench.at_once and not bench.routes.wired(pin)


def unconnected_trigger(bench: Bench, task: Task, name: str) -> bool:
    """Whether a trigger (`START`, `REF`, `ARM_START`, `PAUSE`) is on loose pins only; one on a channel of the task itself is not."""
    if not bench.at_once:
        return False
    kind = as_int(task.settings.get(f"{name}_TRIG_TYPE", 0))
    heads = {ANALOG_EDGE: "ANLG_EDGE", ANALOG_WINDOW: "ANLG_WIN", PATTERN: "DIG_PATTERN"}
    head = heads.get(kind, "DIG_LVL" if name == "PAUSE" else "DIG_EDGE")
    source = str(task.settings.get(f"{head}_{name}_TRIG_SRC", ""))
    if kind in (ANALOG_EDGE, ANALOG_WINDOW) and task.seeks(source):
        return False
    if kind == PATTERN:
        pins = patterns.lines(bench, task, source)
    else:
        pins = [bench.routes.canonical(text, task.device) for text in expand(source)]
    return bool(pins) and all(unconnected(bench, pin) for pin in pins)
