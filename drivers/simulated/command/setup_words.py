"""A set of devices in one line."""

from __future__ import annotations

from drivers.simulated.device_setup import Setup


def devices_of(setup: Setup) -> str:
    """Names and products, as `Dev1 (PCIe-6363), cDAQ1Mod1 (NI 9215)`."""
    return ", ".join(f"{device.name} ({device.product})" for device in setup.devices)
