"""Remote calls by name: fields of the request in, fields of the answer out. What is not in a table is not served."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from drivers.simulated.daqmx.channels import analog_input, analog_output, counter, digital, rosette, teds
from drivers.simulated.daqmx.configuration import exports, timestamps, timing, triggers
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.names import expand
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.engine.engine import Engine, handle_of
from drivers.simulated.daqmx.io import events, power_supply, reading, streams, task_states
from drivers.simulated.daqmx.properties import bridges
from drivers.simulated.daqmx.properties import properties as pr
from drivers.simulated.daqmx.sensors import measurements, scales
from drivers.simulated.daqmx.service import device_calls, sample_calls
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.messages import MESSAGES
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.storage import persisted, saved_tasks
from drivers.simulated.daqmx.subsystems.counter import usages
from drivers.simulated.daqmx.system import custom_scales, enumeration, watchdogs

Fields = Mapping[str, Any]
Alive = Callable[[], bool]

ATTACH_OR_NEW, NEW, ATTACH = 0, 1, 2


class Refused(Exception):
    """What the device server, not the driver, refuses: `status` is the name of a gRPC status."""

    def __init__(self, status: str, text: str) -> None:
        self.status = status
        super().__init__(text)


# -- tasks -----------------------------------------------------------------------------------------------------------------------------


def _session(engine: Engine, fields: Fields, make: Callable[[Task], None]) -> Fields:
    name, behaviour, program = fields["session_name"], fields["initialization_behavior"], fields.get("program", "")
    with engine.lock:
        handle = handle_of(name, program)
        there = bool(name) and handle in engine.tasks and not engine.clear_if_abandoned(engine.tasks[handle])
        if there and behaviour == NEW:
            raise Refused("ALREADY_EXISTS", f"Cannot initialize '{name}' because it already exists.")
        if not there and behaviour == ATTACH:
            raise Refused("FAILED_PRECONDITION", f"Cannot attach to '{name}' because it has not been initialized.")
        if there:
            return {"task": handle, "new_session_initialized": False}
        task = engine.create_task(name, program)
        task.client = fields["client"]
        try:
            make(task)
        except (DaqmxError, NotServed):
            engine.clear(task)
            raise
        return {"task": task.handle, "new_session_initialized": True}


def create_task(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return _session(engine, fields, lambda task: None)


def load_task(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return _session(engine, fields, lambda task: saved_tasks.fill_task(engine, task, fields["session_name"]))


def create_watchdog(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return _session(engine, fields, lambda task: watchdogs.add(engine, task, fields["device_name"], fields["timeout"]))


def clear_task(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    engine.clear(engine.task(fields["task"]))
    return {}


def _task_call(do: Callable[[Engine, Task, Fields], object]) -> Callable[[Engine, Fields, Alive], Fields]:
    """A call on a task that answers nothing but its status."""

    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            do(engine, engine.task(fields["task"]), fields)
        return {}

    return call


def is_task_done(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return {"is_task_done": reading.is_done(engine, engine.task(fields["task"]))}


def wait_until_done(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    reading.wait_until_done(engine, engine.task(fields["task"]), fields["time_to_wait"], alive)
    return {}


def wait_for_clock(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return {"is_late": reading.wait_for_clock(engine, engine.task(fields["task"]), fields["timeout"], alive)}


# -- the rest --------------------------------------------------------------------------------------------------------------------------


def error_string(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return {"error_string": MESSAGES.get(fields["error_code"], MESSAGES[-200500])}


def _bench_call(do: Callable[[Engine, Fields], None]) -> Callable[[Engine, Fields, Alive], Fields]:
    """A call that is about no task."""

    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            do(engine, fields)
        return {}

    return call


def _add_input(call: str) -> Callable[[Engine, Fields, Alive], Fields]:
    return _task_call(lambda e, t, f: analog_input.add_input(e, t, call, f))


def _add_described(name: str) -> Callable[[Engine, Fields, Alive], Fields]:
    return _task_call(lambda e, t, f: teds.add(e, t, name, f))


def _add_output(call: str) -> Callable[[Engine, Fields, Alive], Fields]:
    return _task_call(lambda e, t, f: analog_output.add_output(e, t, call, f))


def _add_counter(call: str) -> Callable[[Engine, Fields, Alive], Fields]:
    return _task_call(lambda e, t, f: counter.add_counter(e, t, call, f))


CALLS: dict[str, Callable[[Engine, Fields, Alive], Any]] = {
    "CreateTask": create_task,
    "CreateWatchdogTimerTaskEx": create_watchdog,
    "ClearTask": clear_task,
    "StartTask": _task_call(lambda e, t, f: task_states.start(e, t)),
    "StopTask": _task_call(lambda e, t, f: task_states.stop_and_tell(e, t)),
    "TaskControl": _task_call(lambda e, t, f: task_states.control(e, t, f["action"])),
    "IsTaskDone": is_task_done,
    "WaitUntilTaskDone": wait_until_done,
    "WaitForNextSampleClock": wait_for_clock,
    **{call: _add_input(call) for call in measurements.CREATIONS},
    **{f"CreateTEDSAI{name}": _add_described(name) for name in teds.MAKERS},
    **{
        call: _task_call(lambda e, t, f, word=word, field=field: analog_input.refuse(e, t, word, f[field]))  # type: ignore[misc]
        for call, word, field in (
            ("CreateAICalculatedPowerChan", "calculated power", "voltage_physical_channel"),
        )
    },
    "CreateAIRosetteStrainGageChan": _task_call(rosette.add),
    **{call: _add_output(call) for call in ("CreateAOVoltageChan", "CreateAOCurrentChan", "CreateAOFuncGenChan")},
    **{call: _add_counter(call) for call in (*usages.INPUTS, *usages.OUTPUTS)},
    "CreateDIChan": _task_call(lambda e, t, f: digital.add_lines(e, t, ch.DIGITAL_INPUT, f)),
    "CreateDOChan": _task_call(lambda e, t, f: digital.add_lines(e, t, ch.DIGITAL_OUTPUT, f)),
    **{
        name: _task_call(do)
        for name, do in {**timing.CONFIGURE, **triggers.CONFIGURE, **streams.CONFIGURE, "ExportSignal": exports.export}.items()
    },
    **{name: _bench_call(do) for name, do in exports.CONNECT.items()},
    **watchdogs.CALLS,
    **timestamps.CALLS,
    **sample_calls.CALLS,
    **power_supply.CALLS,
    **bridges.CALLS,
    **custom_scales.CALLS,
    **persisted.CALLS,
    **saved_tasks.CALLS,
    "LoadTask": load_task,
    "AddGlobalChansToTask": _task_call(lambda e, t, f: persisted.add_globals(e, t, f["channel_names"])),
    "UnregisterEveryNSamplesEvent": lambda e, f, a: _unregister(e, f, events.EveryN),
    "UnregisterSignalEvent": lambda e, f, a: _unregister(e, f, events.SignalEvent),
    "UnregisterDoneEvent": lambda e, f, a: _unregister(e, f, events.Done),
    "GetErrorString": error_string,
    **device_calls.CALLS,
}


# -- events: the first item of the iterator is the registration -----------------------------------------------------------------------


def _unregister(engine: Engine, fields: Fields, kind: type[events.Subscription]) -> Fields:
    task = engine.task(fields["task"])
    with engine.lock:
        events.need_unregistrable(task)
        for subscription in [s for s in task.subscriptions if isinstance(s, kind)]:
            subscription.close()
    return {}


def _events(
    engine: Engine, task: Task, make: Callable[[], events.Subscription], answer: Callable[[Any], Fields], alive: Alive
) -> Iterator[Fields]:
    with engine.lock:
        subscription = make()
        task.subscriptions.append(subscription)
    try:
        yield {}
        while subscription.wait(alive):
            yield answer(subscription)
    finally:
        with engine.lock:
            task.subscriptions.remove(subscription)


def every_n_samples(engine: Engine, fields: Fields, alive: Alive) -> Iterator[Fields]:
    task = engine.task(fields["task"])
    kind, count = fields["every_n_samples_event_type"], fields["n_samples"]
    told = {"every_n_samples_event_type": kind, "every_n_samples_event_type_raw": kind, "n_samples": count}
    return _events(engine, task, lambda: events.EveryN(engine, task, kind, count), lambda s: told, alive)


def done(engine: Engine, fields: Fields, alive: Alive) -> Iterator[Fields]:
    task = engine.task(fields["task"])
    return _events(engine, task, lambda: events.Done(engine, task), lambda s: {"status": s.status}, alive)


def signal(engine: Engine, fields: Fields, alive: Alive) -> Iterator[Fields]:
    task, number = engine.task(fields["task"]), fields["signal_id"]
    return _events(engine, task, lambda: events.SignalEvent(engine, task, number), lambda s: {"signal_id": number}, alive)


STREAMS: dict[str, Callable[[Engine, Fields, Alive], Iterator[Fields]]] = {
    "RegisterEveryNSamplesEvent": every_n_samples,
    "RegisterDoneEvent": done,
    "RegisterSignalEvent": signal,
}


# -- properties ------------------------------------------------------------------------------------------------------------------------


def subject(engine: Engine, family: str, fields: Fields) -> list[Any]:
    """What a property call is about; several channels where it names several."""
    if family == "SYSTEM":
        return [None]
    if family == "DEVICE":
        return [enumeration.device_of(engine, fields["device_name"])]
    if family == "CALINFO":
        return [engine.product(fields["device_name"])]
    if family == "PHYSICALCHANNEL":
        return [fields["physical_channel"]]
    if family == "PERSISTEDTASK":
        return [persisted.stored_task(engine, fields["task_name"])]
    if family == "PERSISTEDCHAN":
        return [persisted.stored_channel(engine, fields["channel"])]
    if family == "PERSISTEDSCALE":
        return [scales.stored(engine, fields["scale_name"])]
    if family == "SCALE":
        return [scales.find(engine, fields["scale_name"])]
    task = engine.task(fields["task"])
    if family == "CHANNEL":
        return [(task, c) for c in task.find(fields["channel"], expand(fields["channel"]))]
    if family == "WATCHDOG":
        return [(task, fields["lines"])]
    return [task]


def get_property(engine: Engine, family: str, name: str, fields: Fields) -> Any:
    """Value of a property, the same for everything the call names. Raises NotServed, DaqmxError."""
    pr.find(family, name)
    subjects = subject(engine, family, fields)
    values = [pr.get_property(engine, family, name, s) for s in subjects]
    if not values:
        raise engine.task(fields["task"]).fail(-200478)
    if any(v != values[0] for v in values):
        raise engine.task(fields["task"]).fail(-200097)
    return values[0]


def set_property(engine: Engine, family: str, name: str, fields: Fields) -> None:
    """Set a property of everything the call names. Raises NotServed, DaqmxError."""
    pr.find(family, name)
    for item in subject(engine, family, fields):
        pr.set_property(engine, family, name, item, fields["value"])


def reset_property(engine: Engine, family: str, name: str, fields: Fields) -> None:
    """Reset a property of everything the call names. Raises NotServed, DaqmxError."""
    pr.find(family, name)
    for item in subject(engine, family, fields):
        pr.reset_property(engine, family, name, item)
