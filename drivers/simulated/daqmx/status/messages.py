"""NI-DAQmx status codes that the simulated devices answer with, in the driver's own wording as far as it is published.

Published: in error tables of programs that use the driver, in forums and issues. What is not has words of our own.
"""

from __future__ import annotations

from drivers.simulated.daqmx.status import analog, channels, counters, devices, tasks, triggers

MESSAGES: dict[int, str] = {
    **analog.MESSAGES,
    **devices.MESSAGES,
    **counters.MESSAGES,
    **channels.MESSAGES,
    **triggers.MESSAGES,
    **tasks.MESSAGES,
}
