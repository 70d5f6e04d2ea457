"""Transitions of the DAQmx task model: verify, reserve, commit, start, stop, and what each of them checks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from drivers.simulated.daqmx.channels.settling import settle_all
from drivers.simulated.daqmx.configuration import digital_sources, exports, task_filters, timing, trigger_checks
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import time_of_day
from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.core.watchdog import Watchdog
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.routing import route_rules
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.subsystems.digital import input as digital_input
from drivers.simulated.daqmx.system import watchdogs
from drivers.simulated.daqmx.timing import sample_clock, timebases
from drivers.simulated.daqmx.timing.rates import check_external, coerced_rate, divisor
from drivers.simulated.daqmx.triggering import sequence

# Members of nidaqmx.constants.TaskMode.
OWN = {"DIG_EDGE_START_TRIG_SRC": "StartTrigger", "DIG_EDGE_REF_TRIG_SRC": "ReferenceTrigger", "DIG_LVL_PAUSE_TRIG_SRC": "PauseTrigger"}
"""The task's own terminal of what a source is for."""
BEHIND = ("REF_CLK_SRC", "SAMP_CLK_TIMEBASE_SRC", "SYNC_PULSE_SRC")
"""Clocks that a sample clock is made of, by the properties that name where they come from."""
START, STOP, VERIFY, COMMIT, RESERVE, UNRESERVE, ABORT = range(7)


def control(engine: Engine, task: Task, action: int) -> None:
    """What `Task.control` asks for. Raises DaqmxError."""
    actions = {
        START: start, STOP: stop, VERIFY: verify, COMMIT: commit, RESERVE: reserve, UNRESERVE: unreserve, ABORT: abort,
    }  # fmt: skip
    if action not in actions:
        raise task.fail(-200538)
    with engine.lock:
        actions[action](engine, task)


@contextlib.contextmanager
def running(engine: Engine, task: Task, allowed: bool, refused: int, with_events: int = 0) -> Iterator[None]:
    """The task runs meanwhile: one that did not is started for this alone. Raises DaqmxError `refused` unless that is `allowed`, and
    `with_events` (0: it does not matter) where somebody is to be told of its events.
    """
    if task.running:
        yield
        return
    if not allowed:
        raise task.fail(refused)
    if with_events:
        task.need_no_events(with_events)
    start(engine, task)
    try:
        yield
    finally:
        stop(engine, task)


def verify(engine: Engine, task: Task) -> None:
    """Check that the task can run as configured. Raises DaqmxError."""
    if _watchdog(engine, task):
        watchdogs.verify(engine, task)
        task.state = max(task.state, State.VERIFIED)
        return
    task.need_channels()
    _need_present(engine, task)
    watchdogs.need_unexpired(engine, task)
    settle_all(engine, task)
    timing.verify(engine, task)
    trigger_checks.verify(engine, task)
    exports.verify(engine, task)
    for subscription in task.subscriptions:
        subscription.verify()
    engine.task_type(task).verify(engine, task)
    _verify_clocks(engine, task)
    if task.sampled:
        _verify_rate(engine, task)
    route_rules.check_source(engine, task, task.timing.source, "SAMP_CLK_SRC", f"{task.owner}/{task.part}/SampleClock")
    for name, source in digital_sources.sources(task).items():
        route_rules.check_trigger(engine, task, source, name, f"{task.owner}/{task.part}/{OWN.get(name, '')}")
    task_filters.verify(engine, task)
    task.state = max(task.state, State.VERIFIED)


def _need_present(engine: Engine, task: Task) -> None:
    """Raise DaqmxError -201003 where a device of the task, or the chassis that it is in, is not there."""
    if gone := engine.gone(*task.devices, task.host):
        raise task.fail(-201003, Device=gone)


def _verify_rate(engine: Engine, task: Task) -> None:
    if sample_clock.foreign(engine, task):
        check_external(engine, task)
        return
    coerced_rate(engine, task)
    divisor(engine, task)
    timebases.verify(engine, task)


def _verify_clocks(engine: Engine, task: Task) -> None:
    """Where the clocks behind the sample clock come from."""
    for name in BEHIND if task.clocked else ():
        route_rules.check_source(engine, task, str(task.settings.get(name, "")), name, "")


def reserve(engine: Engine, task: Task) -> None:
    """Take what the task needs. Raises DaqmxError -50103 when another task has it."""
    verify(engine, task)
    if task.state >= State.RESERVED and not task.stale:
        return
    wanted = engine.task_type(task).resources(engine, task)
    _need_directions(engine, task)
    if task.kind == ch.DIGITAL_OUTPUT and any(line in engine.routes.connected or exports.goes_out(engine, line, task) for line in wanted):
        raise task.fail(-200587, Device=task.device)
    guarded, members = next(((device, dog.members) for device, dog in engine.watchdogs.items() if dog.task is task), ("", ()))
    for other in list(engine.tasks.values()):
        if other is task or not other.reserved:
            continue
        beside_watchdog = bool({*members} & {*other.devices})
        if (beside_watchdog or set(wanted) & set(other.reserved)) and not engine.clear_if_abandoned(other):
            if beside_watchdog:
                raise task.fail(-201477, Device=guarded)
            lines = [name for name in wanted if "/line" in name and name in other.reserved]
            raise task.fail(-200587, Device=task.device) if lines else task.fail(-50103)
    pins = _free_pins(engine, task)
    task.reserved = (*wanted, *pins)
    task.state = max(task.state, State.RESERVED)
    _turn_lines(engine, task)


