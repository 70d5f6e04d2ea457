"""Watchdog tasks: made, told their expiration states, controlled; and their properties by NI's own names.

The subject of a property is (task, lines). Reading `expired` of a task that holds nothing is refused with -200983, as NI's own tests find.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from drivers.simulated.daqmx.core import watchdog as wd
from drivers.simulated.daqmx.core.names import expand, terminal
from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.core.values import Value, as_float, as_floats, as_int, as_ints
from drivers.simulated.daqmx.engine.call import task_call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.routing import route_rules
from drivers.simulated.daqmx.system import enumeration as en

EndState = TypeVar("EndState")
"""What an end takes when the watchdog expires."""

RESET_TIMER, CLEAR_EXPIRATION = 0, 1
DEFAULT_TIMEOUT = 10.0
LINE, OUTPUT, COUNTER = "do", "ao", "co"
_ENDS = {LINE: (en.LINE, en.PORT), OUTPUT: (en.AO,), COUNTER: (en.CO,)}
_NAMES = {LINE: "Watchdog.DO.ExpirState", OUTPUT: "Watchdog.AO.ExpirState", COUNTER: "Watchdog.CO.ExpirState"}


# -- making and finding ----------------------------------------------------------------------------------------------------------------


def add(engine: Engine, task: Task, device: str, timeout: float) -> None:
    """Make the task the watchdog task of a device or chassis. Raises DaqmxError -200662, -200668, -50103."""
    with engine.lock:
        name, product = engine.product(device)
        if not product.watchdog:
            raise task.fail(-200662, Device=name)
        _check_timeout(engine, task, name, timeout)
        if name in engine.watchdogs and not engine.clear_if_abandoned(engine.watchdogs[name].task):
            raise task.fail(-50103)
        engine.watchdogs[name] = wd.Watchdog(task, timeout, product.slots > 0, tuple(en.with_modules(engine, name)))


def device_watchdog(engine: Engine, task: Task) -> tuple[str, wd.Watchdog]:
    """Device and watchdog of a watchdog task. Raises DaqmxError -200635."""
    for device, dog in engine.watchdogs.items():
        if dog.task is task:
            return device, dog
    raise task.fail(-200635)


def need_unexpired(engine: Engine, task: Task) -> None:
    """Raise DaqmxError -201478 where a device of the task is in a chassis whose watchdog has expired."""
    for device in task.devices:
        dog = engine.watchdogs.get(en.chassis_of(engine, device))
        if dog is not None and dog.chassis and dog.expired:
            raise task.fail(wd.CHASSIS_EXPIRED, Device=device)


def _check_timeout(engine: Engine, task: Task, device: str, timeout: float) -> None:
    longest = engine.devices[device].longest_watchdog
    if not (timeout == -1 or 0 < timeout <= longest):
        raise task.fail(-200668, Property="Watchdog.Timeout", Requested_Value=timeout, Maximum_Value=longest, Device=device)


# -- expiration states -----------------------------------------------------------------------------------------------------------------


def _guarded(engine: Engine, task: Task, text: str, kind: str) -> list[list[str]]:
    """Terminals of each name of a list; of a port all its lines. Raises DaqmxError -200648 (other device), -200651, -200452."""
    device, dog = device_watchdog(engine, task)
    if kind not in engine.devices[device].guards:
        raise task.fail(-200452, Property=_NAMES[kind], Device=device)
    names = expand(text)
    if not names:
        raise task.fail(-200099)
    return [_ends(engine, task, dog, name, kind) for name in names]


def _ends(engine: Engine, task: Task, dog: wd.Watchdog, name: str, kind: str) -> list[str]:
    with task.naming():
        channel = en.physical(engine, name)
    if channel.device not in dog.members:
        raise task.fail(-200648, Device=channel.device)
    if not {*_ENDS[kind]} & {*channel.kinds}:
        raise task.fail(-200430, Physical_Channel_Name=channel.name)
    if en.PORT in channel.kinds:
        return [terminal(f"{channel.name}/line{n}") for n in range(channel.product.ports[channel.port])]
    return [terminal(channel.name)]


def _each(engine: Engine, task: Task, text: str, kind: str, states: Sequence[EndState]) -> list[tuple[list[str], EndState]]:
    groups = _guarded(engine, task, text, kind)
    if len(groups) != len(states):
        raise task.fail(-200077, Property=_NAMES[kind], Requested_Value=len(states))
    return list(zip(groups, states, strict=True))


def set_lines(engine: Engine, task: Task, lines: str, states: Sequence[int]) -> None:
    """Which state each line (or port) takes when the watchdog expires. Raises DaqmxError."""
    with engine.lock:
        _, dog = device_watchdog(engine, task)
        for ends, state in _each(engine, task, lines, LINE, states):
            if state not in (wd.HIGH, wd.LOW, wd.TRISTATE, wd.NO_CHANGE):
                raise task.fail(-200077, Property=_NAMES[LINE], Requested_Value=state)
            dog.states |= dict.fromkeys(ends, state)


def set_outputs(engine: Engine, task: Task, channels: str, values: Sequence[float], kinds: Sequence[int]) -> None:
    """Which level each analogue output takes when the watchdog expires. Raises DaqmxError."""
    with engine.lock:
        _, dog = device_watchdog(engine, task)
        pairs = list(zip(values, kinds, strict=True)) if len(values) == len(kinds) else []
        found: dict[str, tuple[float, int]] = {}
        for ends, (value, kind) in _each(engine, task, channels, OUTPUT, pairs):
            outputs = en.physical(engine, ends[0]).product.outputs
            assert outputs is not None
            tops = {wd.VOLTAGE: outputs.tops, wd.CURRENT: outputs.current_tops, wd.NO_CHANGE: (float("inf"),)}.get(kind, ())
            if not tops or abs(value) > tops[-1]:
                raise task.fail(-200077, Property=_NAMES[OUTPUT], Requested_Value=value)
            found[ends[0]] = (value, kind)
        dog.levels |= found


def set_counters(engine: Engine, task: Task, channels: str, states: Sequence[int]) -> None:
    """Which state each counter output takes when the watchdog expires. Raises DaqmxError."""
    with engine.lock:
        _, dog = device_watchdog(engine, task)
        for ends, state in _each(engine, task, channels, COUNTER, states):
            if state not in (wd.HIGH, wd.LOW, wd.NO_CHANGE):
                raise task.fail(-200077, Property=_NAMES[COUNTER], Requested_Value=state)
            dog.counters |= dict.fromkeys(ends, state)


# -- control ---------------------------------------------------------------------------------------------------------------------------


def control(engine: Engine, task: Task, action: int) -> None:
    """`reset_timer` and `clear_expiration`. Raises DaqmxError -200475 (not running), -200644 (has expired), -201478 (chassis has)."""
    _, dog = device_watchdog(engine, task)
    now = engine.clock.now()
    if dog.awaits_edge or dog.expires is None or dog.expires <= now:  # else nothing can have become of it up to now
        engine.update(exact=True)
        now = engine.time
    if not task.running:
        raise task.fail(-200475)
    if action not in (RESET_TIMER, CLEAR_EXPIRATION):
        raise task.fail(-200538)
    if dog.expired and dog.chassis:
        raise task.fail(wd.CHASSIS_EXPIRED)
    if dog.expired and action == RESET_TIMER:
        raise task.fail(-200644)
    if dog.expired or action == RESET_TIMER:
        dog.expired = False
        dog.arm(now)


def verify(engine: Engine, task: Task) -> None:
    """Raise what keeps a watchdog task from running."""
    device, dog = device_watchdog(engine, task)
    if dog.chassis and dog.expired:
        raise task.fail(wd.CHASSIS_EXPIRED)
    if dog.trigger == wd.DIGITAL_EDGE and route_rules.split(engine, dog.source, device) is None:
        raise task.fail(-89120, Property="DAQmx_DigEdge_WatchdogExpirTrig_Src", Source_Device=device, Source_Terminal=dog.source)


# -- properties: the subject is (task, lines) ------------------------------------------------------------------------------------------

Subject = tuple[Task, str]


def _has_expired(engine: Engine, subject: Subject) -> bool:
    task, _ = subject
    _, dog = device_watchdog(engine, task)
    if task.state < State.RESERVED:
        raise task.fail(-200983, Property="Watchdog.HasExpired")
    engine.update(exact=True)
    return dog.expired


def _set_timeout(engine: Engine, subject: Subject, value: Value) -> None:
    task, _ = subject
    task.need_stopped()
    device, dog = device_watchdog(engine, task)
    _check_timeout(engine, task, device, as_float(value))
    dog.timeout = as_float(value)


def _choice(field: str, name: str, known: tuple[int, ...]) -> Property[Subject]:
    """A field of the watchdog that is one of several values, the first by default."""

    def change(engine: Engine, subject: Subject, value: Value) -> None:
        task, _ = subject
        task.need_stopped()
        if value not in known:
            raise task.fail(-200077, Property=name, Requested_Value=value)
        setattr(device_watchdog(engine, task)[1], field, value)

    return Property(lambda e, s: getattr(device_watchdog(e, s[0])[1], field), change, known[0])


def _set_source(engine: Engine, subject: Subject, value: Value) -> None:
    subject[0].need_stopped()
    device_watchdog(engine, subject[0])[1].source = str(value)


def _network(engine: Engine, subject: Subject) -> wd.Watchdog:
    device, dog = device_watchdog(engine, subject[0])
    if not dog.chassis:
        raise subject[0].fail(-200452, Property="WatchdogExpirTrig.TrigOnNetworkConnLoss", Device=device)
    return dog


def _set_on_loss(engine: Engine, subject: Subject, value: Value) -> None:
    subject[0].need_stopped()
    _network(engine, subject).on_connection_loss = bool(value)


def _state(kind: str, get: Callable[[wd.Watchdog, str], Value]) -> Callable[[Engine, Subject], Value]:
    """Of one channel. Raises DaqmxError as setting it does."""

    def value(engine: Engine, subject: Subject) -> Value:
        task, text = subject
        _, dog = device_watchdog(engine, task)
        values = [get(dog, end) for ends in _guarded(engine, task, text, kind) for end in ends]
        if any(other != values[0] for other in values):
            raise task.fail(-200643)
        return values[0]

    return value


def _level(dog: wd.Watchdog, end: str) -> tuple[float, int]:
    return dog.levels.get(end, (0.0, wd.NO_CHANGE))


def _set_level(engine: Engine, subject: Subject, value: Value) -> None:
    task, text = subject
    for (end,) in _guarded(engine, task, text, OUTPUT):
        kind = _level(device_watchdog(engine, task)[1], end)[1]
        set_outputs(engine, task, end, [as_float(value)], [wd.VOLTAGE if kind == wd.NO_CHANGE else kind])


def _set_output_type(engine: Engine, subject: Subject, value: Value) -> None:
    task, text = subject
    for (end,) in _guarded(engine, task, text, OUTPUT):
        set_outputs(engine, task, end, [_level(device_watchdog(engine, task)[1], end)[0]], [as_int(value)])


def _counted(text: str) -> int:
    return len(expand(text))


PROPERTIES: dict[str, Property[Subject]] = {
    "HAS_EXPIRED": Property(_has_expired),
    "TIMEOUT": Property(lambda e, s: device_watchdog(e, s[0])[1].timeout, _set_timeout, DEFAULT_TIMEOUT),
    "EXPIR_TRIG_TYPE": _choice("trigger", "WatchdogExpirTrig.Type", (wd.NO_TRIGGER, wd.DIGITAL_EDGE)),
    "DIG_EDGE_WATCHDOG_EXPIR_TRIG_SRC": Property(lambda e, s: device_watchdog(e, s[0])[1].source, _set_source, ""),
    "DIG_EDGE_WATCHDOG_EXPIR_TRIG_EDGE": _choice("edge", "DigEdge.WatchdogExpirTrig.Edge", (wd.RISING, wd.FALLING)),
    "EXPIR_TRIG_TRIG_ON_NETWORK_CONN_LOSS": Property(lambda e, s: _network(e, s).on_connection_loss, _set_on_loss, False),
    "DO_EXPIR_STATE": Property(
        _state(LINE, lambda dog, end: dog.states.get(end, wd.NO_CHANGE)),
        lambda e, s, v: set_lines(e, s[0], s[1], [as_int(v)] * _counted(s[1])), wd.NO_CHANGE,
    ),
    "CO_EXPIR_STATE": Property(
        _state(COUNTER, lambda dog, end: dog.counters.get(end, wd.NO_CHANGE)),
        lambda e, s, v: set_counters(e, s[0], s[1], [as_int(v)] * _counted(s[1])), wd.NO_CHANGE,
    ),
    "AO_EXPIR_STATE": Property(_state(OUTPUT, lambda dog, end: _level(dog, end)[0]), _set_level, 0.0),
    "AO_OUTPUT_TYPE": Property(_state(OUTPUT, lambda dog, end: _level(dog, end)[1]), _set_output_type, wd.NO_CHANGE),
}  # fmt: skip


CALLS = {
    "CfgWatchdogDOExpirStates": task_call(lambda e, t, f: set_lines(e, t, str(f["channel_names"]), as_ints(f["expir_state_array"]))),
    "CfgWatchdogAOExpirStates": task_call(
        lambda e, t, f: set_outputs(e, t, str(f["channel_names"]), as_floats(f["expir_state_array"]), as_ints(f["output_type_array"]))
    ),
    "CfgWatchdogCOExpirStates": task_call(lambda e, t, f: set_counters(e, t, str(f["channel_names"]), as_ints(f["expir_state_array"]))),
    "ControlWatchdogTask": task_call(lambda e, t, f: control(e, t, as_int(f["action"]))),
}
