"""Triggers of a task: how they are configured, their properties, and what is checked about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nidaqmx import constants as ni

from drivers.simulated.daqmx.configuration import filter_settings as filters
from drivers.simulated.daqmx.configuration import setting_changes, timestamps, unsupported_task_properties
from drivers.simulated.daqmx.configuration.settings import Need, anybody, for_kinds, never, setting
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import finite
from drivers.simulated.daqmx.core import trigger_types as tt
from drivers.simulated.daqmx.core.task import FALLING, RISING, State, Task
from drivers.simulated.daqmx.core.values import Fields, Value, Values, as_float, as_floats, as_int, as_ints, plain
from drivers.simulated.daqmx.engine.call import TaskCall
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed, Property
from drivers.simulated.daqmx.products import product as of_products

ENTERING, LEAVING = ni.WindowTriggerCondition1.ENTERING_WINDOW.value, ni.WindowTriggerCondition1.LEAVING_WINDOW.value
LOW, ABOVE, BELOW, INSIDE, OUTSIDE = (
    ni.Level.LOW.value, ni.ActiveLevel.ABOVE.value, ni.ActiveLevel.BELOW.value, ni.WindowTriggerCondition2.INSIDE_WINDOW.value,
    ni.WindowTriggerCondition2.OUTSIDE_WINDOW.value,
)  # fmt: skip
DIFFERS = ni.DigitalPatternCondition.PATTERN_DOES_NOT_MATCH.value
SAMPLE_PERIODS = ni.DigitalWidthUnits.SAMPLE_CLOCK_PERIODS.value
AC, DC = ni.Coupling.AC.value, ni.Coupling.DC.value
DIGITAL_IO = ni.ProductCategory.DIGITAL_IO.value
"""Category of products that can do handshakes."""
EDGES = (RISING, FALLING)
USES = {"START": of_products.START, "REF": of_products.REFERENCE, "PAUSE": of_products.PAUSE}


_REFERENCE = for_kinds(ch.ANALOG_INPUT, ch.DIGITAL_INPUT)


def _edge(engine: Engine, task: Task, name: str, source: str, edge: int) -> None:
    if edge not in EDGES:
        raise task.fail(-200077, Property=f"DAQmx_DigEdge_{name.title()}_Edge", Requested_Value=edge)
    _put(engine, task, {f"{name}_TRIG_TYPE": tt.DIGITAL_EDGE, f"DIG_EDGE_{name}_TRIG_SRC": source, f"DIG_EDGE_{name}_TRIG_EDGE": edge})


def _put(engine: Engine, task: Task, values: Values) -> None:
    task.need_stopped()
    task.need_channels()
    with task.naming():
        finite.need_all(values, "TRIGGER")
    setting_changes.changed(engine, task)
    task.settings.update(values)


def _reference(engine: Engine, task: Task, samples: int) -> None:
    _REFERENCE(engine, task)
    _put(engine, task, {"REF_TRIG_PRETRIG_SAMPLES": samples})


def digital_start(engine: Engine, task: Task, f: Fields) -> None:
    _edge(engine, task, "START", str(f["trigger_source"]), as_int(f["trigger_edge"]))


def digital_reference(engine: Engine, task: Task, f: Fields) -> None:
    _reference(engine, task, as_int(f["pretrigger_samples"]))
    _edge(engine, task, "REF", str(f["trigger_source"]), as_int(f["trigger_edge"]))


@dataclass(frozen=True)
class _OnSource:
    """A trigger on one source, by the field of the call: a property that is one of `known`, and `levels`."""

    kind: int
    head: str
    words: str
    chosen: tuple[str, str]
    known: tuple[int, ...]
    levels: Mapping[str, str]


_EDGE = _OnSource(tt.ANALOG_EDGE, "ANLG_EDGE", "AnlgEdge", ("SLOPE", "trigger_slope"), EDGES, {"LVL": "trigger_level"})
_WINDOW = _OnSource(
    tt.ANALOG_WINDOW, "ANLG_WIN", "AnlgWin", ("WHEN", "trigger_when"), (ENTERING, LEAVING), {"TOP": "window_top", "BTM": "window_bottom"},
)  # fmt: skip
_PATTERN = _OnSource(
    tt.PATTERN, "DIG_PATTERN", "DigPattern", ("WHEN", "trigger_when"), (tt.MATCHES, DIFFERS), {"PATTERN": "trigger_pattern"}
)


def _on_source(name: str, form: _OnSource) -> TaskCall:
    def configure(engine: Engine, task: Task, f: Fields) -> None:
        property_name, field = form.chosen
        if f[field] not in form.known:
            raise task.fail(-200077, Property=f"DAQmx_{form.words}_{name}Trig_{property_name.title()}", Requested_Value=f[field])
        if name == "REF":
            _reference(engine, task, as_int(f["pretrigger_samples"]))
        head, fields = f"{form.head}_{name}_TRIG_", {"SRC": "trigger_source", property_name: field, **form.levels}
        _put(engine, task, {f"{name}_TRIG_TYPE": form.kind, **{head + tail: plain(f[field]) for tail, field in fields.items()}})

    return configure


def _multi_edge(name: str) -> TaskCall:
    def configure(engine: Engine, task: Task, f: Fields) -> None:
        slopes = as_ints(f["trigger_slope_array"])
        if set(slopes) - {*EDGES}:
            raise task.fail(-200077, Property=f"DAQmx_AnlgMultiEdge_{name.title()}Trig_Slopes", Requested_Value=slopes)
        if name == "REF":
            _reference(engine, task, as_int(f["pretrigger_samples"]))
        head = f"ANLG_MULTI_EDGE_{name}_TRIG_"
        levels = as_floats(f["trigger_level_array"])
        sources = str(f["trigger_sources"])
        _put(engine, task, {f"{name}_TRIG_TYPE": tt.MULTI_EDGE, f"{head}SRCS": sources, f"{head}SLOPES": slopes, f"{head}LVLS": levels})

    return configure


CONFIGURE: dict[str, TaskCall] = {
    "CfgDigEdgeStartTrig": digital_start,
    "CfgAnlgEdgeStartTrig": _on_source("START", _EDGE),
    "CfgAnlgWindowStartTrig": _on_source("START", _WINDOW),
    "CfgAnlgMultiEdgeStartTrig": _multi_edge("START"),
    "CfgAnlgMultiEdgeRefTrig": _multi_edge("REF"),
    "CfgDigPatternStartTrig": _on_source("START", _PATTERN),
    "CfgTimeStartTrig": timestamps.at_a_time,
    "DisableStartTrig": lambda e, t, f: _put(e, t, {"START_TRIG_TYPE": tt.NONE}),
    "CfgDigEdgeRefTrig": digital_reference,
    "CfgAnlgEdgeRefTrig": _on_source("REF", _EDGE),
    "CfgAnlgWindowRefTrig": _on_source("REF", _WINDOW),
    "CfgDigPatternRefTrig": _on_source("REF", _PATTERN),
    "DisableRefTrig": lambda e, t, f: _put(e, t, {"REF_TRIG_TYPE": tt.NONE}),
}


def need_use(engine: Engine, task: Task, name: str) -> None:
    """Raise DaqmxError -200452 where a device of the task does not take such a trigger: delta-sigma converters cannot pause."""
    use = USES.get(name, 0)
    for device in task.devices:
        product = engine.devices[device]
        part = {ch.ANALOG_INPUT: product.inputs, ch.ANALOG_OUTPUT: product.outputs}.get(task.kind or 0)
        if part is not None and use and not part.triggers & use:
            raise task.fail(-200452, Property=f"DAQmx_{name.title()}Trig_Type", Device=device)


# -- properties ------------------------------------------------------------------------------------------------------------------------


def _source(name: str, need: Need = anybody) -> Property[Task]:
    """A terminal or a channel: the driver shows a terminal with its device."""
    own = setting(name, "", need=need)

    def get(engine: Engine, task: Task) -> str:
        return qualified(engine, task, str(own.get(engine, task)))

    return Property(get, own.set, "", own.reset)


def qualified(engine: Engine, task: Task, text: str) -> str:
    """`/Dev1/PFI0` of `PFI0`, where the task's device has such a terminal; anything else as it was given."""
    if not text or not task.channels:
        return text
    for device in dict.fromkeys((task.device, task.owner)):
        known = next((name for name in engine.devices[device].terminals if name.lower() == text.lower()), None)
        if known is not None:
            return f"/{device}/{known}"
    return text


