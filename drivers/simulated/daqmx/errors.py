"""The exception that carries one NI-DAQmx status."""

from __future__ import annotations

from drivers.simulated.daqmx.messages import MESSAGES


class DaqmxError(Exception):
    """One failed call: `code` is NI's status; `details` are the lines NI puts under the message (Property, Device, ...)."""

    def __init__(self, code: int, task: str = "", samples: int = 0, **details: object) -> None:
        self.code, self.task, self.samples, self.details = code, task, samples, details
        super().__init__(self.text())

    def text(self) -> str:
        """The whole message as the driver words it."""
        details = [f"{key.replace('_', ' ')}: {value}" for key, value in self.details.items()]
        parts = ["\n".join([MESSAGES[self.code], *details])]
        if self.task:
            parts.append(f"Task Name: {self.task}")
        parts.append(f"Status Code: {self.code}")
        return "\n\n".join(parts)
