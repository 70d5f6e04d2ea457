"""Where the analogue triggers of a task come from, and what is checked about it.

"X Series User Manual", Triggering with an Analog Source, for multiplexed devices: a channel that starts the acquisition has to be the first
in the list, one that the reference or pause trigger is on the only one; simultaneous devices take any channel, and the APFI terminals are
free of this. Modules that make up for the delay of their filters cannot be started by what they measure ("PXIe-4480/4481 User Manual",
Analog Triggering; "NI PXIe-4330/4331 User Manual", Triggering and Filter Delay). There is one circuit that compares, so that several
triggers of a task have to want the same of it.
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.names import expand, terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.trigger_types import ANALOG_EDGE, ANALOG_LEVEL, ANALOG_WINDOW, NONE, RISING
from drivers.simulated.daqmx.core.values import Value, as_float, as_floats, as_int, as_sequence
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.status.not_served import NotServed

ABOVE = ni.ActiveLevel.ABOVE.value
HEADS = {ANALOG_EDGE: "ANLG_EDGE", ANALOG_WINDOW: "ANLG_WIN", ANALOG_LEVEL: "ANLG_LVL"}
WORDS = {ANALOG_EDGE: "DAQmx_Val_AnlgEdge", ANALOG_WINDOW: "DAQmx_Val_AnlgWin", ANALOG_LEVEL: "DAQmx_Val_AnlgLvl"}
WITHOUT = {
    "START": "DAQmx_Val_DigEdge, DAQmx_Val_None",
    "REF": "DAQmx_Val_DigEdge, DAQmx_Val_None",
    "PAUSE": "DAQmx_Val_DigLvl, DAQmx_Val_None",
}
TERMINAL_RANGE = 10.0
"""Of the analogue trigger terminals (V)."""


def head_of(task: Task, name: str) -> str:
    """Start of the names of the settings of an analogue trigger, `ANLG_EDGE_START_TRIG`; empty where the trigger is none."""
    kind = as_int(task.settings.get(f"{name}_TRIG_TYPE", NONE))
    return f"{HEADS[kind]}_{name}_TRIG" if kind in HEADS else ""


def source_of(task: Task, head: str) -> str:
    """Where a trigger comes from, as configured."""
    return str(task.settings.get(f"{head}_SRC", ""))


def verify(engine: Engine, task: Task) -> None:
    """Raise DaqmxError for analogue triggers that the task cannot have."""
    heads = {name: head for name in ("START", "REF", "PAUSE") if (head := head_of(task, name))}
    for name, head in heads.items():
        _verify_source(engine, task, name, source_of(task, head))
    wanted: dict[str, tuple[Value, ...]] = {}
    for head in heads.values():
        # Each module of a chassis compares by itself.
        column = task.channel_named(source_of(task, head))
        where = task.channels[column].device if task.host and column is not None else ""
        if wanted.setdefault(where, _wanted(task, head)) != _wanted(task, head):
            raise task.fail(-201104 if task.host else -200261)
    for head in heads.values():
        _verify_levels(task, head)


def _verify_source(engine: Engine, task: Task, name: str, source: str) -> None:
    column = task.channel_named(source)
    device = task.device if column is None or task.kind != ch.ANALOG_INPUT else task.channels[column].device
    product = engine.devices[device]
    if not product.analog_trigger or (name == "START" and not product.analog_start):
        kind = as_int(task.settings[f"{name}_TRIG_TYPE"])
        raise task.fail(
            -200077, Property=f"DAQmx_{name.title()}Trig_Type", Requested_Value=WORDS[kind], Possible_Values=WITHOUT[name], Device=device
        )
    if is_terminal(engine, task, source):
        if engine.routes.full(source, task.device) in engine.board.wires:
            raise NotServed("an analogue trigger on a terminal that something is wired to")
        if name == "PAUSE" and not engine.at_once:
            raise NotServed("a pause trigger on an analogue terminal")
        return
    if column is None or task.kind != ch.ANALOG_INPUT or isinstance(task.channels[column], ch.RosetteChannel):
        raise task.fail(-200265, Property=f"DAQmx_{_property(head_of(task, name))}_Src", Requested_Value=source)
    _verify_place(task, product, name, column)


def verify_multi_edge(engine: Engine, task: Task, name: str) -> None:
    """Raise DaqmxError for a trigger on several edges that the task cannot have: -200077 (type), -200265 (source), -200422 (level)."""
    head = f"ANLG_MULTI_EDGE_{name}_TRIG_"
    sources = expand(str(task.settings.get(f"{head}SRCS", "")))
    for device in task.devices:
        if not engine.devices[device].multi_edge:
            raise task.fail(
                -200077, Property=f"DAQmx_{name.title()}Trig_Type", Requested_Value="DAQmx_Val_AnlgMultiEdge",
                Possible_Values=(f"DAQmx_Val_AnlgEdge, DAQmx_Val_AnlgWin, {WITHOUT[name]}" if engine.devices[device].analog_trigger
                                 else WITHOUT[name]), Device=device,
            )  # fmt: skip
    columns = [task.channel_named(source) for source in sources]
    for source, column in zip(sources or [""], columns or [None], strict=True):
        if column is None:
            raise task.fail(-200265, Property=f"DAQmx_AnlgMultiEdge_{name.title()}Trig_Srcs", Requested_Value=source)
    if len({task.channels[column].device for column in columns if column is not None}) > 1:
        raise task.fail(-209828)
    for tail in ("SLOPES", "LVLS", "HYSTS"):
        if len(as_sequence(task.settings.get(head + tail, []))) not in (0, len(sources)):
            raise task.fail(-209826, Property=f"DAQmx_AnlgMultiEdge_{name.title()}Trig_{tail.title()}")
    for column, level in zip(columns, as_floats(task.settings.get(f"{head}LVLS", [])), strict=False):
        assert column is not None
        _verify_level(task, column, level)


def _limits(task: Task, column: int) -> tuple[float, float]:
    low, high = (as_float(task.channels[column].attributes[name]) for name in ("AI_MIN", "AI_MAX"))
    return low, high


def _verify_level(task: Task, column: int, level: float) -> None:
    channel, (low, high) = task.channels[column], _limits(task, column)
    if not low < level < high:
        raise task.fail(-200422, Trigger_Level=level, AI_Maximum=high, AI_Minimum=low, Channel_Name=channel.name)


def is_terminal(engine: Engine, task: Task, source: str) -> bool:
    """Whether it is an analogue trigger terminal of the task's device."""
    text = engine.routes.full(source, task.device)
    known = (terminal(f"{task.device}/{name}") for name in engine.devices[task.device].terminals if name.startswith("APFI"))
    return text in known