def own_terminal(task: Task, signal: str) -> str:
    """The task's own terminal of a signal. Raises DaqmxError -200983 where the timing engine is chosen when the task is reserved."""
    task.need_channels()
    if task.host and task.kind == ch.ANALOG_INPUT and task.state < State.RESERVED:
        raise task.fail(-200983, Property=signal)
    return f"/{task.owner}/{task.part}/{signal}"


def _term(name: str, own: str) -> Property[Task]:
    def get(engine: Engine, task: Task) -> str:
        task.need_channels()
        if task.settings.get(f"{name}_TRIG_TYPE", tt.NONE) in (tt.DIGITAL_EDGE, tt.DIGITAL_LEVEL):
            head = "DIG_LVL" if name == "PAUSE" else "DIG_EDGE"
            return qualified(engine, task, str(task.settings.get(f"{head}_{name}_TRIG_SRC", "")))
        return own_terminal(task, own)

    return Property(get)


def _analog(name: str, kinds: Need) -> dict[str, Property[Task]]:
    edge, window = f"ANLG_EDGE_{name}_TRIG", f"ANLG_WIN_{name}_TRIG"
    return {
        f"{edge}_SRC": _source(f"{edge}_SRC", kinds), f"{edge}_SLOPE": setting(f"{edge}_SLOPE", RISING, EDGES, kinds),
        f"{edge}_LVL": setting(f"{edge}_LVL", 0.0, need=kinds), f"{edge}_HYST": _hysteresis(f"{edge}_HYST", kinds),
        f"{edge}_COUPLING": _coupling(f"{edge}_COUPLING", kinds),
        f"{window}_SRC": _source(f"{window}_SRC", kinds), f"{window}_WHEN": setting(f"{window}_WHEN", ENTERING, (ENTERING, LEAVING), kinds),
        f"{window}_TOP": setting(f"{window}_TOP", 0.0, need=kinds), f"{window}_BTM": setting(f"{window}_BTM", 0.0, need=kinds),
        f"{window}_COUPLING": _coupling(f"{window}_COUPLING", kinds),
        **filters.comparison_properties(edge, kinds), **filters.comparison_properties(window, kinds),
        **{f"ANLG_MULTI_EDGE_{name}_TRIG_{tail}": setting(f"ANLG_MULTI_EDGE_{name}_TRIG_{tail}", default, need=kinds)
           for tail, default in (("SRCS", ""), ("SLOPES", []), ("LVLS", []), ("HYSTS", []))},
        f"ANLG_MULTI_EDGE_{name}_TRIG_COUPLINGS": _couplings(f"ANLG_MULTI_EDGE_{name}_TRIG_COUPLINGS", kinds),
    }  # fmt: skip


