"""What is written to an Instron-class controller: bursts with a pause between them, settings that are read back, states that are waited
for."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from drivers import host_clock
from drivers.clock import WALL, Clock
from drivers.errors import NoReply, Refused
from drivers.loaders.instron_reading import AGAIN, Readings
from drivers.protocols import instron_ascii as ascii_
from drivers.serial.serial_line import SerialLine


class Commands:
    """`pause`: s between two bursts; `settle`: longest wait (s) for the controller to follow."""

    def __init__(self, line: SerialLine, readings: Readings, pause: float, settle: float) -> None:
        self.where = line.where
        self.settle = settle
        self._line, self._readings, self._pause = line, readings, pause
        self.clock: Clock = WALL
        self._spoke = -math.inf

    def hurry(self) -> None:
        """The next burst goes without a pause."""
        self._spoke = -math.inf

    def write(self, *commands: str) -> None:
        """One burst; nothing answers it."""
        if (rest := self._spoke + self._pause - host_clock.now()) > 0.0:
            time.sleep(rest)
        self._line.send(ascii_.burst(*commands))
        self._spoke = host_clock.now()

    def keep(self, *settings: tuple[str, str]) -> None:
        """Write settings ("203,2", "0.04") and read them back before anything goes by them: a write has neither answer nor checksum, and a
        spoilt byte would be another load. Raises Refused."""
        for _ in range(AGAIN):
            for name, value in settings:  # the generator of some does not stand several in one burst
                self.write(f"C{name},{value}")
            if not (wrong := self._readings.unlike(settings)):
                return
        raise Refused(f"{self.where}: {wrong}, {AGAIN} times in a row; look at the line and the panel")

    def wait(self, true: Callable[[], bool], otherwise: str) -> None:
        """Until it is true. Raises NoReply, saying `otherwise`, where it does not come within `settle`."""
        if not self.follows(true):
            raise NoReply(f"{self.where}: {self.settle:g} s after it was told: {otherwise}")

    def follows(self, true: Callable[[], bool]) -> bool:
        """Whether it comes true within `settle`."""
        deadline = self.clock.now() + self.settle
        while not true():
            if self.clock.now() > deadline:
                return False
            self.clock.sleep(self._pause)
        return True