def _verify_place(task: Task, product: Product, name: str, column: int) -> None:
    if product.inputs is None or product.inputs.simultaneous:
        return
    device = task.channels[column].device
    same = [place for place, channel in enumerate(task.channels) if channel.device == device]
    if name == "START" and column != same[0]:
        raise task.fail(-201102 if task.host else -200131)
    if name != "START" and len(same) > 1:
        code = {"REF": -201123 if task.host else -200264, "PAUSE": -201103 if task.host else -200263}[name]
        raise task.fail(code)


def _wanted(task: Task, head: str) -> tuple[Value, ...]:
    """What the comparing circuit has to do for a trigger; levels that pause are compared as edges are."""
    values = [task.settings.get(f"{head}_{tail}", 0.0) for tail in ("LVL", "HYST", "TOP", "BTM")]
    return (head.startswith("ANLG_WIN"), source_of(task, head).lower(), *values)


def _verify_levels(task: Task, head: str) -> None:
    """Levels within the limits of the channel, in its units: -200421 to -200423, -200425; those of a terminal: -200077."""
    column = task.channel_named(source_of(task, head))
    levels = {tail: as_float(task.settings.get(f"{head}_{tail}", 0.0)) for tail in (("TOP", "BTM") if "_WIN_" in head else ("LVL",))}
    if "_WIN_" in head and not levels["BTM"] < levels["TOP"]:
        raise NotServed("a window whose top is not above its bottom: the driver refuses it, with which number is not known")
    if column is None:
        for tail, level in levels.items():
            if not abs(level) <= TERMINAL_RANGE:
                raise task.fail(
                    -200077, Property=f"DAQmx_{_property(head)}_{tail.title()}", Requested_Value=level, Maximum_Value=TERMINAL_RANGE,
                    Minimum_Value=-TERMINAL_RANGE,
                )  # fmt: skip
        return
    low, high = _limits(task, column)
    limits: dict[str, object] = {"AI_Maximum": high, "AI_Minimum": low, "Channel_Name": task.channels[column].name}
    for level in levels.values():
        if not low < level < high:
            raise task.fail(-200423 if "_WIN_" in head else -200422, Trigger_Level=level, **limits)
    hysteresis = as_float(task.settings.get(f"{head}_HYST", 0.0))
    if "_WIN_" in head or not hysteresis:
        return
    upward = task.settings.get(f"{head}_SLOPE", RISING) == RISING and task.settings.get(f"{head}_WHEN", ABOVE) == ABOVE
    if upward and not levels["LVL"] - hysteresis > low:
        raise task.fail(-200421, Hysteresis=hysteresis, Trigger_Level=levels["LVL"], **limits)
    if not upward and not levels["LVL"] + hysteresis < high:
        raise task.fail(-200425, Hysteresis=hysteresis, Trigger_Level=levels["LVL"], **limits)


def _property(head: str) -> str:
    """`AnlgEdge_StartTrig` of ANLG_EDGE_START_TRIG."""
    family, kind, name, _ = head.split("_")
    return f"{family.title()}{kind.title()}_{name.title()}Trig"