def _coupling(name: str, need: Need = anybody) -> Property[Task]:
    """Of the circuit that compares: X Series cards have DC only, what others have is not simulated."""
    own = setting(name, DC, (AC, DC), need)

    def change(engine: Engine, task: Task, value: Value) -> None:
        if value == AC and task.channels:
            if engine.devices[task.device].category != of_products.X_SERIES:
                raise NotServed(f"{name} other than DC")
            raise task.fail(-200077, Requested_Value=value, Possible_Values="DAQmx_Val_DC")
        assert own.set is not None
        own.set(engine, task, value)

    return Property(own.get, change, DC, own.reset)


def _couplings(name: str, need: Need = anybody) -> Property[Task]:
    """Of the circuits that compare several signals: DC."""
    own = setting(name, [], need=need)

    def change(engine: Engine, task: Task, value: Value) -> None:
        couplings = as_ints(value)
        if {*couplings} - {DC}:
            raise NotServed(f"{name} other than DC")
        assert own.set is not None
        own.set(engine, task, couplings)

    return Property(own.get, change, [], own.reset)


def _hysteresis(name: str, need: Need = anybody) -> Property[Task]:
    own = setting(name, 0.0, need=need)

    def change(engine: Engine, task: Task, value: Value) -> None:
        need(engine, task)
        if not as_float(value) >= 0.0:
            raise task.fail(-200077, Requested_Value=value, Minimum_Value=0.0)
        assert own.set is not None
        own.set(engine, task, value)

    return Property(own.get, change, 0.0, own.reset)


