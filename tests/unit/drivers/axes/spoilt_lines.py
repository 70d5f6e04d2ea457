"""A serial port in memory, on a clock of its own: a device behind it, or nonsense, or nothing, for ever. Nobody waits for time-outs."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from drivers.simulated.serial.serial_device import SerialDevice

MODULES = (
    "serial.serial_line", "axes.axis", "axes.modbus_drive", "axes.odrive", "axes.tmcl", "loaders.instron", "loaders.instron_commands",
    "loaders.instron_generator", "loaders.instron_reading",
)  # fmt: skip
BYTE = 1e-3
"""s for a byte that comes unasked."""
STEP = 0.02
"""s that a look at a silent line takes."""


class Clock:
    """Stands for the module `time` in the drivers: it goes on while somebody waits, and only then."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class SpoiltPort:
    """What pyserial gives. `how`: "" the device answers; "silent"; "nonsense" for each request; "babbles" without end, asked or not;
    "text" of another kind of instrument; "echo": the request comes back before its answer; "late": the answer comes when it is given up,
    nearly."""

    def __init__(self, device: SerialDevice, clock: Clock) -> None:
        self.device, self.how, self.patience = device, "", 0.0
        self._clock, self._random = clock, random.Random(1)
        self._came = b""
        self._due = 0.0

    def write(self, data: bytes) -> None:
        self._clock.now += len(data) * 1e-4
        self.device.advance(self._clock.now)
        answer = self.device.receive(data)
        noise = self._random.randbytes(self._random.randint(1, 20))
        answers = {
            "": answer,
            "silent": b"",
            "babbles": b"",
            "nonsense": noise,
            "text": b"ERROR 5\r\n",
            "late": answer,
            "echo": data + answer,
        }
        self._came += answers[self.how]
        self._due = self._clock.now + (self.patience if self.how == "late" else 1e-3)

    @property
    def in_waiting(self) -> int:
        return len(self._came) if self._clock.now >= self._due - 1e-9 else 0

    def read(self, count: int) -> bytes:
        if self.how == "babbles":
            self._clock.now += BYTE
            return self._random.randbytes(1)
        if not self.in_waiting:
            waits = self._due - self._clock.now if self._came else STEP
            self._clock.now += min(STEP, waits)
        if not self.in_waiting:
            return b""
        got, self._came = self._came[:count], self._came[count:]
        return got

    def reset_input_buffer(self) -> None:
        self._came = b""

    def close(self) -> None:
        pass


class Lines:
    """Ports by name; every driver of this test opens one of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = Clock()
        self.ports: dict[str, SpoiltPort] = {}
        for module in MODULES:
            monkeypatch.setattr(f"drivers.{module}.time", self.clock, raising=False)
            monkeypatch.setattr(f"drivers.{module}.host_clock", SimpleNamespace(now=self.clock.monotonic), raising=False)
        monkeypatch.setattr("drivers.axes.axis.AxisBase.clock", SimpleNamespace(now=self.clock.monotonic, sleep=self.clock.sleep))
        monkeypatch.setattr("drivers.serial.serial_line._ports", {})  # what a test leaves open is its own
        monkeypatch.setattr("drivers.serial.serial_line.serial.serial_for_url", self._opened)

    def add(self, name: str, device: SerialDevice) -> SpoiltPort:
        self.ports[name] = SpoiltPort(device, self.clock)
        return self.ports[name]

    def spoil(self, how: str, patience: float = 0.0) -> None:
        for port in self.ports.values():
            port.how, port.patience = how, patience

    def _opened(self, name: str, *args: Any, **kwargs: Any) -> SpoiltPort:
        return self.ports[name]


def guard() -> Any:
    """An output that an enable line can be on; what is written to it goes nowhere."""
    return SimpleNamespace(write_lines=lambda states: None)
