"""Digital output lines of an NI-DAQmx device for a session by hand: the device lets them fall when this program falls silent.

A thread resets the hardware's watchdog, but only while the session itself shows signs of life: a session that hangs is as good as dead.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping

from drivers import host_clock
from drivers.daq.lines import Lines, Watchdog
from drivers.daq.session import Session, close_tasks
from drivers.errors import DriverError

PATIENCE = 2.0  # s without a sign of life after which the watchdog is no longer reset
SHARE = 4  # resets within one time-out of the watchdog
TIMEOUT = 1.0  # s for one write


class GuardedLines:
    """`lines`: name -> terminal, all of `device` and all low at first; `timeout`: the watchdog's (s). See `drivers.daq.digital_lines`."""

    def __init__(self, device: str, lines: Mapping[str, str], timeout: float, address: str | None) -> None:
        self.falls_within = timeout + PATIENCE
        self._terminals, self._timeout = dict(lines), timeout
        self._session = Session(address, ", ".join(lines.values()))
        self._lines = Lines(self._session, lines, {}, TIMEOUT)
        self._watchdog = Watchdog(self._session, device)
        self._end = threading.Event()
        self._alive = host_clock.now()
        self._thread = threading.Thread(target=self._keep, daemon=True, name="watchdog")

    def open(self) -> None:
        """Reserve, all lines low, and start the watchdog. Raises DriverError; then nothing is held."""
        try:
            with self._session.explained(f"guarding {', '.join(self._terminals.values())} at {self._session.where}"):
                self._session.devices()
                self._watchdog.reserve(self._timeout, dict.fromkeys(self._terminals.values(), False))
                self._lines.open()
                self._lines.write(dict.fromkeys(self._terminals, False))
                self._watchdog.start()
        except DriverError:
            self.close()
            raise
        self.alive()  # opening may have taken long
        self._thread.start()

    def alive(self) -> None:
        """A sign of life of the session."""
        self._alive = host_clock.now()

    def write_lines(self, states: Mapping[str, bool]) -> None:
        """Set the named lines. Raises DriverError."""
        self._lines.write(states)

    def close(self) -> list[str]:
        """Lines low, everything given back; returns what went wrong, in words."""
        complaints = []
        if self._thread.is_alive():
            try:
                self._lines.write(dict.fromkeys(self._terminals, False))
            except Exception as error:  # whatever it is, the rest is given back
                complaints.append(str(error) if isinstance(error, DriverError) else f"{type(error).__name__}: {error}")
        self._end.set()
        with contextlib.suppress(RuntimeError):  # never started
            self._thread.join()
        complaints += [text for tasks in (self._lines.tasks, self._watchdog.tasks) for text in close_tasks(tasks)]
        self._session.close()
        return complaints

    def _keep(self) -> None:
        while not self._end.wait(self._timeout / SHARE):
            if host_clock.now() - self._alive >= PATIENCE:
                continue  # it may speak again before the watchdog has expired
            try:
                self._watchdog.reset()
            except DriverError:  # the device is gone, and with it the line; the next write says so
                return