def _handshake(engine: Engine, task: Task) -> Value:
    task.need_kind((ch.DIGITAL_INPUT, ch.DIGITAL_OUTPUT), -200452)
    if engine.devices[task.device].category == DIGITAL_IO:
        raise NotServed("handshake triggers")
    raise task.fail(-200452, Property="DAQmx_HshkTrig_Type")


def _digital(name: str, kinds: Need) -> dict[str, Property[Task]]:
    edge, pattern = f"DIG_EDGE_{name}_TRIG", f"DIG_PATTERN_{name}_TRIG"
    return {
        f"{edge}_SRC": _source(f"{edge}_SRC", kinds), f"{edge}_EDGE": setting(f"{edge}_EDGE", RISING, EDGES, kinds),
        f"{pattern}_SRC": setting(f"{pattern}_SRC", "", need=kinds), f"{pattern}_PATTERN": setting(f"{pattern}_PATTERN", "", need=kinds),
        f"{pattern}_WHEN": setting(f"{pattern}_WHEN", tt.MATCHES, (tt.MATCHES, DIFFERS), kinds),
        **filters.filter_properties(edge, kinds),
    }  # fmt: skip


def _can_pause(engine: Engine, task: Task) -> None:
    if task.channels:
        need_use(engine, task, "PAUSE")


_START_TYPES = (tt.NONE, tt.DIGITAL_EDGE, tt.ANALOG_EDGE, tt.ANALOG_WINDOW, tt.PATTERN, tt.TIME, tt.MULTI_EDGE)
_PAUSE_TYPES = (tt.NONE, tt.DIGITAL_LEVEL, tt.ANALOG_LEVEL, tt.ANALOG_WINDOW, tt.PATTERN)
_COUNTERS = for_kinds(10131, 10132)

