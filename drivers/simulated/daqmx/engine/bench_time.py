"""Time on a bench: kept up with the clock by a thread, or moved by whoever waits, under the one lock."""

from __future__ import annotations

import contextlib
import threading
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from drivers import host_clock
from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from drivers.simulated.daqmx.core.edges import TimeSlice
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.subsystems.task_type import TaskType
from drivers.simulated.plant.plant import Plant
from drivers.simulated.signals.played import Played, PlayedEdges

PACER_PERIOD = 0.005
BEHIND = 0.010
"""How far (s) the devices may be behind the clock before the pacer brings them up: who waits for samples or events does so himself in time,
and each time costs as much as several milliseconds of a plant."""
SOON = 1e-3
"""How old (s) the devices may be for somebody beside the calls: firmware of drives and controllers looks at things once a millisecond."""
LET_IN = 2e-5
LONGEST_PAUSE = 0.5
"""Longest sleep (s) of a waiting call before it looks whether its caller is still there; where more than MANY wait, in proportion more."""
MANY = 50
AT_A_TIME = 0.05
"""Longest (s, by the clock on the wall) that one call works at the passing of time before others are let in: a bench that has more to do
than it can falls behind the clock, and answers everybody all the same."""


def _always() -> bool:
    return True


@dataclass(frozen=True)
class Patience:
    """End of a wait: in bench time where the waiting call moves time itself (lockstep), else in wall time; and whether anybody waits."""

    bench: float
    wall: float
    alive: Callable[[], bool]


