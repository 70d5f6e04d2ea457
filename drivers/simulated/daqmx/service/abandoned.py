"""Tasks of clients that are gone: cleared after a while, so that a server that runs for weeks keeps none of them.

What somebody else wants of such a task is given back at once, by the engine; this is for what nobody asks for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from drivers import host_clock
from drivers.simulated.daqmx.engine.engine import Engine

GRACE = 10.0
"""Time (s) after which a client is gone for good: a channel that was lost for a moment is connected again."""
EVERY = 2.0  # s


class Sweeper:
    """A thread that clears what clients have left behind; `gone` says whether a peer has no connection any more."""

    def __init__(self, engine: Engine, gone: Callable[[str], bool], grace: float = GRACE, every: float = EVERY) -> None:
        self._engine, self._gone, self._grace, self._every = engine, gone, grace, every
        self._since: dict[str, float] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="daqmx sweeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            self.sweep(host_clock.now())

    def sweep(self, now: float) -> None:
        """Clear the tasks of clients that have been gone for the grace; `now` in s."""
        with self._engine.lock:
            peers = {task.client for task in self._engine.tasks.values() if task.client}
        absent = {peer for peer in peers if self._gone(peer)}
        self._since = {peer: self._since.get(peer, now) for peer in absent}
        lost = {peer for peer, since in self._since.items() if now - since >= self._grace}
        with self._engine.lock:
            for task in [task for task in self._engine.tasks.values() if task.client in lost]:
                self._engine.note(task.name, "cleared: its client is gone")
                self._engine.clear(task)
