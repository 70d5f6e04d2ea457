"""Devices by the names that NI's own tests of its nidaqmx package give them, and the first input of each."""

from __future__ import annotations

from typing import Any

from nidaqmx import Task

TESTERS = (
    ("Dev1", "PCIe-6363"), ("bridgeTester", "PXIe-4331"), ("chargeTester", "PXIe-4480"), ("dsaTester", "PXIe-4466"),
    ("positionTester", "PXIe-4340"), ("tempTester", "PXIe-4353"),
)  # fmt: skip
BRIDGE, DSA, CHARGE, TEMP, POSITION = "bridgeTester/ai0", "dsaTester/ai0", "chargeTester/ai0", "tempTester/ai0", "positionTester/ai0"


def add(task: Task, what: str, where: str = "Dev1/ai0", **kwargs: Any) -> Any:
    """An input channel of some kind."""
    return getattr(task.ai_channels, f"add_ai_{what}_chan")(where, **kwargs)
