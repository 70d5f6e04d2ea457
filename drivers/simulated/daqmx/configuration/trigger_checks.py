"""What is checked about the triggers of a task before it can run."""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.configuration import analog_sources, timestamps
from drivers.simulated.daqmx.configuration.digital_sources import sources
from drivers.simulated.daqmx.configuration.triggers import need_use
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import ON_DEMAND_IS_DONE, Task
from drivers.simulated.daqmx.core.trigger_types import MULTI_EDGE, NONE, PATTERN, TIME
from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.routing import patterns
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.timing import rates, sample_clock
from drivers.simulated.daqmx.triggering import sequence

SOFTWARE = ni.TriggerType.SOFTWARE.value
SHORTEST, LONGEST = 2, 2**32
"""Delays from the start trigger, in ticks of the timebase."""
UNSERVED: dict[str, Value] = {
    "SAMP_CLK_OUTPUT_BEHAVIOR": 10265, "SAMP_CLK_PULSE_POLARITY": 10095,
    "START_TRIG_PULSE_POLARITY": 10095, "REF_TRIG_PULSE_POLARITY": 10095, "CHANGE_DETECT_EVENT_PULSE_POLARITY": 10095,
}  # fmt: skip
"""Settings that are kept and shown, with the only value that a task can run with here."""
_PATTERN_SIGNS = set("01XRFET ")


def verify(engine: Engine, task: Task) -> None:
    """Raise DaqmxError for triggers that the task cannot have as it is, NotServed for kinds that are not simulated."""
    types = {name: task.settings.get(f"{name}_TRIG_TYPE", NONE) for name in ("START", "REF", "PAUSE", "ARM_START")}
    # Counters pause also what they count and put out without a clock.
    refused = ("START", "REF") if task.kind == ch.COUNTER_INPUT else ("START", "REF", "PAUSE")
    if not task.clocked and task.kind != ch.COUNTER_OUTPUT and any(types[name] != NONE for name in refused):
        raise task.fail(-200262)
    for name, kind in types.items():
        if kind != NONE:
            need_use(engine, task, name)
    for name in ("START", "REF"):
        if types[name] == SOFTWARE or (types[name] == TIME and name != "START"):
            raise NotServed(f"a trigger of type {types[name]}")
        if types[name] == PATTERN:
            _verify_pattern(engine, task, name)
        if types[name] == MULTI_EDGE:
            analog_sources.verify_multi_edge(engine, task, name)
    if types["PAUSE"] == PATTERN:
        raise NotServed("a pause trigger on a pattern")
    analog_sources.verify(engine, task)
    timestamps.verify(engine, task)
    _need_no_plant_edges(engine, task)
    for setting, value in UNSERVED.items():
        if task.settings.get(setting, value) != value:
            raise NotServed(f"{setting} other than {value}")
    if task.settings.get("START_TRIG_DELAY", 0.0) != 0.0 and sample_clock.foreign(engine, task):
        raise task.fail(-200436, Property="DAQmx_StartTrig_Delay", Requested_Value=task.settings["START_TRIG_DELAY"])
    if task.settings.get("START_TRIG_DELAY", 0.0) != 0.0 and task.sampled:
        _verify_delay(engine, task)
    again = task.kind in ON_DEMAND_IS_DONE and task.settings.get("START_TRIG_RETRIGGERABLE", False)  # counters are checked elsewhere
    if again and (types["START"] == NONE or not task.finite):
        raise task.fail(-201320)
    if types["REF"] != NONE:
        _verify_reference(task, paused=types["PAUSE"] != NONE)


def _verify_delay(engine: Engine, task: Task) -> None:
    """The delay is counted in ticks of the sample clock's timebase: two at least, as many as 32 bits hold at most."""
    seconds, rate = sequence.delay(engine, task), rates.timebase(engine, task)
    details = {"Property": "DAQmx_StartTrig_Delay", "Requested_Value": seconds}
    if not seconds * rate >= SHORTEST * (1.0 - 1e-9):
        raise task.fail(-200333, 0, **details, Minimum_Value=SHORTEST / rate)
    if seconds * rate > LONGEST:
        raise task.fail(-200334, 0, **details, Maximum_Value=LONGEST / rate)


def _need_no_plant_edges(engine: Engine, task: Task) -> None:
    """What goes by the plant's edges before the plant has made them would go by none (`core/plant_edges.py`)."""
    if not engine.board.edges.names or engine.task_type(task).after_plant:
        return
    for source in (task.timing.source, *sources(task).values()):
        if source and engine.routes.of_edges(engine.routes.canonical(source, task.device)):
            raise NotServed(f"an analogue task, or one that puts something out, that goes by an encoder's or a pickup's edges ({source})")


def _verify_reference(task: Task, *, paused: bool) -> None:
    if not task.finite:
        raise task.fail(-200358)
    if paused:
        raise task.fail(-200628)
    pretrigger, samples = task.pretrigger, task.timing.samples
    if pretrigger < 2:
        raise task.fail(-200077, Property="DAQmx_RefTrig_PretrigSamples", Requested_Value=pretrigger, Minimum_Value=2)
    if pretrigger + 2 > samples:
        raise task.fail(-200213, Property="DAQmx_RefTrig_PretrigSamples", Requested_Value=pretrigger, Maximum_Value=samples - 2)


def _verify_pattern(engine: Engine, task: Task, name: str) -> None:
    head = f"DIG_PATTERN_{name}_TRIG"
    source, pattern = (str(task.settings.get(f"{head}_{tail}", "")) for tail in ("SRC", "PATTERN"))
    if not source:
        raise task.fail(-200927)
    if set(pattern.upper()) - _PATTERN_SIGNS:
        raise task.fail(-200901, Property=f"DAQmx_DigPattern_{name.title()}Trig_Pattern", Requested_Value=pattern)
    if len(patterns.signs(pattern)) != len(patterns.lines(engine, task, source)):
        raise task.fail(-200894 if name == "START" else -200895)
