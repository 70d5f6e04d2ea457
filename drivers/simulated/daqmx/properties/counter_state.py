"""Properties of counters that tell how they stand at this moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import ON_DEMAND, Task
from drivers.simulated.daqmx.core.values import Value, as_int
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import ChannelOfTask, Property
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter.generation import Output, retriggers, run_of
from drivers.simulated.daqmx.subsystems.counter.tracking import Input, inputs_of, turns_high

HIGH, LOW = ni.Level.HIGH.value, ni.Level.LOW.value


Running = TypeVar("Running", Input, Output)


def _live(
    name: str, kind: int, running: Callable[[Task], Sequence[Running]], tell: Callable[[Running, Task], Value],
    rest: Callable[[ch.Channel], Value] | None = None,
) -> Property[ChannelOfTask]:  # fmt: skip
    """A property of a running counter; `rest`: what it is once the task is reserved, and has not run. Raises DaqmxError -200452 for other
    channels, -200983 before.
    """

    def get(engine: Engine, subject: ChannelOfTask) -> Value:
        task, channel = subject
        if channel.kind != kind:
            raise task.fail(-200452, Property=c_name(name), Channel_Name=channel.name)
        engine.reach_now(task)
        engine.look_at_plant()
        if task.run is None:
            if rest is not None and task.reserved:
                return rest(channel)
            raise task.fail(-200983, Property=c_name(name), Channel_Name=channel.name)
        return tell(next(item for item in running(task) if item.channel.name == channel.name), task)

    return Property(get)


def _outputs(task: Task) -> list[Output]:
    return run_of(task).outputs


def _count(item: Input, task: Task) -> int:
    return item.count.value % 2**32 if item.meter is None else int(item.latest[0])


def _ticks_left(output: Output, task: Task) -> int:
    """The count register counts the phase down."""
    return 0 if output.pace is None else output.train.ticks_left(output.pace.count)


def _done(output: Output, task: Task) -> bool:
    """Of a task that is retriggered it is told once of each train."""
    done = not task.running or task.ended is not None or (output.pace is not None and not output.train.going)
    if done and task.running and retriggers(task):
        done, output.told = not output.told, True
    return done


def _ready(output: Output, task: Task) -> bool:
    if task.timing.kind == ON_DEMAND:
        raise task.fail(-200999, Channel_Name=output.channel.name)
    return output.train.made == output.train.asked


def _idle(channel: ch.Channel) -> int:
    return as_int(channel.attributes["CO_PULSE_IDLE_STATE"])


CHANNEL: dict[str, Property[ChannelOfTask]] = {
    "CI_COUNT": _live("CI_COUNT", ch.COUNTER_INPUT, inputs_of, _count, lambda c: c.attributes.get("CI_COUNT_EDGES_INITIAL_CNT", 0)),
    "CI_TC_REACHED": _live("CI_TC_REACHED", ch.COUNTER_INPUT, inputs_of, lambda item, task: item.count.turns > 0, lambda c: False),
    "CI_OUTPUT_STATE": _live("CI_OUTPUT_STATE", ch.COUNTER_INPUT, inputs_of, lambda item, task: HIGH if turns_high(task, item) else LOW),
    "CO_COUNT": _live("CO_COUNT", ch.COUNTER_OUTPUT, _outputs, _ticks_left),
    "CO_OUTPUT_STATE": _live("CO_OUTPUT_STATE", ch.COUNTER_OUTPUT, _outputs, lambda output, task: HIGH if output.high else LOW, _idle),
    "CO_PULSE_DONE": _live("CO_PULSE_DONE", ch.COUNTER_OUTPUT, _outputs, _done),
    "CO_RDY_FOR_NEW_VAL": _live("CO_RDY_FOR_NEW_VAL", ch.COUNTER_OUTPUT, _outputs, _ready),
}
