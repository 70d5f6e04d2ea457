"""One serial line: a port (COM3, /dev/ttyUSB0, a pty) or `socket://HOST:PORT`, and exchanges of a request and a reply on it.

Whoever uses a line gives it a parser: bytes -> message, None while the message is incomplete, BadReply for bytes that cannot be one.
The line knows nothing of protocols. It keeps the last exchanges for error messages, and how long they took.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import serial

from drivers.errors import BadReply, DriverError, NoReply, NotConnected, Refused

Message = TypeVar("Message")
PARITIES = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}
REMEDY = "look at the cable, at baud rate and parity, and at what else is on the line"
REMEMBERED = 50
"""Exchanges that are kept for messages."""
TIMED = 1000
"""Exchanges whose duration is kept."""
LOOK = 0.02
"""Longest single wait for bytes (s), so that a port that is closed meanwhile is noticed."""


@dataclass(frozen=True)
class Line:
    """Settings of a line. `quiet`: s of silence after which nothing more of a spoilt reply is expected."""

    port: str
    baud: int
    parity: str = "none"
    stop_bits: int = 1
    timeout: float = 0.2
    quiet: float = 0.005

    @property
    def byte_time(self) -> float:
        """Duration of one byte on the line, s."""
        return (9 + self.stop_bits + (self.parity != "none")) / self.baud


@dataclass(frozen=True)
class Exchange:
    """One request and what came back; `reply` may be empty."""

    request: bytes
    reply: bytes
    seconds: float

    def __str__(self) -> str:
        return f"sent {_shown(self.request)}, received {_shown(self.reply) or 'nothing'} in {self.seconds * 1e3:.1f} ms"


@dataclass(frozen=True)
class Timing:
    """How long exchanges took, s."""

    median: float
    p99: float
    n: int


class SerialLine:
    """A line that is opened, used by any thread, and closed. `name` is the instrument, for messages."""

    def __init__(self, settings: Line, name: str) -> None:
        self.settings, self.name = settings, name
        self.exchanges: deque[Exchange] = deque(maxlen=REMEMBERED)
        self._took: deque[float] = deque(maxlen=TIMED)
        self._port: Any = None
        self._spoilt = False
        self._lock = threading.RLock()

    @property
    def where(self) -> str:
        """The instrument and its port, as messages begin."""
        return f"{self.name} at {self.settings.port}"

    @property
    def timing(self) -> Timing:
        """Of the last exchanges that succeeded; zeros before the first."""
        took = np.array(self._took) if self._took else np.zeros(1)
        return Timing(float(np.median(took)), float(np.percentile(took, 99)), len(self._took))

    def open(self) -> None:
        """Open the port; what is open already stays so. Raises NotConnected, in words."""
        with self._lock:
            if self._port is not None:
                return
            line = self.settings
            if line.parity not in PARITIES:
                raise Refused(f"{self.where}: parity must be one of {', '.join(PARITIES)}, got {line.parity!r}")
            try:
                self._port = serial.serial_for_url(
                    line.port, line.baud, parity=PARITIES[line.parity], stopbits=line.stop_bits, timeout=LOOK, write_timeout=line.timeout
                )
            except (serial.SerialException, OSError, ValueError) as error:
                raise NotConnected(
                    f"{self.where}: {_in_words(error)}; is it plugged in and switched on, and is no other program on it?"
                ) from error
            _without_delay(self._port)
            self._spoilt = False

    def close(self) -> list[str]:
        """Close the port; returns what went wrong, in words."""
        with self._lock:
            port, self._port = self._port, None
            if port is None:
                return []
            try:
                port.close()
            except (serial.SerialException, OSError) as error:
                return [f"{self.where}: closing: {_in_words(error)}"]
            return []

    def exchange(
        self, request: bytes, parse: Callable[[bytes], Message | None], timeout: float | None = None, urgent: bool = False
    ) -> Message:
        """Send a request, return its reply. Raises NoReply, BadReply and NotConnected, which name instrument and port.

        What waits on the line is thrown away first. After a reply that was spoilt or missing, its remains are waited for, up to a
        time-out: a late answer would be taken for that of the next question. `urgent` does not wait: for a stop, with a `parse` that
        raises BadReply for any other answer.
        """
        with self._lock, self._explained():
            if self._spoilt and not urgent:
                self._drain()
            begin = time.monotonic()
            self._send(request)
            reply = b""
            try:
                message, reply = self._receive(parse, begin + (self.settings.timeout if timeout is None else timeout))
            except (BadReply, NoReply) as error:
                self._spoilt = True
                self.exchanges.append(Exchange(request, error.args[1], time.monotonic() - begin))
                raise type(error)(f"{self.where}: {error.args[0]} ({self.exchanges[-1]}); {REMEDY}") from None
            self._took.append(time.monotonic() - begin)
            self.exchanges.append(Exchange(request, reply, self._took[-1]))
            self._spoilt = False
            return message

    def send(self, request: bytes) -> None:
        """Send what has no answer. Raises NotConnected."""
        with self._lock, self._explained():
            self._send(request)
            self.exchanges.append(Exchange(request, b"", 0.0))

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _send(self, request: bytes) -> None:
        port = self._opened()
        port.reset_input_buffer()
        port.write(request)

    def _receive(self, parse: Callable[[bytes], Message | None], deadline: float) -> tuple[Message, bytes]:
        port, got = self._opened(), b""
        while True:
            got += port.read(max(1, port.in_waiting))
            if got:
                try:
                    message = parse(got)
                except BadReply as error:
                    raise BadReply(str(error), got) from None
                if message is not None:
                    return message, got
            if time.monotonic() > deadline:
                if got:
                    raise BadReply("the reply is cut short", got)
                raise NoReply("no reply", got)

    def _drain(self) -> None:
        """Read until the line is silent; a line that never is gets a time-out, and the next reply tells."""
        port = self._opened()
        deadline = time.monotonic() + self.settings.timeout
        silent = time.monotonic()
        while time.monotonic() < deadline and time.monotonic() - silent < max(self.settings.quiet, 20 * self.settings.byte_time):
            if port.in_waiting:
                port.reset_input_buffer()
                silent = time.monotonic()
            time.sleep(self.settings.quiet / 4)

    def _opened(self) -> Any:
        if self._port is None:
            raise NotConnected(f"{self.where}: the port is not open; connect first")
        return self._port

    @contextlib.contextmanager
    def _explained(self) -> Any:
        """What the port raises when it is gone, in words; the port is closed then, so that it can be opened again."""
        try:
            yield
        except DriverError:
            raise
        except (serial.SerialException, OSError) as error:
            self.close()
            raise NotConnected(f"{self.where}: {_in_words(error)}; plug it in again and connect anew") from error


def _shown(data: bytes) -> str:
    """As text where it is text, else in hexadecimal."""
    if data and all(32 <= byte < 127 or byte in b"\r\n" for byte in data):
        return repr(data.decode("ascii"))
    return data[:64].hex(" ") + (" ..." if len(data) > 64 else "")


def _in_words(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _without_delay(port: Any) -> None:
    """On TCP a request must not wait for the acknowledgement of the one before."""
    if not isinstance(port, serial.Serial):
        with contextlib.suppress(OSError, AttributeError, serial.SerialException):
            copy = socket.fromfd(port.fileno(), socket.AF_INET, socket.SOCK_STREAM)
            copy.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            copy.close()
