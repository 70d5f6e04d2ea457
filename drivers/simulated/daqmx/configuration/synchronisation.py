"""What programs set so that several modules sample together: sync pulses, reference clocks, timebases.

"NI-DAQmx Properties", DAQmx Timing; "NI-DAQmx Help", Sample Clock Timebase and Reference Clock Synchronization. Modules with delta-sigma
converters and others that lock to the clocks of a PXI chassis have a sync pulse; their ADCs need the delay of their filters to reset after
it (a nominal figure). All devices here have one bench clock: a pulse or a timebase of another device makes them no more synchronous than
they are, so that these are kept and shown; a timebase of a known frequency, or whose rate was told, is divided instead of the device's own.
"""

from __future__ import annotations

from drivers.simulated.daqmx.configuration.settings import setting
from drivers.simulated.daqmx.configuration.triggers import own_terminal, qualified
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value, as_float
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.timing import rates, sample_clock

SOURCE, RATE = "SAMP_CLK_TIMEBASE_SRC", "SAMP_CLK_TIMEBASE_RATE"
CHASSIS, CARD = "80MHzTimebase", "100MHzTimebase"


def _modules(engine: Engine, task: Task) -> None:
    """Raise DaqmxError -200452 unless the task's devices have a sync pulse."""
    task.need_channels()
    for device in task.devices:
        if "SyncPulse" not in engine.devices[device].terminals:
            raise task.fail(-200452, Property="DAQmx_SyncPulse_Src", Device=device)


def _time(engine: Engine, task: Task) -> float:
    _modules(engine, task)
    parts = [engine.devices[device].inputs for device in task.devices]
    return max((part.filter_delay for part in parts if part is not None), default=0) / sample_clock.rate(engine, task)


def _pulse(engine: Engine, task: Task) -> str:
    _modules(engine, task)
    return f"/{task.device}/SyncPulse"


def _source(engine: Engine, task: Task) -> str:
    task.need_channels()
    source = str(task.settings.get(SOURCE, ""))
    if source:
        return qualified(engine, task, source)
    if "SyncPulse" in engine.devices[task.device].terminals:
        return own_terminal(task, "SampleClockTimebase")
    return f"/{task.owner}/{CHASSIS if task.host else CARD}"


def _rate(engine: Engine, task: Task) -> float:
    return rates.timebase(engine, task)


def _set_rate(engine: Engine, task: Task, value: Value) -> None:
    if not as_float(value) > 0.0:
        raise task.fail(-200077, Property="DAQmx_SampClk_Timebase_Rate", Requested_Value=value)
    assert _RATE.set is not None
    _RATE.set(engine, task, value)


def _forget_rate(engine: Engine, task: Task) -> None:
    assert _RATE.reset is not None
    _RATE.reset(engine, task)


def _has_channels(engine: Engine, task: Task) -> None:
    task.need_channels()


def _nowhere(name: str) -> Property[Task]:
    """Of devices that are not simulated: FieldDAQ, chassis that are synchronised by the network, E Series."""

    def refuse(engine: Engine, task: Task, value: Value = None) -> Value:
        task.need_channels()
        raise task.fail(-200452, Property=f"DAQmx_{name}")

    return Property(refuse, refuse, reset=refuse)


_SOURCE = setting(SOURCE, "", need=_has_channels)
_RATE = setting(RATE, 0.0, need=_has_channels)

TIMING: dict[str, Property[Task]] = {
    "SYNC_PULSE_SRC": setting("SYNC_PULSE_SRC", "", need=_modules),
    "SYNC_PULSE_SYNC_TIME": Property(_time),
    "SYNC_PULSE_MIN_DELAY_TO_START": setting("SYNC_PULSE_MIN_DELAY_TO_START", 0.0, need=_modules),
    "SYNC_PULSE_TERM": Property(_pulse),
    SOURCE: Property(_source, _SOURCE.set, reset=_SOURCE.reset),
    RATE: Property(_rate, _set_rate, reset=_forget_rate),
    **{
        name: _nowhere(name)
        for name in (
            "SYNC_PULSE_RESET_TIME", "SYNC_PULSE_RESET_DELAY", "SYNC_PULSE_TYPE", "SYNC_PULSE_TIME_WHEN", "SYNC_PULSE_TIME_TIMESCALE",
            "SYNC_CLK_INTERVAL", "TIMING_SYNC_PULSE_FORCE", "MASTER_TIMEBASE_SRC", "MASTER_TIMEBASE_RATE",
            "SAMP_CLK_TIMEBASE_MASTER_TIMEBASE_DIV",
        )
    },
}  # fmt: skip
