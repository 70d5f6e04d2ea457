"""One serial line: a port (COM3, /dev/ttyUSB0, a pty) or `socket://HOST:PORT`, and exchanges of a request and a reply on it.

Whoever uses a line gives it a parser: bytes -> message, None while the message is incomplete, BadReply for bytes that cannot be one.
The line knows nothing of protocols. It keeps the last exchanges for error messages, and how long they took.
"""

from __future__ import annotations

import contextlib
import math
import re
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import serial

from drivers import host_clock
from drivers.errors import BadReply, DriverError, NoReply, NotConnected, Refused
from drivers.serial import port_errors
from drivers.serial.allowance import Allowance

Message = TypeVar("Message")
PARITIES = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}
REMEDY = "look at the cable, at baud rate and parity, and at what else is on the line"
SILENT = "look at the cable, at the instrument's power and address, and at baud rate and parity"
ECHO = "what was sent has come back, an echo of the adapter or of the instrument and no answer"
NO_ECHO = "switch the echo off: at an RS-485 adapter its receiver has to rest while it sends (jumper, switch or driver setting)"
SOCKET = "socket://"
REMEMBERED = 50
"""Exchanges that are kept for messages."""
TIMED = 1000
"""Exchanges whose duration is kept."""
LONGEST = 4096
"""Bytes of a reply."""
TAIL = 300
"""Bytes, and the time that they take on the line, by which a reply that has begun may end later than it was to begin."""
LOOK = 0.02
"""Longest single wait for bytes (s), so that a port that is closed meanwhile is noticed."""
STOOD = 2 * LOOK
"""Time (s) between two looks at a line from which on this computer stood still; what is beyond it counts for no time-out."""


@dataclass(frozen=True)
class Line:
    """Settings of a line. `quiet`: s of silence after which nothing more of a spoilt reply is expected; `gap`: s of silence that the
    protocol wants before a request, whoever has spoken."""

    port: str
    baud: int
    parity: str = "none"
    stop_bits: int = 1
    timeout: float = 0.2
    quiet: float = 0.005
    gap: float = 0.0
    mirrored: bool = True
    """Whether a sound answer may be the very bytes of its request; where none may, an echo is told as what it is."""

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


class _Patience:
    """A time-out by the time in which this computer looked: what came while it stood still, or would have come had it sent the
    question, is no fault of the instrument's."""

    def __init__(self, seconds: float, allowances: Callable[[], Sequence[Allowance]] = tuple) -> None:
        self.left = seconds
        self._allowances = allowances
        self._looked = host_clock.now()

    def over(self) -> bool:
        """To be asked after each look."""
        now = host_clock.now()
        looked = min(now - self._looked, STOOD)
        self.left -= looked
        self._looked = now
        for allowance in self._allowances():
            allowance.spend(looked)
        return self.left < 0.0 or self.all_spent

    @property
    def all_spent(self) -> bool:
        """Whether not even this is waited for any more, as what it is a part of has taken too long."""
        return any(allowance.spent for allowance in self._allowances())


class _Port:
    """A port of this process, open as long as somebody uses it: two axes of one drive, several drives on one pair of wires."""

    def __init__(self, settings: Line) -> None:
        self.settings = settings
        self.lock = threading.RLock()
        self.users: set[SerialLine] = set()
        self._handle: serial.SerialBase | None = None
        self._connection: socket.socket | None = None
        self.after = ""
        """What came of the last exchange: "" all, "spoilt" something else, "missing" nothing."""
        self._spoken = -math.inf  # host_clock.now() of the last byte either way

    @property
    def is_open(self) -> bool:
        return self._handle is not None

    @property
    def handle(self) -> serial.SerialBase:
        """The port while it is open."""
        assert self._handle is not None
        return self._handle

    def open(self) -> None:
        """Raises what pyserial raises."""
        if not self.is_open:
            line = self.settings
            self._handle = serial.serial_for_url(
                line.port, line.baud, parity=PARITIES[line.parity], stopbits=line.stop_bits, timeout=LOOK, write_timeout=line.timeout,
                exclusive=True,
            )  # fmt: skip
            self._connection = _connection(self.handle)
            self.after = ""

    def read(self) -> bytes:
        """What has come, or comes next within `LOOK`. Raises what pyserial raises."""
        if self._connection is None:
            got = bytes(self.handle.read(max(1, self.handle.in_waiting)))
        elif got := bytes(self.handle.read(1)):
            # pyserial cannot tell how much there is on TCP, so it would take a call for every byte.
            with contextlib.suppress(BlockingIOError):
                got += self._connection.recv(LONGEST)
        if got:
            self._spoken = host_clock.now()
        return got

    def be_silent(self, gap: float) -> None:
        """Until nothing has gone either way for `gap` s."""
        while (rest := self._spoken + gap - host_clock.now()) > 0.0:
            time.sleep(rest)

    def write(self, data: bytes) -> None:
        """Raises what pyserial raises."""
        self._write(data)
        self._spoken = host_clock.now()

    def _write(self, data: bytes) -> None:
        if self._connection is None:
            self.handle.write(data)
            return
        # pyserial takes a computer that stood still after it had sent everything for a line that takes nothing.
        patience = _Patience(self.settings.timeout)
        while data:
            try:
                data = data[self._connection.send(data) :]
            except BlockingIOError:
                if patience.over():
                    raise serial.SerialTimeoutException("Write timeout") from None
                select.select([], [self._connection], [], LOOK)

    def close(self) -> None:
        """The same, after an exchange that is under way."""
        with self.lock:
            handle, self._handle = self._handle, None
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()
            if handle is not None:
                handle.close()


