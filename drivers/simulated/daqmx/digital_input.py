"""Digital input tasks."""

from __future__ import annotations

from drivers.simulated.daqmx.kind import Kind


class DigitalInput(Kind):
    """DI."""

    subsystem = "di"
