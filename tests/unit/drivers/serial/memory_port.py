"""A serial port in memory, on a clock of its own: it goes on while somebody looks, sleeps or waits, and only then."""

from __future__ import annotations

import serial

from drivers.serial.serial_line import Line, SerialLine

LOOK = 0.02
"""s that a look at a port takes which says nothing."""


class Port:
    """`answers`: for each request what comes, as (s after it, bytes). `stands`: s for which the computer stands still in each look."""

    def __init__(self) -> None:
        self.now = 0.0
        self.answers: list[list[tuple[float, bytes]]] = []
        self.stands = 0.0
        self.written: list[tuple[float, bytes]] = []
        self.opened: list[dict[str, object]] = []
        self.closed = 0
        self.gone = False
        self._coming: list[tuple[float, bytes]] = []

    def _due(self) -> bytes:
        return b"".join(data for at, data in self._coming if at <= self.now + 1e-12)

    @property
    def in_waiting(self) -> int:
        return len(self._due())

    def read(self, count: int) -> bytes:
        if self.gone:
            raise serial.SerialException("gone")
        begun = self.now
        self.now += self.stands
        if not self._due():
            at = min((at for at, _ in self._coming), default=self.now + LOOK)
            self.now = min(at, self.now + LOOK)
        got = self._due()
        self._coming = [one for one in self._coming if one[0] > self.now + 1e-12]
        if got and len(got) < count:  # more is waited for than there is
            self.now = max(self.now, begun + LOOK)
        return got

    def write(self, data: bytes) -> None:
        if self.gone:
            raise serial.SerialException("gone")
        self.written.append((self.now, data))
        if self.answers:
            self._coming += [(self.now + at, what) for at, what in self.answers.pop(0)]

    def reset_input_buffer(self) -> None:
        self._coming = [one for one in self._coming if one[0] > self.now + 1e-12]

    def close(self) -> None:
        self.closed += 1

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def opened(name: str = "gauge", **settings: object) -> SerialLine:
    """A line on the port `COM1` at 9600 baud, opened."""
    line = SerialLine(Line("COM1", 9600, **({"timeout": 0.2} | settings)), name)  # type: ignore[arg-type]
    line.open()
    return line


def whole(got: bytes) -> bytes | None:
    """A reply without its line feed; None while that has not come."""
    return got[:-1] if got.endswith(b"\n") else None