class BenchTime(Bench):
    """`fault`: what has stopped the bench, None while it goes on. `asleep`: how many calls sleep until something happens.

    `load`: edges of signals in a second, as the last slice of time had them.
    """

    load: float

    def __init__(
        self, entries: Mapping[str, DeviceEntry], wiring: Mapping[str, str], plant: Plant, clock: BenchClock, at_once: bool,
        signals: Mapping[str, Played | PlayedEdges],
    ) -> None:  # fmt: skip
        super().__init__(entries, wiring, plant, clock, at_once, signals)
        self.changed = threading.Condition(self.lock)
        self.fault: Exception | None = None
        self._pacer: threading.Thread | None = None
        self.asleep = 0
        self._stopping = threading.Event()

    @abstractmethod
    def _advance(self, to: float, exact: bool, until: float) -> None:
        """Work out what happens up to bench time `to`; only a part of it where `until` (host_clock.now) is past, or the bench is closed."""

    @abstractmethod
    def task_type(self, task: Task) -> TaskType:
        """The type of a task, by its channels."""

    @abstractmethod
    def followed(self) -> bool:
        """Whether somebody who runs goes by signals."""

    @abstractmethod
    def settle(self) -> None:
        """Runs that have ended give up their clocks."""

    @abstractmethod
    def look_at_watchdogs(self, piece: TimeSlice) -> None:
        """Watchdogs expire by edges that have come in a piece of time."""

    # -- life ----------------------------------------------------------------------------------------------------------------------

    def start_pacer(self) -> None:
        """Start the clock and, with pace `real`, the thread that keeps the devices up with it."""
        self.clock.start()
        if not self.clock.lockstep and self._pacer is None:
            self._pacer = threading.Thread(target=self._pace, name="bench pacer", daemon=True)
            self._pacer.start()

    def give_up(self) -> None:
        """The bench is about to be closed: every wait ends, and work that was begun does not go on. Takes no lock."""
        self._stopping.set()

    def stop_pacer(self) -> None:
        """End the thread, and every wait."""
        self.give_up()
        if self._pacer is not None:
            self._pacer.join()

    @property
    def closing(self) -> bool:
        """True once the engine is being closed."""
        return self._stopping.is_set()

    def _pace(self) -> None:
        rest = PACER_PERIOD
        while not self._stopping.wait(rest):
            begun = host_clock.now()
            if (now := self.clock.now()) < self.time + BEHIND:  # whoever called has brought it up
                continue
            self.bring_up(now)
            if self.fault is not None:
                return
            took = host_clock.now() - begun
            rest = took if took > AT_A_TIME else PACER_PERIOD  # a bench with too much to do leaves time for its clients

    # -- passing -------------------------------------------------------------------------------------------------------------------

    def update(self, exact: bool = False) -> None:
        """Bring the devices up with the clock; `exact`: to this very instant, not just to the last sample before it.

        A bench that is too far behind for one call comes nearer by this one, and up with the clock by the next ones.
        """
        if not self.clock.lockstep:
            self.advance(self.clock.now(), exact, AT_A_TIME)

    def bring_up(self, to: float) -> None:
        """Bring the devices to bench time `to` (s), for somebody beside the calls, who does not hold the lock; what fails is kept as the
        fault. Nobody moves lockstep time so."""
        if self.clock.lockstep or to < self.time + SOON:
            return
        with self.lock:
            if self.fault is None:
                with contextlib.suppress(Exception):
                    # Kept as the fault: told to whoever calls next, and to the host process.
                    self.advance(to, most=AT_A_TIME)

    def advance(self, to: float, exact: bool = False, most: float = np.inf) -> None:
        """Bring the devices to bench time `to` (s); earlier times change nothing. Not all the way where it takes more than `most` (s).

        What the plant raises is kept as `fault`: the bench stands still from then on, and every further call raises RuntimeError.
        """
        self.need_whole()
        try:
            self._advance(to, exact, host_clock.now() + most)
        except Exception as error:
            self.fault = error
            self.changed.notify_all()
            raise

    def need_whole(self) -> None:
        """Raise RuntimeError once the bench has failed."""
        if self.fault is not None:
            raise RuntimeError(f"the bench has failed: {self.fault}") from self.fault

    def patience(self, timeout: float, alive: Callable[[], bool] = _always) -> Patience:
        """How long a call that begins now will wait; a time-out (s) below 0 means for ever."""
        limit = np.inf if timeout < 0 else timeout
        return Patience(self.time + limit, host_clock.now() + limit, alive)

    def wait(self, ready: Callable[[], bool], due: Callable[[], float | None], patience: Patience) -> bool:
        """Let time pass until `ready`; `due` says at which bench time that may be (None: nobody knows). False at the time-out.

        The lock is held by the caller, and given back while the caller sleeps.
        """
        self.need_whole()
        if ready():  # what is there already needs no look at the clock: a third of a short read's time
            return True
        while True:
            at = due()
            if self.clock.lockstep or at is None or at <= self.clock.now():
                self.update()
                if ready():
                    return True
                at = due()
            if self.closing:
                return False
            if self.clock.lockstep and at is not None and at >= self.time:
                before = self.time
                self.advance(min(at, patience.bench), most=AT_A_TIME)
                self.changed.notify_all()
                if ready() or (at > patience.bench and self.time >= patience.bench):
                    return ready()
                if self.time > before:
                    # Others are let in: what is waited for may be theirs to do.
                    self.changed.wait(LET_IN)
                    if patience.alive():
                        continue
                    return False
            left = patience.wall - host_clock.now()
            if not patience.alive() or self.closing:
                return False
            if left <= 0:
                self.update()  # what has come by now is told before the time-out is
                return ready()
            longest = LONGEST_PAUSE * max(1.0, self.asleep / MANY)
            pause = longest if at is None or self.clock.lockstep else max(0.0, at - self.clock.now()) + 2e-5
            self._sleep(min(left, pause, longest))

    def _sleep(self, pause: float) -> None:
        self.asleep += 1
        try:
            self.changed.wait(pause)
        finally:
            self.asleep -= 1

    def let_in(self, since: float) -> float:
        """Give the lock back for a moment where the caller has held it for long since `since` (host_clock.now): since when it holds it."""
        if host_clock.now() - since < AT_A_TIME:
            return since
        self.changed.wait(LET_IN)
        return host_clock.now()
