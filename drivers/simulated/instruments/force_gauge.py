"""Device side of the force gauge of docs/adding_an_instrument.md."""

from __future__ import annotations

from dataclasses import dataclass, field

from drivers.simulated.instruments.instrument_side import InstrumentSide, InstrumentSideSettings


@dataclass(frozen=True)
class Config(InstrumentSideSettings):
    """One simulated gauge."""

    capacity: float = field(default=500.0, metadata={"unit": "N", "over": 0.0, "doc": "overloaded beyond 120 % of it"})
    filter_time: float = field(default=0.02, metadata={"unit": "s", "over": 0.0})

    def create(self, name: str = "gauge") -> ForceGauge:
        """See `InstrumentSideSettings`."""
        return ForceGauge(self, name)


class ForceGauge(InstrumentSide):
    """One gauge that hangs on `force` (N), filtered as such gauges do, overloaded beyond 120 % of its capacity."""

    def __init__(self, config: Config | None = None, name: str = "gauge") -> None:
        super().__init__(name)
        config = config or Config()
        self.capacity, self.filter_time = config.capacity, config.filter_time
        self.force = 0.0
        self._shown = self._zero = 0.0

    def look(self, value: float) -> None:
        """What hangs on it now, N."""
        self.force = value

    def tick(self, step: float) -> None:
        """The gauge's own filter, of first order."""
        self._shown += (self.force - self._shown) * min(1.0, step / self.filter_time)

    def receive(self, data: bytes) -> bytes:
        """See `SerialDevice`; what is no command is ignored."""
        *commands, self._buffer = (self._buffer + data).split(b"\r")
        self._buffer = self._buffer[:16]
        return b"".join(self._answer(command) for command in commands)

    def _answer(self, command: bytes) -> bytes:
        if command == b"?":
            shown = self._shown - self._zero
            return b"OVR\r\n" if abs(self._shown) > 1.2 * self.capacity else f"{shown:+.2f} N\r\n".encode()
        if command == b"Z":
            self._zero = self._shown
            self.note("zeroed")
            return b"OK\r\n"
        return b""
