"""The exception that carries one NI-DAQmx status."""

from __future__ import annotations

from drivers.simulated.daqmx.status.messages import messages
from drivers.simulated.daqmx.status.wording import line, property_name


class DaqmxError(Exception):
    """One failed call: `code` is NI's status; `details` are the lines NI puts under the message (Property, Device, ...)."""

    def __init__(self, code: int, task: str = "", samples: int = 0, /, **details: object) -> None:
        self.code, self.task, self.samples, self.details = code, task, samples, details
        super().__init__(self.text())

    def text(self) -> str:
        """The whole message as the driver words it."""
        about = property_name(str(self.details.get("Property", "")))
        details = [line(key, about if key == "Property" else value, about) for key, value in self.details.items()]
        parts = ["\n".join([messages()[self.code], *details])]
        if self.task:
            parts.append(f"Task Name: {self.task}")
        parts.append(f"Status Code: {self.code}")
        return "\n\n".join(parts)

    def about(self, name: str, task: str = "") -> None:
        """Name the property that the error is about, where it names none by the driver's name, and the task."""
        known = str(self.details.get("Property", ""))
        if not known.startswith("DAQmx_") or known.removeprefix("DAQmx_").isupper():
            self.details = {"Property": name, **{key: value for key, value in self.details.items() if key != "Property"}}
        self.task = self.task or task
        self.args = (self.text(),)
