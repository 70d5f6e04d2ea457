"""Several devices on one pair of wires: each hears every byte and answers to its own address."""

from __future__ import annotations

from drivers.simulated.serial.serial_device import Drive, SerialDevice


class SerialBus(SerialDevice):
    """The devices of one line, as one to be served."""

    def __init__(self, *devices: SerialDevice, name: str = "bus") -> None:
        super().__init__(name)
        self.devices = devices

    @property
    def drives(self) -> tuple[Drive, ...]:
        """See `SerialDevice`."""
        return tuple(drive for device in self.devices for drive in device.drives)

    def keep_time(self, pace: float) -> None:
        """See `SerialDevice`."""
        self.pace = pace
        for device in self.devices:
            device.keep_time(pace)

    def tick(self, step: float) -> None:
        """All devices."""
        for device in self.devices:
            device.advance(self.now)

    def receive(self, data: bytes) -> bytes:
        """The answers one after the other: two devices with one address spoil each other's."""
        self.heard = self.now
        answers = [(device, device.receive(data)) for device in self.devices]
        overheard = [other.overhear(answer) for device, answer in answers if answer for other in self.devices if other is not device]
        return b"".join(answer for _, answer in answers) + b"".join(overheard)

    def from_another(self, reply: bytes) -> bytes:
        """See `SerialDevice`."""
        return self.devices[0].from_another(reply)

    def silence(self) -> None:
        """See `SerialDevice`."""
        for device in self.devices:
            device.silence()

    def take_events(self) -> list[tuple[float, str, str]]:
        """Those of all devices, in order."""
        return sorted((event for device in self.devices for event in device.take_events()), key=lambda event: event[0])
