"""Hardware-timed single point: whether a program keeps up with the sample clock, and what it is told where it does not.

"NI-DAQmx Hardware-Timed Single Point Lateness Checking": strictly, by Wait for Next Sample Clock, which says when a clock edge came since
the last such wait had ended; by Read, which says so where "Report Missed Samples" is set; or not at all. Late errors become warnings where
"Convert Late Errors to Warnings" is set, and for the first loop iterations there is neither ("Number of Warmup Iterations").
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.configuration.settings import setting
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.engine.property import Property

READ, WAIT = -209800, -209802
"""What a late read and a late wait are told; the warnings have the same numbers above zero."""
TO_WARNINGS, WARM_UP, REPORT = "CONV_LATE_ERRORS_TO_WARNINGS", "NUM_OF_WARMUP_ITERS", "REPORT_MISSED_SAMP"
WARM_UP_ITERATIONS = 100
"""The default (NIDAQmx.h)."""
INTERRUPT, POLL = ni.WaitMode.WAIT_FOR_INTERRUPT.value, ni.WaitMode.POLL.value

REALTIME: dict[str, Property[Task]] = {
    TO_WARNINGS: setting(TO_WARNINGS, False, family="RealTime_", running=True),
    WARM_UP: setting(WARM_UP, WARM_UP_ITERATIONS, family="RealTime_", running=True),
    REPORT: setting(REPORT, False, family="RealTime_", running=True),
    # Both are about the computer's time, of which device time knows nothing.
    "WAIT_FOR_NEXT_SAMP_CLK_WAIT_MODE": setting(
        "WAIT_FOR_NEXT_SAMP_CLK_WAIT_MODE", INTERRUPT, (INTERRUPT, POLL), family="RealTime_", running=True
    ),
    "WRITE_RECOVERY_MODE": setting("WRITE_RECOVERY_MODE", INTERRUPT, (INTERRUPT, POLL), family="RealTime_", running=True),
}


def status_of_read(task: Task, missed: int) -> int:
    """Status of a read that has passed over so many samples: 0, or a warning. Raises DaqmxError -209800."""
    return _status(task, READ, missed) if task.settings.get(REPORT, False) else 0


def status_of_wait(task: Task, missed: int) -> int:
    """Status of a wait before which so many edges have gone by unseen: 0, or a warning. Raises DaqmxError -209802."""
    return _status(task, WAIT, missed)


def _status(task: Task, code: int, missed: int) -> int:
    task.iterations[code] = task.iterations.get(code, 0) + 1
    if not missed or task.iterations[code] <= as_int(task.settings.get(WARM_UP, WARM_UP_ITERATIONS)):
        return 0
    if task.settings.get(TO_WARNINGS, False):
        return -code
    raise task.fail(code)
