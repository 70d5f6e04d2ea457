"""Exported signals and routes between terminals."""

from __future__ import annotations

from collections.abc import Callable, Collection

from nidaqmx import constants as ni

from drivers.simulated.daqmx.configuration import setting_changes, unsupported_task_properties
from drivers.simulated.daqmx.configuration.digital_sources import sources
from drivers.simulated.daqmx.configuration.settings import setting
from drivers.simulated.daqmx.configuration.triggers import qualified
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.names import split, terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, as_int
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.routing import route_rules
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name

SIGNALS = {
    12487: "SampleClock", 12491: "StartTrigger", 12490: "ReferenceTrigger", 12511: "ChangeDetectionEvent", 12494: "CounterOutputEvent",
    12486: "20MHzTimebase", 12536: "10MHzRefClock", 12484: "ConvertClock", 12493: "HoldCompleteEvent",
}  # fmt: skip
"""Signals by their number in nidaqmx.constants.Signal."""
_INPUTS = (ch.ANALOG_INPUT, ch.DIGITAL_INPUT)
_BY_KIND: dict[str, tuple[int, ...]] = {
    "ReferenceTrigger": _INPUTS, "ChangeDetectionEvent": (ch.DIGITAL_INPUT,), "CounterOutputEvent": (10131, 10132),
    "ConvertClock": (ch.ANALOG_INPUT,), "HoldCompleteEvent": (ch.ANALOG_INPUT,),
}  # fmt: skip
"""Which tasks have a signal that not all of them have."""


def export(engine: Engine, task: Task, f: Fields) -> None:
    """`export_signal`. Raises DaqmxError."""
    task.need_stopped()
    name = SIGNALS.get(as_int(f["signal_id"]))
    if name is None:
        raise task.fail(-200374, Requested_Value=f["signal_id"])
    _set(engine, task, name, str(f["output_terminal"]))


def _set(engine: Engine, task: Task, name: str, text: str) -> None:
    _has(task, name)
    setting_changes.changed(engine, task)
    task.exports[name] = split(text)


def _has(task: Task, name: str) -> None:
    task.need_kind(_BY_KIND.get(name, (ch.ANALOG_INPUT, ch.ANALOG_OUTPUT, ch.DIGITAL_INPUT, ch.DIGITAL_OUTPUT, 10131, 10132)), -200452)


def verify(engine: Engine, task: Task) -> None:
    """Check where signals of the task go to.

    Raises DaqmxError -89121 (no such terminal), -89125 and -89136 (no way there), -200607 (two signals), -89138 (the task listens there),
    -89137 (somebody else puts something out there).
    """
    taken: set[str] = set()
    own = {known(engine, text, task.device) for text in (task.timing.source, *sources(task).values()) if text}
    for signal, names in task.exports.items():
        for text in names:
            name, place = known(engine, text, task.device), route_rules.split(engine, text, task.device)
            device, shown = route_rules.shown_as(engine, text, task.device)
            where: dict[str, object] = {"Property": _property(signal), "Destination_Device": device, "Destination_Terminal": shown}
            if name is None or place is None:
                raise task.fail(-89121, **where)
            code = route_rules.impossible(engine, (task.device, ""), place) or route_rules.barred_export(engine, task, signal, place)
            if code or name in own:
                raise task.fail(code or route_rules.IN_USE_IN_TASK, **where)
            if name in taken:
                raise task.fail(-200607, **where)
            taken.add(name)
            if driven(engine, name, task):
                raise task.fail(route_rules.IN_USE, **where)


def _property(signal: str) -> str:
    """The property that says where a signal goes out."""
    head = next(prefix for prefix, name in _TERMS.items() if name == signal)
    return c_name(f"{head}_OUTPUT_TERM", "EXPORTEDSIGNAL")


def driven(engine: Engine, name: str, task: Task | None = None, own: Collection[str] = ()) -> bool:
    """Whether somebody else puts something out at a terminal: another task that is reserved, or a route that no task holds.

    `own`: a route from there is the same one ("Routing and Hardware Sharing", NI-DAQmx Key Concepts).
    """
    source, inverted = engine.routes.connected.get(name, ("", False))
    if (source and (inverted or source not in own)) or goes_out(engine, name, task):
        return True
    return any(name in other.reserved for other in engine.tasks.values() if other is not task)


def goes_out(engine: Engine, name: str, task: Task | None = None) -> bool:
    """Whether another task that is reserved exports a signal to a terminal."""
    others = [t for t in engine.tasks.values() if t is not task and t.reserved and t.channels]
    return any(name == known(engine, text, t.device) for t in others for texts in t.exports.values() for text in texts)


def known(engine: Engine, text: str, device: str = "") -> str | None:
    """Canonical name of a terminal that there is, else None."""
    name = terminal(text)
    if "/" not in name and device:
        name = f"{terminal(device)}/{name}"
    head, _, rest = name.partition("/")
    for owner, product in engine.devices.items():
        if terminal(owner) == head and rest in {t.lower() for t in product.terminals}:
            return engine.routes.canonical(name)
    return None


# -- routes that no task holds ---------------------------------------------------------------------------------------------------------


def connect(engine: Engine, f: Fields) -> None:
    """`connect_terms`. Raises DaqmxError."""
    source, destination = _end(engine, str(f["source_terminal"]), -89120), _end(engine, str(f["destination_terminal"]), -89121)
    where = {"Source_Terminal": str(f["source_terminal"]), "Destination_Terminal": str(f["destination_terminal"])}
    ends = [route_rules.split(engine, text) for text in where.values()]
    assert ends[0] is not None and ends[1] is not None  # _end has looked
    shown = [route_rules.shown_as(engine, text) for text in where.values()]
    where = {"Source_Terminal": shown[0][1], "Destination_Terminal": shown[1][1]}
    code = route_rules.impossible(engine, ends[0], ends[1])
    if code:
        raise DaqmxError(code, "", 0, Source_Device=ends[0][0], Destination_Device=ends[1][0], **where)
    inverted = f["signal_modifiers"] == 1
    shared = engine.routes.connected.get(destination) == (source, inverted) or (not inverted and _shared(engine, source, destination))
    if not shared and driven(engine, destination):
        raise DaqmxError(route_rules.IN_USE, "", 0, **where)
    engine.update(exact=True)
    engine.routes.connected[destination] = (source, inverted)


