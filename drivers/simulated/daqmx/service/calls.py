"""Remote calls by name: fields of the request in, fields of the answer out. What is not in a table is not served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from drivers.simulated.daqmx.channels import analog_input, analog_output, counter, digital, rosette, teds
from drivers.simulated.daqmx.configuration import exports, timestamps, timing, triggers
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, as_float, as_int
from drivers.simulated.daqmx.engine.call import Alive, Call, task_call
from drivers.simulated.daqmx.engine.engine import Engine, handle_of
from drivers.simulated.daqmx.io import events, power_supply, reading, streams, task_states
from drivers.simulated.daqmx.properties import bridges, lead_offset
from drivers.simulated.daqmx.sensors import measurements
from drivers.simulated.daqmx.service import device_calls, sample_calls
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.messages import messages
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.storage import persisted, saved_tasks
from drivers.simulated.daqmx.subsystems.counter import usages
from drivers.simulated.daqmx.system import custom_scales, watchdogs

ATTACH_OR_NEW, NEW, ATTACH = 0, 1, 2


class Refused(Exception):
    """What the device server, not the driver, refuses: `status` is the name of a gRPC status."""

    def __init__(self, status: str, text: str) -> None:
        self.status = status
        super().__init__(text)


# -- tasks -----------------------------------------------------------------------------------------------------------------------------


def _session(engine: Engine, fields: Fields, make: Callable[[Task], None]) -> Fields:
    name, behaviour, program = str(fields["session_name"]), fields["initialization_behavior"], str(fields.get("program", ""))
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
        task.client = str(fields["client"])
        try:
            make(task)
        except (DaqmxError, NotServed):
            engine.clear(task)
            raise
        return {"task": task.handle, "new_session_initialized": True}


def create_task(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return _session(engine, fields, lambda task: None)


def load_task(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return _session(engine, fields, lambda task: saved_tasks.fill_task(engine, task, str(fields["session_name"])))


def create_watchdog(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return _session(engine, fields, lambda task: watchdogs.add(engine, task, str(fields["device_name"]), as_float(fields["timeout"])))


def clear_task(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    engine.clear(engine.task(str(fields["task"])))
    return {}


def is_task_done(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return {"is_task_done": reading.is_done(engine, engine.task(str(fields["task"])))}


def wait_until_done(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    reading.wait_until_done(engine, engine.task(str(fields["task"])), as_float(fields["time_to_wait"]), alive)
    return {}


def wait_for_clock(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    status = reading.wait_for_clock(engine, engine.task(str(fields["task"])), as_float(fields["timeout"]), alive)
    return {"status": status, "is_late": status != 0}


# -- the rest --------------------------------------------------------------------------------------------------------------------------


def error_string(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    return {"error_string": messages().get(as_int(fields["error_code"]), messages()[-200500])}


def _bench_call(do: Callable[[Engine, Fields], None]) -> Call:
    """A call that is about no task."""

    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            do(engine, fields)
        return {}

    return call


def _adding(add: Callable[[Engine, Task, str, Fields], None], name: str) -> Call:
    """A call that adds channels: `add` knows by the name which."""
    return task_call(lambda e, t, f: add(e, t, name, f))


CALLS: dict[str, Call] = {
    "CreateTask": create_task,
    "CreateWatchdogTimerTaskEx": create_watchdog,
    "ClearTask": clear_task,
    "StartTask": task_call(lambda e, t, f: task_states.start(e, t)),
    "StopTask": task_call(lambda e, t, f: task_states.stop_and_tell(e, t)),
    "TaskControl": task_call(lambda e, t, f: task_states.control(e, t, as_int(f["action"]))),
    "IsTaskDone": is_task_done,
    "WaitUntilTaskDone": wait_until_done,
    "WaitForNextSampleClock": wait_for_clock,
    **{call: _adding(analog_input.add_input, call) for call in measurements.CREATIONS},
    **{f"CreateTEDSAI{name}": _adding(teds.add, name) for name in teds.MAKERS},
    "CreateAICalculatedPowerChan": task_call(
        lambda e, t, f: analog_input.refuse(e, t, "calculated power", str(f["voltage_physical_channel"]))
    ),
    "CreateAIRosetteStrainGageChan": task_call(rosette.add),
    **{call: _adding(analog_output.add_output, call) for call in ("CreateAOVoltageChan", "CreateAOCurrentChan", "CreateAOFuncGenChan")},
    **{call: _adding(counter.add_counter, call) for call in (*usages.INPUTS, *usages.OUTPUTS)},
    "CreateDIChan": task_call(lambda e, t, f: digital.add_lines(e, t, ch.DIGITAL_INPUT, f)),
    "CreateDOChan": task_call(lambda e, t, f: digital.add_lines(e, t, ch.DIGITAL_OUTPUT, f)),
    **{
        name: task_call(do)
        for name, do in {**timing.CONFIGURE, **triggers.CONFIGURE, **streams.CONFIGURE, "ExportSignal": exports.export}.items()
    },
    **{name: _bench_call(do) for name, do in exports.CONNECT.items()},
    **watchdogs.CALLS,
    **timestamps.CALLS,
    **sample_calls.CALLS,
    **power_supply.CALLS,
    **bridges.CALLS,
    **lead_offset.CALLS,
    **custom_scales.CALLS,
    **persisted.CALLS,
    **saved_tasks.CALLS,
    "LoadTask": load_task,
    "AddGlobalChansToTask": task_call(lambda e, t, f: persisted.add_globals(e, t, str(f["channel_names"]))),
    "UnregisterEveryNSamplesEvent": lambda e, f, a: _unregister(e, f, events.EveryN),
    "UnregisterSignalEvent": lambda e, f, a: _unregister(e, f, events.SignalEvent),
    "UnregisterDoneEvent": lambda e, f, a: _unregister(e, f, events.Done),
    "GetErrorString": error_string,
    **device_calls.CALLS,
}


# -- events: the first item of the iterator is the registration -----------------------------------------------------------------------


def _unregister(engine: Engine, fields: Fields, kind: type[events.Subscription]) -> Fields:
    task = engine.task(str(fields["task"]))
    with engine.lock:
        events.need_unregistrable(task)
        for subscription in [s for s in task.subscriptions if isinstance(s, kind)]:
            subscription.close()
    return {}


Event = TypeVar("Event", bound=events.Subscription)


def _events(engine: Engine, task: Task, make: Callable[[], Event], answer: Callable[[Event], Fields], alive: Alive) -> Iterator[Fields]:
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
    task = engine.task(str(fields["task"]))
    kind, count = as_int(fields["every_n_samples_event_type"]), as_int(fields["n_samples"])
    told = {"every_n_samples_event_type": kind, "every_n_samples_event_type_raw": kind, "n_samples": count}
    return _events(engine, task, lambda: events.EveryN(engine, task, kind, count), lambda s: told, alive)


def done(engine: Engine, fields: Fields, alive: Alive) -> Iterator[Fields]:
    task = engine.task(str(fields["task"]))
    return _events(engine, task, lambda: events.Done(engine, task), lambda s: {"status": s.status}, alive)


def signal(engine: Engine, fields: Fields, alive: Alive) -> Iterator[Fields]:
    task, number = engine.task(str(fields["task"])), as_int(fields["signal_id"])
    return _events(engine, task, lambda: events.SignalEvent(engine, task, number), lambda s: {"signal_id": number}, alive)


STREAMS: dict[str, Callable[[Engine, Fields, Alive], Iterator[Fields]]] = {
    "RegisterEveryNSamplesEvent": every_n_samples,
    "RegisterDoneEvent": done,
    "RegisterSignalEvent": signal,
}
