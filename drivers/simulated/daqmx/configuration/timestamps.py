"""Times of day of triggers and first samples, and triggers at a time: what devices on a network with a common clock have (CompactDAQ
chassis with TSN).

NI-DAQmx Properties, DAQmx Trigger and DAQmx Timing ("Timestamp"); values, defaults and errors as nidaqmx-python's tests/component/task/
test_triggers_properties.py and test_timing_properties.py expect them.
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.configuration import setting_changes
from drivers.simulated.daqmx.configuration.settings import Need, setting
from drivers.simulated.daqmx.core import time_of_day
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.trigger_types import NONE, TIME
from drivers.simulated.daqmx.core.values import Fields, TimeOfDay, Value, as_float, as_int, as_time, plain
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.products.product import TCP_IP
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.triggering.sequence import awaited_time

USE_HOST, USE_IO_DEVICE = ni.Timescale.USE_HOST.value, ni.Timescale.USE_IO_DEVICE.value
EVENTS = {12491: "START_TRIG", 12490: "REF_TRIG", 14641: "ARM_START_TRIG", 16130: "FIRST_SAMP"}
"""nidaqmx.constants.TimestampEvent -> beginning of the names of its properties."""
HAPPENED = {"START_TRIG": "start", "REF_TRIG": "reference", "ARM_START_TRIG": "arm", "FIRST_SAMP": "first"}
ENABLED = {"FIRST_SAMP": True}
EARLIEST, LATEST = time_of_day.EPOCH_1904 * 10**9, 253_402_300_799 * 10**9
STEP = 1e-3


def aware(engine: Engine, task: Task) -> bool:
    """Whether the task's device knows the time of day."""
    task.need_channels()
    return bool(engine.devices[task.owner].bus == TCP_IP)


def _need(engine: Engine, task: Task) -> None:
    if not aware(engine, task):
        raise task.fail(-200452, Device=task.device)


def _need_enabled(task: Task, head: str) -> None:
    if not task.settings.get(f"{head}_TIMESTAMP_ENABLE", ENABLED.get(head, False)):
        raise task.fail(-209842)


def _value(head: str) -> Property[Task]:
    def get(engine: Engine, task: Task) -> Value:
        _need(engine, task)
        _need_enabled(task, head)
        _look(engine)
        when = task.events.get(HAPPENED[head])
        if when is None:
            raise task.fail(-209844)
        stamp: TimeOfDay = time_of_day.stamp(engine, when)
        return stamp

    return Property(get)


def _look(engine: Engine) -> None:
    """What is due by now has happened, in lockstep too."""
    if engine.clock.lockstep:
        engine.advance(engine.time, exact=True)
    engine.update(exact=True)


def _when(name: str) -> Property[Task]:
    plain = setting(name, EARLIEST, need=_need)

    def change(engine: Engine, task: Task, value: Value) -> None:
        assert plain.set is not None
        plain.set(engine, task, _nanoseconds(task, as_time(value), name))

    return Property(lambda e, t: time_of_day.timestamp(as_int(plain.get(e, t))), change, reset=plain.reset)


def _nanoseconds(task: Task, value: TimeOfDay, name: str = "START_TRIG_TRIG_WHEN") -> int:
    when = int(value.seconds) * 10**9 + int(value.nanos)
    if not EARLIEST <= when <= LATEST:
        raise task.fail(-200077, Property=c_name(name, "TRIGGER"), Requested_Value=value.seconds)
    return when


def _stamped(head: str, need: Need = _need) -> dict[str, Property[Task]]:
    return {
        f"{head}_TIMESTAMP_ENABLE": setting(f"{head}_TIMESTAMP_ENABLE", ENABLED.get(head, False), need=need),
        f"{head}_TIMESTAMP_TIMESCALE": setting(f"{head}_TIMESTAMP_TIMESCALE", USE_HOST, (USE_HOST, USE_IO_DEVICE), need),
        f"{head}_TIMESTAMP_VAL": _value(head),
    }


def _timed(head: str) -> dict[str, Property[Task]]:
    timescale = setting(f"{head}_TIMESCALE", USE_HOST, (USE_HOST, USE_IO_DEVICE), _need)
    return {f"{head}_TRIG_WHEN": _when(f"{head}_TRIG_WHEN"), f"{head}_TIMESCALE": timescale}


def _first_clock(name: str) -> Property[Task]:
    """Of a first sample clock at a time, which a card has not got."""

    def refuse(engine: Engine, task: Task, value: Value = None) -> Value:
        _need(engine, task)
        raise NotServed(name)

    return Property(refuse, refuse, reset=refuse)