def _free_pins(engine: Engine, task: Task) -> tuple[str, ...]:
    """The pins at which counters put their pulses out. Raises DaqmxError -89137 for one that somebody has, -89138 for one named twice."""
    routes = engine.task_type(task).pins(engine, task)
    pins = tuple(pin for pin, _ in routes)
    for other in list(engine.tasks.values()):
        if other is not task and {*pins} & {*other.reserved}:
            engine.clear_if_abandoned(other)
    for column, (pin, own) in enumerate(routes):
        taken = route_rules.IN_USE if exports.driven(engine, pin, task, own) else 0
        code = route_rules.IN_USE_IN_TASK if pin in pins[:column] else taken
        if code:
            text = str(task.channels[column].attributes["CO_PULSE_TERM"])
            device, shown = route_rules.shown_as(engine, text, task.device)
            raise task.fail(code, Property="DAQmx_CO_Pulse_Term", Destination_Device=device, Destination_Terminal=shown)
    return pins


def _turn_lines(engine: Engine, task: Task) -> None:
    """Lines that a task puts out hold their levels also after it; those that it takes in are driven no more."""
    if task.kind == ch.DIGITAL_OUTPUT:
        engine.board.held.update(digital_input.lines_of(task))
    elif task.kind == ch.DIGITAL_INPUT:
        engine.board.held.difference_update(set(digital_input.lines_of(task)) - engine.routes.driven())


def _need_directions(engine: Engine, task: Task) -> None:
    """Raise DaqmxError -201105 where lines that have one direction together are another task's with the other direction (NI 9401)."""
    mine = digital_input.directions(engine, task)
    for other in list(engine.tasks.values()):
        if other is task or other.state < State.RESERVED or not mine:
            continue
        theirs = digital_input.directions(engine, other)
        clash = next((group for group, way in mine.items() if theirs.get(group, way) != way), "")
        if clash and not engine.clear_if_abandoned(other):
            raise task.fail(-201105, Device=task.device, Physical_Channel_Name=clash)


def commit(engine: Engine, task: Task) -> None:
    """Program the devices: the input buffer is made here."""
    reserve(engine, task)
    if task.state >= State.COMMITTED and not task.stale:
        return
    engine.task_type(task).commit(engine, task)
    task.state, task.stale = State.COMMITTED, False


def start(engine: Engine, task: Task) -> None:
    """Run the task; a clocked one waits for its trigger and its clock. Raises DaqmxError."""
    with engine.lock:
        task.need_stopped()
        resting = task.state
        engine.update(exact=True)
        engine.look_at_plant()
        try:
            commit(engine, task)
            engine.task_type(task).start(engine, task)
        except DaqmxError:
            fall_back(task, resting)
            raise
        task.resting = resting  # "Transitioning the State Backwards", NI-DAQmx Key Concepts: where it was before the start
        task.state, task.started_by_read = State.RUNNING, False
        task.ended, task.count, task.last, task.width, task.runs = None, 0, None, 0.0, task.runs + 1
        task.begun, task.silent = engine.time, False
        task.events.clear()
        task.why = {}
        engine.epoch = time_of_day.anchored(engine)
        task.told.clear()
        task.iterations.clear()
        task.filters = task_filters.make_filters(engine, task)
        task.reference, task.seeking, task.awaited, task.again = None, False, None, None
        engine.brace()
        dog = _watchdog(engine, task)
        if dog is not None:
            dog.arm(engine.time)
        elif task.clocked or engine.task_type(task).follows:
            _begin(engine, task)
        engine.changed.notify_all()


def stop(engine: Engine, task: Task) -> None:
    """Stop; a task that was started without being reserved first gives its resources back."""
    with engine.lock:
        ran = task.running
        engine.stop(task)
        if task.state < State.RESERVED:
            task.reserved = ()
            if ran:
                task.output = None  # what was written belongs to what was reserved
        dog = _watchdog(engine, task)
        if dog is not None:
            dog.disarm()


def stop_and_tell(engine: Engine, task: Task) -> None:
    """Stop. Raises DaqmxError for a log that could not be written to its end, which nobody may have asked for before."""
    stop(engine, task)
    if task.why:
        why, task.why = task.why, {}
        raise task.fail(task.ended or 0, 0, **why)


def unreserve(engine: Engine, task: Task) -> None:
    """Give the resources back. Raises DaqmxError -200479 while it runs."""
    task.need_stopped()
    engine.release(task)
    task.output = None


def abort(engine: Engine, task: Task) -> None:
    """Stop at once and give everything back."""
    stop(engine, task)
    unreserve(engine, task)


def fall_back(task: Task, resting: State) -> None:
    """A start has failed: back to the state before it."""
    if resting < State.RESERVED:
        task.reserved = ()
    task.state = resting


def _begin(engine: Engine, task: Task) -> None:
    """A task without a trigger starts now, and with it whoever waits for its start trigger."""
    if sequence.enter(engine, task):
        task.told["start"], task.events["start"] = 1, engine.time
        engine.fire(engine.task_type(task).terminals(engine, task, "StartTrigger"))


def _watchdog(engine: Engine, task: Task) -> Watchdog | None:
    return next((dog for dog in engine.watchdogs.values() if dog.task is task), None)
