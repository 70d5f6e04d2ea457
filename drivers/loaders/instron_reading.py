"""What an Instron-class controller tells, as far as it can be trusted: its protocol has no checksum, and readings drop to zero now and
then.

So one bad answer is asked for again; what stays bad is told. Where no answer comes the question is asked once more, since such lines hang
now and then; a second silence is told.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable

from drivers.errors import BadReply, NoReply
from drivers.protocols import instron_ascii as ascii_
from drivers.serial.serial_line import SerialLine

BEYOND = 1.2
"""Share of full scale beyond which a reading is a bad one."""
AGAIN = 3
"""How often is asked, at the most."""


class Readings:
    """Questions on a line; `pause` is the time (s) before one is asked again."""

    def __init__(self, line: SerialLine, pause: float) -> None:
        self._line, self._pause = line, pause
        self._last: dict[str, float] = {}

    def text(self, command: str) -> str:
        """The answer as it came. Raises NoReply, BadReply."""
        return self._line.exchange(ascii_.question(command), ascii_.parse_answer)

    def number(self, command: str, fits: Callable[[float], bool] = lambda value: True, otherwise: str = "") -> float:
        """The number that is answered, for which `fits` holds; `otherwise` says what is wrong with another. Raises NoReply, BadReply."""
        wrong, silent = "", False
        for _ in range(AGAIN):
            try:
                value = ascii_.number(self.text(command), command)
            except NoReply:
                if silent:
                    raise
                silent = True
            except BadReply as error:
                wrong = str(error) if self._line.where in str(error) else f"{self._line.where}: asked {command}, {error}"
            else:
                if fits(value):
                    return value
                wrong = f"{self._line.where}: {otherwise.format(value)}"
            time.sleep(self._pause)
        raise BadReply(f"{wrong or f'{self._line.where}: asked {command}, no reply'}; {AGAIN} times in a row")

    def count(self, command: str, most: int) -> int:
        """A whole number from 0 to `most`."""
        expected = f"asked {command}, expected a whole number from 0 to {most}, got {{:g}}"
        return int(self.number(command, lambda value: 0 <= value <= most and value == int(value), expected))

    def unlike(self, settings: Iterable[tuple[str, str]]) -> str:
        """In words which of the settings ("203,2", "0.04") the controller has otherwise, up to the digits it tells; empty: none."""
        for name, value in settings:
            told = self.number(f"Q{name}")
            if not math.isclose(told, float(value), rel_tol=1e-4, abs_tol=1e-6):
                return f"C{name},{value} was written and Q{name} reads {told:g}"
        return ""

    def share(self, mode: str, channel: int) -> float:
        """What the channel of `mode` reads, as a share of full scale. What stays zero is zero."""
        beyond = f"its {mode} reads {{:g}} of full scale; look at the transducer's plug"
        for _ in range(AGAIN):
            value = self.number(f"Q134,{channel},0", lambda value: abs(value) <= BEYOND, beyond)
            if value != 0.0 or abs(self._last.get(mode, 0.0)) < 1e-3:
                break
            time.sleep(self._pause)
        self._last[mode] = value
        return value