TRIGGER: dict[str, Property[Task]] = {
    "START_TRIG_TYPE": setting("START_TRIG_TYPE", tt.NONE, _START_TYPES),
    "START_TRIG_TERM": _term("START", "StartTrigger"),
    "START_TRIG_DELAY": setting("START_TRIG_DELAY", 0.0),
    "START_TRIG_DELAY_UNITS": setting("START_TRIG_DELAY_UNITS", SAMPLE_PERIODS, (tt.SECONDS, SAMPLE_PERIODS, tt.TICKS)),
    "START_TRIG_RETRIGGERABLE": setting("START_TRIG_RETRIGGERABLE", False),
    **_digital("START", anybody), **_analog("START", anybody),
    "REF_TRIG_TYPE": setting("REF_TRIG_TYPE", tt.NONE, _START_TYPES, _REFERENCE),
    "REF_TRIG_TERM": _term("REF", "ReferenceTrigger"),
    "REF_TRIG_PRETRIG_SAMPLES": setting("REF_TRIG_PRETRIG_SAMPLES", 2, need=_REFERENCE),
    "REF_TRIG_DELAY": never("REF_TRIG_DELAY", _REFERENCE, 0.0),
    "REF_TRIG_AUTO_TRIG_ENABLE": never("REF_TRIG_AUTO_TRIG_ENABLE", _REFERENCE),
    "REF_TRIG_RETRIGGERABLE": never("REF_TRIG_RETRIGGERABLE", _REFERENCE),
    **_digital("REF", _REFERENCE), **_analog("REF", _REFERENCE),
    "PAUSE_TRIG_TYPE": setting("PAUSE_TRIG_TYPE", tt.NONE, _PAUSE_TYPES, _can_pause),
    "PAUSE_TRIG_TERM": _term("PAUSE", "PauseTrigger"),
    "DIG_LVL_PAUSE_TRIG_SRC": _source("DIG_LVL_PAUSE_TRIG_SRC"),
    "DIG_LVL_PAUSE_TRIG_WHEN": setting("DIG_LVL_PAUSE_TRIG_WHEN", tt.HIGH, (tt.HIGH, LOW)),
    **filters.filter_properties("DIG_LVL_PAUSE_TRIG"),
    **filters.comparison_properties("ANLG_LVL_PAUSE_TRIG"), **filters.comparison_properties("ANLG_WIN_PAUSE_TRIG"),
    "ANLG_LVL_PAUSE_TRIG_SRC": _source("ANLG_LVL_PAUSE_TRIG_SRC"),
    "ANLG_LVL_PAUSE_TRIG_WHEN": setting("ANLG_LVL_PAUSE_TRIG_WHEN", ABOVE, (ABOVE, BELOW)),
    "ANLG_LVL_PAUSE_TRIG_LVL": setting("ANLG_LVL_PAUSE_TRIG_LVL", 0.0),
    "ANLG_LVL_PAUSE_TRIG_HYST": _hysteresis("ANLG_LVL_PAUSE_TRIG_HYST"),
    "ANLG_LVL_PAUSE_TRIG_COUPLING": _coupling("ANLG_LVL_PAUSE_TRIG_COUPLING"),
    "ANLG_WIN_PAUSE_TRIG_SRC": _source("ANLG_WIN_PAUSE_TRIG_SRC"),
    "ANLG_WIN_PAUSE_TRIG_WHEN": setting("ANLG_WIN_PAUSE_TRIG_WHEN", INSIDE, (INSIDE, OUTSIDE)),
    "ANLG_WIN_PAUSE_TRIG_TOP": setting("ANLG_WIN_PAUSE_TRIG_TOP", 0.0),
    "ANLG_WIN_PAUSE_TRIG_BTM": setting("ANLG_WIN_PAUSE_TRIG_BTM", 0.0),
    "ANLG_WIN_PAUSE_TRIG_COUPLING": _coupling("ANLG_WIN_PAUSE_TRIG_COUPLING"),
    "DIG_PATTERN_PAUSE_TRIG_SRC": setting("DIG_PATTERN_PAUSE_TRIG_SRC", ""),
    "DIG_PATTERN_PAUSE_TRIG_PATTERN": setting("DIG_PATTERN_PAUSE_TRIG_PATTERN", ""),
    "DIG_PATTERN_PAUSE_TRIG_WHEN": setting("DIG_PATTERN_PAUSE_TRIG_WHEN", tt.MATCHES, (tt.MATCHES, DIFFERS)),
    "ARM_START_TRIG_TYPE": setting("ARM_START_TRIG_TYPE", tt.NONE, (tt.NONE, tt.DIGITAL_EDGE, tt.TIME), _COUNTERS),
    "ARM_START_TERM": Property(lambda e, t: qualified(e, t, str(t.settings.get("DIG_EDGE_ARM_START_TRIG_SRC", "")))),
    "DIG_EDGE_ARM_START_TRIG_SRC": _source("DIG_EDGE_ARM_START_TRIG_SRC", _COUNTERS),
    "DIG_EDGE_ARM_START_TRIG_EDGE": setting("DIG_EDGE_ARM_START_TRIG_EDGE", RISING, EDGES, _COUNTERS),
    **filters.filter_properties("DIG_EDGE_ARM_START_TRIG", _COUNTERS),
    "TRIGGER_SYNC_TYPE": never("TRIGGER_SYNC_TYPE", default=tt.NONE),
    "HSHK_TRIG_TYPE": Property(_handshake, lambda e, t, v: _handshake(e, t), reset=_handshake),
    **unsupported_task_properties.TRIGGER, **timestamps.TRIGGER,
}  # fmt: skip
