"""Readings of an Instron-class controller as they can be trusted: the protocol has no checksum, and readings drop to zero for a moment."""

from __future__ import annotations

import time
from collections.abc import Callable

from drivers.errors import BadReply

BEYOND = 1.2
"""Share of full scale beyond which a reading is a bad one."""
AGAIN = 3
"""How often a bad reading, or one that dropped to zero, is asked for again."""


class Readings:
    """`ask` takes a question and returns its number; `pause` is the time (s) before it is asked again."""

    def __init__(self, where: str, ask: Callable[[str], float], pause: float) -> None:
        self._where, self._ask, self._pause = where, ask, pause
        self._last: dict[str, float] = {}

    def take(self, mode: str, channel: int) -> float:
        """What the channel of `mode` reads, as a share of full scale. Raises BadReply for what stays bad; what stays zero is zero."""
        wrong = ""
        for _ in range(AGAIN):
            try:
                value = self._ask(f"Q134,{channel},0")
            except BadReply as error:
                wrong = str(error)
                continue
            if abs(value) > BEYOND:
                wrong = f"{self._where}: its {mode} reads {value:g} of full scale; look at the transducer's plug"
            elif value != 0.0 or abs(self._last.get(mode, 0.0)) < 1e-3:
                self._last[mode] = value
                return value
            time.sleep(self._pause)
        if wrong:
            raise BadReply(f"{wrong}; {AGAIN} times in a row")
        self._last[mode] = 0.0
        return 0.0
