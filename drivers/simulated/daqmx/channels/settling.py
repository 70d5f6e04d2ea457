"""Settling: channels are brought in line with what is configured before a property of them is read, and when their task is verified."""

from __future__ import annotations

from drivers.simulated.daqmx.channels import analog_input, analog_output
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.engine.engine import Engine


def settle(engine: Engine, task: Task, channel: ch.Channel) -> None:
    """Bring an analogue channel in line, unless it runs. Raises DaqmxError."""
    if not task.running and isinstance(channel, ch.AnalogChannel) and not isinstance(channel, ch.PowerChannel):
        (analog_input if channel.kind == ch.ANALOG_INPUT else analog_output).settle(engine, task, channel)


def settle_all(engine: Engine, task: Task) -> None:
    """Bring all channels in line. Raises DaqmxError for the first that cannot be.

    Of a task that is verified only channels with a custom scale can have changed since: by a property of the scale.
    """
    verified = task.state >= State.VERIFIED and not task.stale
    for channel in task.channels:
        if not verified or channel.attributes.get("AI_CUSTOM_SCALE_NAME") or channel.attributes.get("AO_CUSTOM_SCALE_NAME"):
            settle(engine, task, channel)
