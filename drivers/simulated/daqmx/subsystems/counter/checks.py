"""What is checked about counter tasks before they run: timing and triggers that a measurement or a generation does not have.

"NI cDAQ-917x User Manual", table Counter Timing Measurements, and "X Series User Manual", Counters: which measurements are timed
implicitly (by the signal itself), which by a sample clock; counters have no clock of their own.
"""

from __future__ import annotations

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.task import CONTINUOUS, FINITE, IMPLICIT, ON_DEMAND, SAMPLE_CLOCK, Task
from drivers.simulated.daqmx.core.trigger_types import NONE
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter import filters, terminals
from drivers.simulated.daqmx.subsystems.counter import meters as cm
from drivers.simulated.daqmx.subsystems.counter import pulses as cp
from drivers.simulated.daqmx.subsystems.counter import timebases as ct
from drivers.simulated.daqmx.subsystems.counter import usages as cu
from drivers.simulated.daqmx.timing import sample_clock

TYPES = {IMPLICIT: "Implicit", SAMPLE_CLOCK: "Sample Clock", ON_DEMAND: "On Demand"}


def has_clock(bench: Bench, device: str) -> bool:
    """Whether counters take a clock of the device: those of counter modules have that of their chassis."""
    counting = bench.devices[device].counting
    return counting is not None and not counting.outputs


def check_input(bench: Bench, task: Task) -> None:
    """Raise DaqmxError, NotServed for what is not simulated."""
    clocked = task.timing.kind == SAMPLE_CLOCK
    for channel in task.channels_of(CounterChannel):
        cm.check(channel)
        _check_method(bench, task, channel)
        if clocked and not sample_clock.foreign(bench, task) and not has_clock(bench, channel.device):
            raise task.fail(-200303, Property="DAQmx_SampClk_Src")
        if clocked and cm.kind_of(channel) == cm.SEMI_PERIOD:
            raise _not_timed(task, channel, IMPLICIT, ON_DEMAND)
        if clocked and cm.method_of(channel) in (cu.HIGH_FREQUENCY, cu.LARGE_RANGE):
            raise task.fail(-201323, Channel_Name=channel.name)
        if task.timing.kind == IMPLICIT and cm.kind_of(channel) in (cm.COUNT_EDGES, *cm.ENCODERS):
            raise _not_timed(task, channel, ON_DEMAND, SAMPLE_CLOCK)
        if task.timing.kind == IMPLICIT and len(task.channels) > 1:
            raise _not_timed(task, channel, ON_DEMAND, SAMPLE_CLOCK)
        if paused(task) and (clocked or cm.kind_of(channel) != cm.COUNT_EDGES):
            raise task.fail(-200145)
        _check_edges(bench, task, channel)
        _check_signals(bench, task, channel)


def check_output(bench: Bench, task: Task) -> None:
    """Raise DaqmxError."""
    clocked, several = task.timing.kind == SAMPLE_CLOCK, len(task.channels) > 1
    if paused(task) and (task.timing.kind == ON_DEMAND or task.timing.mode == FINITE):
        raise task.fail(-200144)
    if paused(task) and task.trigger_type != NONE:
        raise task.fail(-200146)
    if clocked and not sample_clock.foreign(bench, task):
        raise task.fail(-200303, Property="DAQmx_SampClk_Src")
    if clocked and several:
        raise task.fail(-201324)
    if several and task.clocked and task.buffer_size:
        raise task.fail(-201317)
    _check_retriggering(task)
    for channel in task.channels_of(CounterChannel):
        if channel.number < 0 and (clocked or task.finite):
            raise task.fail(-200747, Channel_Name=channel.name)
        _check_signals(bench, task, channel)
        with task.naming():
            source = cp.source_of(bench, channel)
            cp.in_ticks(channel, cp.values_of(channel), source)


def paused(task: Task) -> bool:
    """Whether there is a pause trigger."""
    return bool(task.settings.get("PAUSE_TRIG_TYPE", NONE) != NONE)


def _check_retriggering(task: Task) -> None:
    if not task.settings.get("START_TRIG_RETRIGGERABLE", False):
        return
    if task.trigger_type == NONE or (task.clocked and task.timing.mode == CONTINUOUS):
        raise task.fail(-201320)
    if task.timing.kind == SAMPLE_CLOCK:
        raise task.fail(-201439)


def _check_method(bench: Bench, task: Task, channel: CounterChannel) -> None:
    """Only counter modules average dynamically."""
    if cm.method_of(channel) == cu.DYNAMIC and not has_clock(bench, channel.device):
        head = "CI_FREQ" if cm.kind_of(channel) == cm.FREQUENCY else "CI_PERIOD"
        raise task.fail(
            -200077, Property=c_name(f"{head}_MEAS_METH"), Requested_Value="Dynamic Averaging",
            You_Can_Select="Low Frequency with 1 Counter, High Frequency with 2 Counters, Large Range with 2 Counters",
            Channel_Name=channel.name,
        )  # fmt: skip


def _not_timed(task: Task, channel: CounterChannel, *able: int) -> DaqmxError:
    return task.fail(
        -200077, Property="DAQmx_SampTimingType", Requested_Value=TYPES[task.timing.kind],
        You_Can_Select=", ".join(TYPES[kind] for kind in able), Channel_Name=channel.name,
    )  # fmt: skip


def _check_edges(bench: Bench, task: Task, channel: CounterChannel) -> None:
    """Two edges that are the same are no separation."""
    if cm.kind_of(channel) != cm.SEPARATION:
        return
    a = channel.attributes
    first, second = (bench.routes.canonical(str(a[name]), channel.device) for name in cm.terms_of(channel))
    if first == second and a["CI_TWO_EDGE_SEP_FIRST_EDGE"] == a["CI_TWO_EDGE_SEP_SECOND_EDGE"]:
        raise task.fail(-201442, Channel_Name=channel.name)


def _check_signals(bench: Bench, task: Task, channel: CounterChannel) -> None:
    terminals.check(bench, task, channel)
    filters.check(bench, task, channel)
    if channel.number < 0:
        return
    a = channel.attributes
    with task.naming():
        if channel.attributes.get("CI_MEAS_TYPE") is not None:
            ct.of_input(bench, channel)
            own = cm.kind_of(channel) == cm.COUNT_EDGES and bench.routes.frequency(
                bench.routes.canonical(str(a["CI_COUNT_EDGES_TERM"]), channel.device)
            )
            if own and a["CI_PRESCALER"] != 1:
                raise DaqmxError(-200841, Property="DAQmx_CI_Prescaler", Requested_Value=a["CI_PRESCALER"], Channel_Name=channel.name)
