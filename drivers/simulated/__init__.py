"""Simulated hardware. `serve_devices` is what a program of somebody else's needs to know."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drivers.simulated.serving import SimulatedDevices
    from drivers.simulated.signals.signal_tables import Signal

DEFAULT_DEVICES: Mapping[str, str] = {"Dev1": "PCIe-6363"}
"""What there is where nobody names devices: an X Series card, under the name that NI MAX gives a first one."""


def serve_devices(
    devices: str | Path | Mapping[str, str],
    wiring: Mapping[str, str] | None = None,
    *,
    pace: str | None = None,
    port: int | None = None,
    unconnected: str | None = None,
    signals: Mapping[str, Signal] | None = None,
) -> SimulatedDevices:
    """Serve simulated NI devices from this process: `with serve_devices({"Dev1": "PCIe-6363"}) as bench: ... bench.grpc_options`.

    devices: a file (TOML, or an .ini exported by NI MAX), or names and products. wiring: terminal of an input -> terminal of the output
    that it is connected to; beside the wires of a file, and in place of one at the same input. pace: `real`, or `lockstep`: time stands
    still but for calls that wait, so tests are exact and quick.
    port: 0 takes a free one. unconnected: what a trigger or a clock does on a pin to which nothing is connected: `at_once`, as on NI's
    simulated devices nobody waits for it, or `waits`, as on a real bench.
    signals: terminal of an input -> what it sees, in place of a wire: a function that takes times (s of device time, an array) and gives
    volts, times of edges (s) of a digital input, or a mapping with the keys of a signal from a file.
    Raises drivers.simulated.device_file.BadDeviceFile, drivers.errors.Refused (port in use).
    """
    from drivers.simulated.serving import serving  # gRPC is loaded only by who serves

    return serving(devices, wiring=wiring, pace=pace, port=port, unconnected=unconnected, signals=signals)
