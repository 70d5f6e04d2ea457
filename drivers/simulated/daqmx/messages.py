"""NI-DAQmx status codes that the simulated devices answer with, in the driver's own wording as far as it is published.

Published: in error tables of programs that use the driver, in forums and issues. What is not has words of our own.
"""

from __future__ import annotations

from drivers.simulated.daqmx import analog_messages, channel_messages, counter_messages, device_messages, task_messages, trigger_messages

MESSAGES: dict[int, str] = {
    **analog_messages.MESSAGES,
    **device_messages.MESSAGES,
    **counter_messages.MESSAGES,
    **channel_messages.MESSAGES,
    **trigger_messages.MESSAGES,
    **task_messages.MESSAGES,
}