_ports: dict[str, _Port] = {}
_ports_lock = threading.Lock()


class SerialLine:
    """A line that is opened, used by any thread, and closed. `name` is the instrument, for messages.

    Lines of one process with the same port share it, and take turns.
    """

    def __init__(self, settings: Line, name: str) -> None:
        self.settings, self.name = settings, name
        self.address: int | None = None
        self.exchanges: deque[Exchange] = deque(maxlen=REMEMBERED)
        self._took: deque[float] = deque(maxlen=TIMED)
        self._port: _Port | None = None
        self._within: list[Allowance] = []
        self._limit: Allowance | None = None
        self.span = (0.0, 0.0)
        """When the last request went and when its reply had come (host_clock.now(), s)."""

    @property
    def where(self) -> str:
        """The instrument and its port, as messages begin."""
        return f"{self.name} at {self.settings.port}"

    @property
    def timing(self) -> Timing:
        """Of the last exchanges that succeeded; zeros before the first."""
        took = np.array(self._took) if self._took else np.zeros(1)
        return Timing(float(np.median(took)), float(np.percentile(took, 99)), len(self._took))

    @contextlib.contextmanager
    def within(self, allowance: Allowance) -> Iterator[None]:
        """Whatever waits on this line meanwhile, in all: then each answer is waited for as short as can be, and the error says so."""
        self._within.append(allowance)
        try:
            yield
        finally:
            self._within.remove(allowance)

    def limit(self, allowance: Allowance) -> None:
        """The same from now on, for what is being waited for as well, until there is another limit or the port is opened anew. From any
        thread."""
        self._limit = allowance

    def open(self) -> None:
        """Open the port; what is open already stays so. Raises NotConnected, and Refused for settings that do not fit."""
        line = self.settings
        if line.parity not in PARITIES:
            raise Refused(f"{self.where}: parity must be one of {', '.join(PARITIES)}, got {line.parity!r}")
        if line.port.startswith(SOCKET) and not re.fullmatch(r".+:\d+(\?.*)?", line.port.removeprefix(SOCKET)):
            raise Refused(f"{self.where}: expected socket://HOST:PORT, as socket://192.168.10.7:4001, got {line.port!r}")
        with _ports_lock:
            port = _ports.setdefault(line.port, _Port(line))
            if (port.settings.baud, port.settings.parity, port.settings.stop_bits) != (line.baud, line.parity, line.stop_bits):
                others = ", ".join(user.name for user in port.users)
                raise Refused(
                    f"{self.where}: {others} has this port open with other settings; all on one line have the same baud and parity"
                )
            try:
                port.open()
            except (serial.SerialException, OSError, ValueError) as error:
                if not port.users:
                    del _ports[line.port]
                raise NotConnected(f"{self.where}: {port_errors.unopened(error)}") from error
            port.users.add(self)
            self._port, self._limit = port, None

    @property
    def neighbours(self) -> set[int]:
        """Addresses of other instruments of this process on the same pair of wires, where their drivers say them."""
        users = () if self._port is None else self._port.users
        return {user.address for user in users if user is not self and user.address is not None}

    def close(self) -> list[str]:
        """Close the port, if nobody else uses it; returns what went wrong, in words."""
        with _ports_lock:
            port, self._port = self._port, None
            if port is None:
                return []
            port.users.discard(self)
            if port.users:
                return []
            _ports.pop(self.settings.port, None)
            return _closed(port, self.where)

    def exchange(
        self,
        request: bytes,
        parse: Callable[[bytes], Message | None],
        timeout: float | None = None,
        urgent: bool = False,
        mirrored: bool = False,
    ) -> Message:
        """Send a request, return its reply. Raises NoReply, BadReply and NotConnected, which name instrument and port.

        What waits on the line is thrown away first. After a reply that was spoilt its remains are waited for; after one that did not
        come, one more time-out: a late answer would be taken for that of the next question. `urgent` does not wait: for a stop, with
        a `parse` that finds its answer among others. `mirrored`: see `Line`, for this request.
        """
        mirrored = mirrored or urgent or self.settings.mirrored
        port = self._opened()
        with port.lock, self._explained(port):
            self._opened()  # still: who shares it may have found it gone
            if port.after and not urgent:
                self._drain(port)
            port.be_silent(self.settings.gap)
            begin = host_clock.now()
            self._send(port, request)
            try:
                patience = _Patience(self.settings.timeout if timeout is None else timeout, self._allowances)
                message, reply = self._receive(port, parse if mirrored else _no_echo(request, parse), patience)
            except (BadReply, NoReply) as error:
                port.after = "spoilt" if error.args[1] else "missing"
                self.exchanges.append(Exchange(request, error.args[1], host_clock.now() - begin))
                raise type(error)(
                    f"{self.where}: {error.args[0]} ({self.exchanges[-1]}){self._too_long()}; {self._remedy(error)}"
                ) from None
            port.after = port.after if urgent else ""  # what was waited for before may still come
            self.span = begin, host_clock.now()
            self._took.append(self.span[1] - begin)
            self.exchanges.append(Exchange(request, reply, self._took[-1]))
            return message

    def send(self, request: bytes) -> None:
        """Send what has no answer. Raises NotConnected."""
        port = self._opened()
        with port.lock, self._explained(port):
            self._opened()
            port.be_silent(self.settings.gap)
            self._send(port, request)
            self.exchanges.append(Exchange(request, b"", 0.0))

    # -- inside --------------------------------------------------------------------------------------------------------------------

    @staticmethod
    def _send(port: _Port, request: bytes) -> None:
        port.handle.reset_input_buffer()
        port.write(request)

    @staticmethod
    def _receive(port: _Port, parse: Callable[[bytes], Message | None], patience: _Patience) -> tuple[Message, bytes]:
        got = b""
        most = _Patience(patience.left + LOOK + TAIL * port.settings.byte_time)
        while True:
            more = port.read()
            over, babbles = patience.over(), most.over() or patience.all_spent
            got += more
            if more:
                if not babbles:
                    patience.left = max(patience.left, LOOK)  # a reply that has begun is heard to its end
                if len(got) > LONGEST:
                    raise BadReply("a reply without end", got)
                try:
                    message = parse(got)
                except BadReply as error:
                    raise BadReply(str(error), got) from None
                if message is not None:
                    return message, got
            if babbles and more:
                raise BadReply("bytes without end, and no reply among them", got)
            if over and not more:
                if got:
                    raise BadReply("the reply is cut short", got)
                raise NoReply("no reply", got)

    def _drain(self, port: _Port) -> None:
        """Throw away what still comes; a line that is never silent gets a time-out, and the next reply tells."""
        patience, quiet = _Patience(self.settings.timeout, self._allowances), max(self.settings.quiet, 20 * self.settings.byte_time)
        silence = _Patience(quiet)
        while not patience.over() and (port.after == "missing" or not silence.over()):
            if port.handle.in_waiting:
                port.handle.reset_input_buffer()
                silence, port.after = _Patience(quiet), "spoilt"
            time.sleep(self.settings.quiet / 4)

    def _allowances(self) -> Sequence[Allowance]:
        return self._within if self._limit is None else [*self._within, self._limit]

    def _too_long(self) -> str:
        """In words what has taken too long, of which this was a part."""
        spent = next((one for one in self._allowances() if one.spent), None)
        return "" if spent is None else f"; {spent.doing} may take {spent.seconds:g} s of waiting in all, which are over"

    @staticmethod
    def _remedy(error: DriverError) -> str:
        if error.args[0] == ECHO:
            return NO_ECHO
        return REMEDY if error.args[1] else SILENT

    def _opened(self) -> _Port:
        if self._port is None or not self._port.is_open:
            raise NotConnected(f"{self.where}: the port is not open; connect first")
        return self._port

    @contextlib.contextmanager
    def _explained(self, port: _Port) -> Iterator[None]:
        """What the port raises when it is gone, in words; the port is closed then, so that it can be opened again."""
        try:
            yield
        except DriverError:
            raise
        except (serial.SerialException, OSError) as error:
            _closed(port, self.where)
            raise NotConnected(f"{self.where}: {port_errors.gone(error)}") from error


