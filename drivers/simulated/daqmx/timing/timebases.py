"""The timebase of a sample clock: the device's own, another internal one, or one from outside, whose edges are counted.

"NI-DAQmx Properties", DAQmx Timing: SampClk.Timebase.Src, .Rate, .ActiveEdge, SampClk.TimebaseDiv: the number of timebase edges that the
device must receive before producing each sample clock pulse, "use this property when you have an external timebase ... but you do not
know [its] rate"; the rate is required where timing is to be worked out by it. "Clock Frequency Coercion": the sample rate divides it.
"""

from __future__ import annotations

from dataclasses import dataclass

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import as_float
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.timing.rate_limits import limits

SOURCE, RATE, EDGE = "SAMP_CLK_TIMEBASE_SRC", "SAMP_CLK_TIMEBASE_RATE", "SAMP_CLK_TIMEBASE_ACTIVE_EDGE"
RISING = ni.Edge.RISING.value
ONBOARD = ("", "onboardclock")


@dataclass(frozen=True)
class Timebase:
    """`terminal`: canonical, empty for the device's own. `rate` (Hz): what is divided, None where nobody told. `real` (Hz): what ticks,
    None where edges have to come from `outside`.
    """

    terminal: str
    rate: float | None
    real: float | None

    @property
    def outside(self) -> bool:
        """Whether its edges have to be counted."""
        return self.real is None


def sample_timebase(bench: Bench, task: Task) -> Timebase:
    """The timebase of a task. Raises DaqmxError -200452 for one without a sample clock."""
    task.need_channels()
    own = limits(bench, task, task.device, Property="SampClk.TimebaseRate").timebase
    source, told = bench.routes.canonical(str(task.settings.get(SOURCE, "")), task.device), task.settings.get(RATE)
    if source in ONBOARD:
        return Timebase("", own, own)
    known = bench.routes.frequency(source)
    if known is None and _of_another(source):
        # Modules that sample by the timebase of another one: all have one clock here, and the same timebase.
        known = own
    return Timebase(source, as_float(told) if told else known, known)


def verify(bench: Bench, task: Task) -> None:
    """Raise NotServed for converters that are not clocked from outside."""
    base = sample_timebase(bench, task)
    if not base.outside:
        return
    for device in task.devices:
        known = limits(bench, task, device)
        if known.grid is not None or known.divisors:
            raise NotServed(f"delta-sigma converters on a timebase from outside ({base.terminal} for {device})")


def rising(task: Task) -> bool:
    """Which edges of the timebase count."""
    return bool(task.settings.get(EDGE, RISING) == RISING)


def _of_another(terminal: str) -> bool:
    return terminal.endswith(("/sampleclocktimebase", "/syncpulse"))