def _shared(engine: Engine, source: str, destination: str) -> bool:
    """Whether a task has this very route: they may have it together."""
    tasks = [t for t in engine.tasks.values() if t.reserved and t.channels]
    return any(pin == destination and source in own for t in tasks for pin, own in engine.task_type(t).pins(engine, t))


def disconnect(engine: Engine, f: Fields) -> None:
    """`disconnect_terms`. Raises DaqmxError."""
    source, destination = _end(engine, str(f["source_terminal"]), -89120), _end(engine, str(f["destination_terminal"]), -89121)
    engine.update(exact=True)
    if engine.routes.connected.get(destination, ("", False))[0] == source:
        del engine.routes.connected[destination]


def tristate(engine: Engine, f: Fields) -> None:
    """`tristate_output_term`. Raises DaqmxError -89121, -89128 for a signal inside, -89127 for a terminal in an active route."""
    destination = _end(engine, str(f["output_terminal"]), -89121)
    place = route_rules.split(engine, str(f["output_terminal"]))
    if place is None or not route_rules.can_tristate(place[1]):
        raise DaqmxError(route_rules.NO_TRISTATE, "", 0, Terminal=f["output_terminal"])
    if driven(engine, destination):
        raise DaqmxError(route_rules.TRISTATE_BUSY, "", 0, Terminal=f["output_terminal"])
    engine.update(exact=True)


def _end(engine: Engine, text: str, code: int) -> str:
    name = known(engine, text)
    if name is None:
        raise DaqmxError(code, Terminal=text)
    return name


CONNECT: dict[str, Callable[[Engine, Fields], None]] = {
    "ConnectTerms": connect,
    "DisconnectTerms": disconnect,
    "TristateOutputTerm": tristate,
}

# -- properties ------------------------------------------------------------------------------------------------------------------------

_TERMS = {
    "SAMP_CLK": "SampleClock", "START_TRIG": "StartTrigger", "REF_TRIG": "ReferenceTrigger", "CHANGE_DETECT_EVENT": "ChangeDetectionEvent",
    "CTR_OUT_EVENT": "CounterOutputEvent", "20_MHZ_TIMEBASE": "20MHzTimebase", "10_MHZ_REF_CLK": "10MHzRefClock",
    "AI_CONV_CLK": "ConvertClock", "AI_HOLD_CMPLT_EVENT": "HoldCompleteEvent",
}  # fmt: skip
ACTIVE_HIGH, ACTIVE_LOW = ni.Polarity.ACTIVE_HIGH.value, ni.Polarity.ACTIVE_LOW.value
PULSE, TOGGLE, LEVEL = ni.ExportAction.PULSE.value, ni.ExportAction.TOGGLE.value, ni.ExportAction.LEVEL.value


def _output(name: str) -> Property[Task]:
    def get(engine: Engine, task: Task) -> str:
        _has(task, name)
        return ", ".join(qualified(engine, task, text) for text in task.exports.get(name, ()))

    return Property(get, lambda e, t, v: _set(e, t, name, str(v)), "")


EXPORTED: dict[str, Property[Task]] = {
    **unsupported_task_properties.EXPORTED,
    **{f"{prefix}_OUTPUT_TERM": _output(name) for prefix, name in _TERMS.items()},
    "SAMP_CLK_OUTPUT_BEHAVIOR": setting("SAMP_CLK_OUTPUT_BEHAVIOR", PULSE, (PULSE, LEVEL)),
    "SAMP_CLK_PULSE_POLARITY": setting("SAMP_CLK_PULSE_POLARITY", ACTIVE_HIGH, (ACTIVE_HIGH, ACTIVE_LOW)),
    "START_TRIG_PULSE_POLARITY": setting("START_TRIG_PULSE_POLARITY", ACTIVE_HIGH, (ACTIVE_HIGH, ACTIVE_LOW)),
    "REF_TRIG_PULSE_POLARITY": setting("REF_TRIG_PULSE_POLARITY", ACTIVE_HIGH, (ACTIVE_HIGH, ACTIVE_LOW)),
    "CHANGE_DETECT_EVENT_PULSE_POLARITY": setting("CHANGE_DETECT_EVENT_PULSE_POLARITY", ACTIVE_HIGH, (ACTIVE_HIGH, ACTIVE_LOW)),
    "RDY_FOR_XFER_EVENT_LVL_ACTIVE_LVL": setting("RDY_FOR_XFER_EVENT_LVL_ACTIVE_LVL", ACTIVE_HIGH, (ACTIVE_HIGH, ACTIVE_LOW)),
    "CTR_OUT_EVENT_OUTPUT_BEHAVIOR": setting("CTR_OUT_EVENT_OUTPUT_BEHAVIOR", PULSE, (PULSE, TOGGLE)),
    "CTR_OUT_EVENT_PULSE_POLARITY": setting("CTR_OUT_EVENT_PULSE_POLARITY", ACTIVE_HIGH, (ACTIVE_HIGH, ACTIVE_LOW)),
    "CTR_OUT_EVENT_TOGGLE_IDLE_STATE": setting("CTR_OUT_EVENT_TOGGLE_IDLE_STATE", 10214, (10192, 10214)),
}
