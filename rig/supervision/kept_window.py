"""The window of a run, which may stay when the run is over."""

from __future__ import annotations

import contextlib

from rig.host import clock
from rig.streaming.heartbeat_table import beating
from rig.supervision.process_group import ProcessGroup

DISPLAY = "display"
LIFE_EVERY = 0.2  # s between two signs of life


class KeptWindow:
    """`keep`: it is not ended with the run; `close` ends its waiting."""

    def __init__(self, group: ProcessGroup, keep: bool) -> None:
        self._group, self._keep, self._closing = group, keep, False

    @property
    def stays(self) -> bool:
        """Whether there is a window that is to be kept, and that nobody has closed."""
        return self._keep and DISPLAY in self._group and DISPLAY not in self._group.gone and self._group[DISPLAY].exit is None

    def close(self) -> None:
        """Do not wait for it any longer. Safe to call from a signal handler."""
        self._closing = True

    def signs_of_life(self) -> contextlib.AbstractContextManager[None]:
        """While something takes long: a window that stays takes a supervisor without them for one that hangs."""
        # Else nobody looks, and the board is closed.
        return beating(self._group.beat, LIFE_EVERY) if self.stays else contextlib.nullcontext()

    def rest(self, patience: float) -> None:
        """It lets the rings go, and tells what drawing took; waited for at most `patience` s."""
        self._group.tell(DISPLAY, "rest")
        child, deadline = self._group[DISPLAY], clock.now() + patience
        while child.figures is None and child.exit is None and clock.now() < deadline:
            self._group.listen()

    def wait(self, patience: float) -> str:
        """Until it is closed, or hangs, or `close` is called. Returns in words that it did not answer; empty: it did."""
        said = ""
        while self._group[DISPLAY].exit is None and not self._closing:
            self._group.listen()
            for process, child in self._group.newly_dead():
                said = child.last_words() if process.name == DISPLAY and child.failure else said
        self._group.tell(DISPLAY, "finish")
        self._group.wait_for(DISPLAY, clock.now() + patience)
        self._group.end(DISPLAY, 0.5)
        self._group.board.close()
        return said