def _closed(port: _Port, where: str) -> list[str]:
    try:
        port.close()
    except (serial.SerialException, OSError) as error:
        return [f"{where}: closing: {port_errors.in_words(error)}"]
    return []


def _shown(data: bytes) -> str:
    """As text where it is text, else in hexadecimal."""
    if data and all(32 <= byte < 127 or byte in b"\r\n" for byte in data):
        return repr(data[:64].decode("ascii")) + (" ..." if len(data) > 64 else "")
    return data[:64].hex(" ") + (" ..." if len(data) > 64 else "")


def _no_echo(request: bytes, parse: Callable[[bytes], Message | None]) -> Callable[[bytes], Message | None]:
    """`parse` of an answer that cannot begin as its request does."""

    def heard(got: bytes) -> Message | None:
        if got.startswith(request):
            raise BadReply(ECHO)
        try:
            return parse(got)
        except BadReply:
            if request.startswith(got):
                return None  # the rest of the echo is on its way
            raise

    return heard


def _connection(port: serial.SerialBase) -> socket.socket | None:
    """The connection behind a `socket://` port, once more; None for any other. A request does not wait for the acknowledgement of the one
    before on it."""
    if isinstance(port, serial.Serial):
        return None
    try:
        copy = socket.fromfd(port.fileno(), socket.AF_INET, socket.SOCK_STREAM)
    except (OSError, AttributeError, serial.SerialException):
        return None  # another of pyserial's, as loop://
    copy.setblocking(False)
    with contextlib.suppress(OSError):
        copy.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return copy
