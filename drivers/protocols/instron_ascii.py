"""Lines of Instron 8500/8800-class controllers, for both ends. Nothing here reads or writes a port.

A line ends with CR LF. `Q...` asks and is answered by one line; `C...` and `P...` write and are not answered. Every write goes out in one
burst: computer control, watchdog off, the commands, control back to the panel. Values of a channel are shares of its full scale (`Q308`).
Sources: Instron 8500 Plus and 8800 computer interface manuals; field experience in ISIS' public stream protocol for these controllers
(ISISComputingGroup/EPICS-instron, devinstron.proto), the sequence and the names of states in controls_waveform.db beside it, and the codes
of the event's actions in their device emulator (EPICS-DeviceEmulator, instron_stress_rig).
"""

from __future__ import annotations

import math

from drivers.errors import BadReply
from drivers.protocols.plain_number import plain_number

END = b"\r\n"
LONGEST = 80
"""Characters of a line."""
POSITION, LOAD, STRAIN = 1, 2, 3
COMPUTER, WATCHDOG_OFF, PANEL = "P909,1", "C904,0", "P909,0"
STOPPED, RUNNING, HOLDING, FINISHING, ABORTED, DISABLED, SLAVED, SLAVE_LOCKED, SWEEPING, DWELLING = range(10)
"""States of the waveform generator (`Q200`)."""
STATES = ("stopped", "running", "holding", "finishing", "aborted", "disabled", "slaved", "slave locked", "sweeping", "dwelling")
AT_REST = (STOPPED, ABORTED, DISABLED)
"""States in which the generator asks nothing of the loop; in all others it moves, or may move on at any moment."""
SHAPES = {"sine": 0, "triangle": 1, "square": 2, "haversine": 3, "havertriangle": 4, "haversquare": 5, "sawtooth": 8}
STOP, START, HOLD, CONTINUE = range(4)
"""Of a ramp (`C1`)."""
ABSOLUTE_RAMP = 3
"""Type of a ramp (`C2`)."""
WAVE_ABORT, WAVE_START, WAVE_FINISH = 0, 1, 4
"""Of the waveform (`C200`)."""
OFF, ARM, TRIPPED = 0, 2, 4
"""Of the quarter-cycle event (`C212`): off and armed are written, tripped is read."""
NOTHING, ACTUATOR_OFF, END_STOP, END_HOLD = range(4)
"""What the event does when its count is reached (`C213`)."""
ENDS = {"hold": END_HOLD, "stop": END_STOP}
"""The two of them that end a waveform."""
LOG_NOTHING = 0
"""What the event does to the controller's own log (`C214`)."""


def burst(*commands: str) -> bytes:
    """Commands that write, with what has to stand before and behind them."""
    return b"".join(line.encode("ascii") + END for line in (COMPUTER, WATCHDOG_OFF, *commands, PANEL))


def question(command: str) -> bytes:
    """A command that reads."""
    return command.encode("ascii") + END


def parse_answer(data: bytes) -> str | None:
    """The first line, None while it is incomplete. Raises BadReply."""
    line, end, _ = data.partition(b"\n")
    if len(line) > LONGEST:
        raise BadReply("that is no answer of such a controller")
    if not end:
        return None
    try:
        return line.decode("ascii").strip()
    except UnicodeDecodeError:
        raise BadReply("an answer that is not ASCII") from None


def number(answer: str, asked: str) -> float:
    """The number that answers `asked`, alone or behind that very question. Raises BadReply: what stands behind any other comma may be
    the decimals of a program that is no such controller, or of another question's answer."""
    try:
        value = plain_number(answer.removeprefix(f"{asked},"))
    except ValueError:
        raise BadReply(f"expected a number, got {answer!r}") from None
    if not math.isfinite(value):
        raise BadReply(f"expected a finite number, got {answer!r}")
    return value


def parse_command(line: bytes) -> tuple[str, tuple[float, ...]] | None:
    """What a controller reads: the command's name, as C203, and its numbers; None for anything else."""
    name, *rest = line.decode("ascii", "replace").strip().split(",")
    if len(name) < 2 or name[0] not in "QCP" or not name[1:].isascii() or not name[1:].isdigit():
        return None
    try:
        values = tuple(plain_number(part) for part in rest)
    except ValueError:
        return None
    return (name, values) if all(map(math.isfinite, values)) else None