TRIGGER: dict[str, Property[Task]] = {
    **_timed("START_TRIG"), **_timed("ARM_START_TRIG"),
    **_stamped("START_TRIG"), **_stamped("REF_TRIG"), **_stamped("ARM_START_TRIG"),
}  # fmt: skip
TIMING: dict[str, Property[Task]] = {
    **_stamped("FIRST_SAMP"),
    **{f"FIRST_SAMP_CLK_{name}": _first_clock(f"FIRST_SAMP_CLK_{name}") for name in ("WHEN", "TIMESCALE", "OFFSET")},
}


def at_a_time(engine: Engine, task: Task, f: Fields) -> None:
    """`cfg_time_start_trig`. Raises DaqmxError."""
    task.need_stopped()
    if not aware(engine, task):
        raise task.fail(-209843, Device=task.device)
    if f["timescale"] not in (USE_HOST, USE_IO_DEVICE):
        raise task.fail(-200077, Property="DAQmx_StartTrig_Timescale", Requested_Value=f["timescale"])
    when = _nanoseconds(task, as_time(f["when"]))
    setting_changes.changed(engine, task)
    task.settings |= {"START_TRIG_TYPE": TIME, "START_TRIG_TRIG_WHEN": when, "START_TRIG_TIMESCALE": as_int(f["timescale"])}


def verify(engine: Engine, task: Task) -> None:
    """Raise DaqmxError for a trigger at a time that the task's device does not know (-209843), that is over (-209840), or that comes after
    the one that it makes ready for (-209849).
    """
    timed = [name for name in ("ARM_START", "START") if task.settings.get(f"{name}_TRIG_TYPE", NONE) == TIME]
    if timed and not aware(engine, task):
        raise task.fail(-209843, Device=task.device)
    timed = [name for name in timed if name == "START" or f"{name}_TRIG_TRIG_WHEN" in task.settings]
    told = [awaited_time(task, time_of_day.anchored(engine), name) for name in timed]
    if not task.running and told and min(told) < engine.time:
        raise task.fail(-209840)
    if told != sorted(told):
        raise task.fail(-209849)


def wait(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """`wait_for_valid_timestamp`. Raises DaqmxError; -209844 at the time-out."""
    task = engine.task(str(fields["task"]))
    with engine.lock:
        task.need_timeout(as_float(fields["timeout"]))
        if not aware(engine, task):
            raise task.fail(-209833, Device=task.device)
        head = EVENTS.get(as_int(fields["timestamp_event"]))
        if head is None:
            raise task.fail(-200077, Property="Timestamp Event", Requested_Value=fields["timestamp_event"])
        _need_enabled(task, head)
        if not task.running:
            raise task.fail(-200475)
        _look(engine)
        event = HAPPENED[head]
        if head in ("REF_TRIG", "ARM_START_TRIG") and task.settings.get(f"{head}_TYPE", NONE) == NONE:
            # A simulated device waits for no trigger that cannot come.
            return {"timestamp": time_of_day.stamp(engine, engine.time)}
        engine.wait(
            lambda: event in task.events or not task.running,
            lambda: engine.time + STEP if engine.routes.moves(task) else None,
            engine.patience(as_float(fields["timeout"]), alive),
        )
        if event not in task.events:
            raise task.fail(-209844)
        return {"timestamp": time_of_day.stamp(engine, task.events[event])}


def _getter(found: Property[Task]) -> Call:
    def get(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            return {"data": found.get(engine, engine.task(str(fields["task"])))}

    return get


def _setter(found: Property[Task]) -> Call:
    def change(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        assert found.set is not None
        with engine.lock:
            found.set(engine, engine.task(str(fields["task"])), plain(fields["data"]))
        return {}

    return change


CALLS: dict[str, Call] = {
    "WaitForValidTimestamp": wait,
    "GetFirstSampTimestampVal": _getter(TIMING["FIRST_SAMP_TIMESTAMP_VAL"]),
    "GetStartTrigTimestampVal": _getter(TRIGGER["START_TRIG_TIMESTAMP_VAL"]),
    "GetRefTrigTimestampVal": _getter(TRIGGER["REF_TRIG_TIMESTAMP_VAL"]),
    "GetArmStartTrigTimestampVal": _getter(TRIGGER["ARM_START_TRIG_TIMESTAMP_VAL"]),
    "GetStartTrigTrigWhen": _getter(TRIGGER["START_TRIG_TRIG_WHEN"]), "SetStartTrigTrigWhen": _setter(TRIGGER["START_TRIG_TRIG_WHEN"]),
    "GetArmStartTrigTrigWhen": _getter(TRIGGER["ARM_START_TRIG_TRIG_WHEN"]),
    "SetArmStartTrigTrigWhen": _setter(TRIGGER["ARM_START_TRIG_TRIG_WHEN"]),
    "GetFirstSampClkWhen": _getter(TIMING["FIRST_SAMP_CLK_WHEN"]), "SetFirstSampClkWhen": _setter(TIMING["FIRST_SAMP_CLK_WHEN"]),
}  # fmt: skip
"""Beside a property's own calls there are some by its name, which other clients than nidaqmx use."""
