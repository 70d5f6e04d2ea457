"""Serves the device side of a serial instrument: `socket://` on this machine and, on POSIX, a pty. Models the line between.

With pace `real` bytes take their time at the line's baud rate, and the device lives on by itself. In lockstep the time stands still but
for who moves it, so answers come at once; `advance` is called by whoever moves the clock.
"""

from __future__ import annotations

import contextlib
import functools
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from drivers.simulated.clock import BenchClock
from drivers.simulated.serial.serial_device import SerialDevice

FAULTS = ("cut", "garbled", "delayed", "doubled", "another_address", "silent")
LOOK = 1e-3
"""Pause (s) between two looks at a real clock."""


@dataclass(frozen=True)
class Wire:
    """The line. silence: s without a byte after which an unfinished request is forgotten."""

    baud: int = 115200
    bits: int = 10
    latency: float = 0.0
    silence: float = 0.05

    def duration(self, count: int) -> float:
        """Time (s) that `count` bytes take."""
        return count * self.bits / self.baud


@dataclass
class Fault:
    """What happens to the next `replies` answers; `seconds` is the delay of "delayed"."""

    kind: str
    replies: int = 1
    seconds: float = 1.0


class SerialSide:
    """One device on one line, until `close` or the end of the `with`.

    `paced`: this side lets the device live. Otherwise a plant does, by `update`, and a request finds the device where the plant has it:
    firmware must not run ahead of the shaft that it turns. `bring_up`, where somebody has set it, is called before each request with
    the bench time at which that came, without this side's lock: a setpoint acts from that moment on, not from the plant's last look.

    `pace`: seconds that pass on the device's own clock in one of bench time; its shafts are then to be seen through `SkewedShaft`.
    """

    def __init__(
        self,
        device: SerialDevice,
        clock: BenchClock | None = None,
        wire: Wire | None = None,
        port: int = 0,
        paced: bool = True,
        pace: float = 1.0,
    ) -> None:
        self.device, self.clock, self.wire, self.paced, self.pace = device, clock or BenchClock(), wire or Wire(), paced, pace
        self.device.keep_time(pace)
        self.lock = threading.Lock()
        self.bring_up: Callable[[float], object] | None = None
        self.fault: Fault | None = None
        self._stop = threading.Event()
        self._plugged = threading.Event()
        self._clients: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._ptys: list[tuple[int, int]] = []
        self._port = port
        self._listener = self._listen()
        if paced:
            self.clock.start()  # otherwise it is started by who moves the plant
        self._accepting = self._start(self._accept)
        if paced and not self.clock.lockstep:
            self._start(self._pace)

    @property
    def url(self) -> str:
        """The port to give a driver."""
        return f"socket://127.0.0.1:{self._port}"

    def pty(self) -> str:
        """The same device on a pseudo terminal; its path is the port to give a driver. POSIX only."""
        if sys.platform == "win32":
            raise OSError("this system has no pseudo terminals; use the socket:// address")
        import tty

        ours, theirs = os.openpty()
        tty.setraw(theirs)
        self._ptys.append((ours, theirs))
        self._start(lambda: self._serve_pty(ours))
        return os.ttyname(theirs)

    def advance(self, to: float) -> None:
        """Move a lockstep clock and the device on it to `to` (s)."""
        self.clock.move(to)
        self.update()

    def update(self, to: float | None = None) -> None:
        """Bring the device to bench time `to` (s), or to the present. A plant calls this for each of its own steps."""
        with self.lock:
            self.device.advance(self.pace * (self.clock.now() if to is None else to))

    def take_events(self) -> list[tuple[float, str, str]]:
        """Events of the device since the last call: (bench time in s, source, text)."""
        with self.lock:
            return [(at / self.pace, source, text) for at, source, text in self.device.take_events()]

    def unplug(self) -> None:
        """Pull the cable: connections end, and from now on a new one is refused."""
        self._plugged.clear()
        with contextlib.suppress(OSError):  # unplugged already, or a system that shuts down only what is connected
            self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()  # as long as a thread waits on it, the system goes on taking connections for a listener that is closed
        self._listener.close()
        for client in list(self._clients):
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def plug(self) -> None:
        """Put the cable back."""
        self._listener = self._listen()
        self._accepting = self._start(self._accept)

    def close(self) -> None:
        """End every connection and every thread."""
        self._stop.set()
        self.unplug()
        for thread in self._threads:
            thread.join(2.0)
        for pair in self._ptys:
            for end in pair:
                os.close(end)

    def __enter__(self) -> SerialSide:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # -- inside --------------------------------------------------------------------------------------------------------------------

    def _listen(self) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", self._port))
        listener.settimeout(0.05)
        self._port = listener.getsockname()[1]
        self._plugged.set()
        return listener

    def _start(self, target: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=target, daemon=True, name=f"{self.device.name} side")
        self._threads.append(thread)
        thread.start()
        return thread

    def _pace(self) -> None:
        while not self._stop.wait(LOOK):
            self.update()

    def _accept(self) -> None:
        listener = self._listener
        while not self._stop.is_set() and self._plugged.is_set():
            try:
                client, _ = listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._clients.add(client)
            self._start(functools.partial(self._serve, client))

    def _serve(self, client: socket.socket) -> None:
        client.settimeout(self.wire.silence)
        with client:
            while not self._stop.is_set():
                try:
                    data = client.recv(4096)
                except TimeoutError:
                    self._silent()
                    continue
                except OSError:
                    break
                if not data:
                    break
                if not self._answer(data, client.sendall):
                    break
        self._clients.discard(client)

    def _serve_pty(self, ours: int) -> None:
        import select

        while not self._stop.is_set():
            if not select.select([ours], [], [], self.wire.silence)[0]:
                self._silent()
                continue
            self._answer(os.read(ours, 4096), lambda reply: os.write(ours, reply))

    def _silent(self) -> None:
        with self.lock:
            self.device.silence()

    def _answer(self, data: bytes, send: Callable[[bytes], object]) -> bool:
        """Send what goes back for `data`, after the time that the line takes; False when nobody is there any more."""
        now = self.clock.now()  # what waits for others below is no time that the line takes
        if self.bring_up is not None:
            self.bring_up(now)
        with self.lock:
            if self.paced:
                self.device.advance(self.pace * now)
            reply = self.device.receive(data)
        self._wait_until(now + self.wire.latency + self.wire.duration(len(data) + len(reply)))
        reply, late = self._spoilt(reply)
        if late:  # the device goes on meanwhile
            self._start(lambda: self._send_late(reply, late, send))
            return True
        return self._send(reply, send)

    def _send_late(self, reply: bytes, late: float, send: Callable[[bytes], object]) -> None:
        if not self._stop.wait(late):
            self._send(reply, send)

    def _send(self, reply: bytes, send: Callable[[bytes], object]) -> bool:
        try:
            send(reply)
        except OSError:
            return False
        return True

    def _wait_until(self, moment: float) -> None:
        while not self.clock.lockstep and not self._stop.is_set() and (rest := moment - self.clock.now()) > 0.0:
            time.sleep(min(rest, LOOK))

    def _spoilt(self, reply: bytes) -> tuple[bytes, float]:
        """The reply as the fault lets it through, and the delay (s) that it adds."""
        fault = self.fault
        if fault is None or not reply:
            return reply, 0.0
        fault.replies -= 1
        if fault.replies <= 0:
            self.fault = None
        if fault.kind == "delayed":
            return reply, fault.seconds
        middle = len(reply) // 2
        return {
            "cut": reply[:-2],
            "garbled": reply[:middle] + bytes((reply[middle] ^ 0x10,)) + reply[middle + 1 :],
            "doubled": reply[: middle + 1] + reply[middle:],
            "another_address": self.device.from_another(reply),
            "silent": b"",
        }[fault.kind], 0.0
