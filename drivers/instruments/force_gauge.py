"""Hand-held force gauge on a serial line: the example of docs/adding_an_instrument.md.

`?` and CR asks for the reading, answered by a line as `-12.34 N`; `Z` and CR takes what is there now as zero, answered by `OK`. No maker's
gauge in particular: most have such a line, with words of their own (here you name the manual, with its number and date).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from drivers.errors import BadReply, Refused
from drivers.instruments.instrument import InstrumentSettings
from drivers.serial.allowance import CONNECTING, allowed
from drivers.serial.serial_line import Line, SerialLine

NEWTONS = {"N": 1.0, "kN": 1e3, "lbF": 4.4482216152605}
READING = re.compile(rb"([+-]\d{1,5}\.\d\d) (N|kN|lbF)\r\n")
"""Strict, since the lines bear no checksum: a byte that came twice must not pass as a digit."""


def parse_reading(data: bytes) -> float | None:
    """Force in N; None while the line is incomplete. Raises BadReply for anything else."""
    if not data.endswith(b"\n"):
        return None
    if data == b"OVR\r\n":
        raise BadReply("the gauge is overloaded")
    found = READING.fullmatch(data)
    if found is None:
        raise BadReply("expected a reading as '-12.34 N'")
    return float(found[1]) * NEWTONS[found[2].decode()]


def parse_done(data: bytes) -> bool | None:
    """True for OK; None while the line is incomplete. Raises BadReply."""
    if not data.endswith(b"\n"):
        return None
    if data != b"OK\r\n":
        raise BadReply("expected OK")
    return True


@dataclass(frozen=True)
class Config(InstrumentSettings):
    """One gauge."""

    port: str = field(metadata={"doc": "COM3, /dev/ttyUSB0, or socket://HOST:PORT"})
    baud: int = field(default=115200, metadata={"over": 0.0})
    capacity: float = field(default=500.0, metadata={"unit": "N", "over": 0.0, "doc": "a reading beyond it is refused"})
    timeout: float = field(default=0.2, metadata={"unit": "s", "over": 0.0})

    def create(self, name: str = "gauge") -> ForceGauge:
        """See `InstrumentSettings`."""
        return ForceGauge(self, name)


class ForceGauge:
    """One gauge; see `drivers.instruments.instrument.Instrument`. Every method raises DriverError in words that name gauge and port."""

    unit = "N"

    def __init__(self, config: Config, name: str) -> None:
        self.config, self.name = config, name
        self.line = SerialLine(Line(config.port, config.baud, timeout=config.timeout, mirrored=False), f"{name} (force gauge)")

    @allowed(CONNECTING, "reaching it")
    def connect(self) -> None:
        """Open the port and see that a gauge answers."""
        self.line.open()
        self.read()

    def identity(self) -> str:
        """It has no word for what it is: what it shows tells that it is one."""
        return f"force gauge to {self.config.capacity:g} N, shows {self.read():.2f} N"

    def read(self) -> float:
        """Force now, N."""
        force = self.line.exchange(b"?\r", parse_reading)
        if abs(force) > self.config.capacity:
            raise Refused(f"{self.line.where}: {force:g} N is beyond its capacity of {self.config.capacity:g} N; unload it")
        return force

    def zero(self) -> None:
        """What is there now counts as zero."""
        self.line.exchange(b"Z\r", parse_done)

    def close(self) -> list[str]:
        """Let go; returns what went wrong, in words."""
        return self.line.close()
