"""Which program is told of what, and when: a few programs at once, each in a thread of its own; how each ended is said in words."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from rig.host import clock
from rig.notification import program
from rig.notification.notice import Notice, environment, for_input
from rig.notification.pacing import Pacing
from rig.notification.program import Ending
from rig.notification.settings import Notifier

MOST = 8
"""Programs at once, of all notifiers; what comes beyond waits, and is counted together. The end of a test waits for none of them."""
Say = Callable[[str, bool], None]


class Sending:
    """say(text, ok): how a program went, from any thread."""

    def __init__(self, notifiers: Sequence[Notifier], say: Say) -> None:
        self._of = [(notifier, Pacing(notifier.every)) for notifier in notifiers]
        self._say = say
        self._threads: list[threading.Thread] = []

    def note(self, notice: Notice) -> None:
        """To whom it may concern, in its time: see `step`."""
        for notifier, pacing in self._of:
            if notice.notice in notifier.on:
                pacing.note(notice)

    def step(self) -> float:
        """Start what is due; returns for how many s there is nothing to do, as far as is known."""
        for notifier, pacing in self._of:
            if self._free > 0:
                for notice in pacing.due(clock.now()):
                    self._start(notifier, notice)
        return min((pacing.next_at for _, pacing in self._of)) - clock.now()

    def at_once(self, notices: Sequence[Notice]) -> None:
        """The first of the notices that a notifier listens to, whatever else is under way. What has waited until now is not sent any more,
        and said to be left out."""
        for notifier, pacing in self._of:
            for left in pacing.rest():
                self._say(f"{notifier.called}: {left.count} x {left.notice} not told of, the test has ended", True)
            chosen = next((notice for notice in notices if notice.notice in notifier.on), None)
            if chosen is not None:
                self._start(notifier, chosen)

    def wait(self) -> None:
        """Until all programs have ended: their own time limits bound that."""
        for thread in self._threads:
            thread.join()

    @property
    def _free(self) -> int:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        return MOST - len(self._threads)

    def _start(self, notifier: Notifier, notice: Notice) -> None:
        thread = threading.Thread(target=self._run, args=(notifier, notice), name=notifier.called, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _run(self, notifier: Notifier, notice: Notice) -> None:
        ending = told(notifier, notice)
        what = notice.notice if notice.count == 1 else f"{notice.count} x {notice.notice}"
        self._say(f"{notifier.called}: told of {what}: {ending.words}", ending.ok)


def told(notifier: Notifier, notice: Notice) -> Ending:
    """Run the program of a notifier with one notice."""
    return program.run(notifier.program, for_input(notice, notifier.input), environment(notice), notifier.time_limit)
