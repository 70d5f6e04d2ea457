"""One axis on a serial line, while a test runs: a thread of its own sends the setpoints that are due and asks where the axis is.

The line takes milliseconds, so the setpoint is that of the sample at which it arrives and half an exchange later, and what comes back
is stamped with the sample at which the drive was asked. A drive that smooths what it takes gets the positions from which its filter
makes those that are wanted. With pace `real` the thread goes at its own rate with the newest setpoints that
it was given; in lockstep the bench waits for one exchange a block, in which no time passes.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from drivers.axes.axis import Feedback, MovesItself
from drivers.clock import WALL, Clock
from drivers.errors import BadReply, DriverError, NoReply, Refused
from rig.host import clock
from rig.workers.bench.actuation.lockstep_turns import LockstepTurns

Floats = NDArray[np.float64]
ASK_EVERY = 0.02  # s between two questions whether it has arrived
WITHIN = 2e-3  # rad between where an axis stands and where the test begins
SILENT = 3.0  # s without an exchange after which the line counts as lost, at least; every driver gives up a reply much sooner
BRAKING = 4.0  # s that a drive is kept company in its quick stop
PATIENCE = 5.0  # s for a thread to come to its end, or in lockstep for one exchange: longer than any driver waits for its line


@dataclass(frozen=True)
class Job:
    """Setpoints (k,), their rates (k,) and the rates of these (k,) of the samples from `first` on, which is or was due at `at`
    (host_clock.now(), s)."""

    first: int
    at: float
    setpoint: Floats
    rate: Floats
    acceleration: Floats


@dataclass(frozen=True)
class Told:
    """One exchange: the sample (a fraction of one, too) that it belongs to, the setpoint there, and what the axis said; NaN: nothing.
    `trip`: s from the question to the answer, half of which the sample is off at the most; `moment`: host_clock.now(), s."""

    sample: float
    setpoint: float
    position: float
    velocity: float
    torque: float
    trip: float = 0.0
    moment: float = math.nan


class Driven(Protocol):
    """What is asked of it: a drive, or a loader whose controller runs a waveform. See `drivers.axes.axis.Positioner`."""

    name: str

    @property
    def stops_within(self) -> float: ...
    @property
    def smoothing(self) -> float: ...
    def wait_by(self, clock: Clock) -> None: ...
    def enable(self) -> None: ...
    def command(self, value: float, /, rate: float = 0.0) -> Feedback | None: ...
    def feedback(self) -> Feedback: ...
    def quick_stop(self) -> None: ...


class SerialAxis:
    """`ready`: it stands where the test begins; `failed` says why it was given up. `interval`: s between two exchanges; `rate`: of the
    sample clock, Hz; `unit`: of its position; `within`: how far from where the test begins it may stand; `rest`: speed that counts as none
    after a quick stop, None where nobody need wait for that, as its power is gone."""

    def __init__(
        self, driver: Driven, mode: str, interval: float, rate: float, lockstep: bool, unit: str = "rad", within: float = WITHIN,
        rest: float | None = None,
    ) -> None:  # fmt: skip
        self.driver, self.mode, self.unit, self._within, self._rest = driver, mode, unit, within, rest
        self._interval, self._rate, self._lockstep = interval, rate, lockstep
        self._jobs = threading.Condition()
        self._job: Job | None = None
        self._begin: Job | None = None  # what is held before the test, whose samples are not the test's
        self._waiting = False  # in lockstep: a job that nobody has done
        self._end = self._quick_stop = False
        self._turns = LockstepTurns(rate) if lockstep else None
        self._clock: Clock = WALL if self._turns is None else self._turns
        if self._turns is not None:
            driver.wait_by(self._turns)
        self._took = 0.0  # s of the last exchange
        self._heard = math.inf  # host_clock.now() of its end
        self._told: deque[Told] = deque()
        self.ran_dry = 0.0
        """The longest (s) that it had to make do with the last setpoint of its job, while that was to move on."""
        self._thread: threading.Thread | None = None
        self.failed = ""
        self.ready = False

    @property
    def name(self) -> str:
        """The drive's name in the mechanism."""
        return self.driver.name

    def start(self, setpoint: float) -> None:
        """Power on, a move to `setpoint` where it is commanded by position, and rest there until jobs come. See `ready` and `failed`."""
        self._job = self._begin = Job(0, clock.now(), np.array([setpoint]), np.zeros(1), np.zeros(1))
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"{self.name} line")
        self._thread.start()

    def hand(self, job: Job) -> None:
        """The newest setpoints."""
        with self._jobs:
            self._job, self._waiting = job, True
            self._jobs.notify_all()

    def wait(self) -> None:
        """In lockstep: until the last job is done, or never will be."""
        with self._jobs:
            self._jobs.wait_for(lambda: not self._waiting or bool(self.failed) or self._quick_stop or self._end, PATIENCE)

    def tick(self, sample: int) -> None:
        """In lockstep, before the test: the bench is at `sample`. Returns when the thread has done what is due there."""
        if self._turns is None:
            return
        if self.ready:
            self.hand(Job(-1, 0.0, np.array([math.nan]), np.zeros(1), np.zeros(1)))
            self.wait()
        else:
            self._turns.tick(sample)

    def take(self) -> list[Told]:
        """What has been told since the last call."""
        return [self._told.popleft() for _ in range(len(self._told))]

    def lost(self, now: float) -> str:
        """In words that nothing has been exchanged for too long at `now` (host_clock.now()); empty as long as something is."""
        silent = now - self._heard
        if self._lockstep or self._end or self._quick_stop or silent <= max(SILENT, self.driver.stops_within):
            return ""
        return f"{self.name}: nothing was exchanged with its drive for {silent:.1f} s; look at the line, and at what else this machine does"

    def stop_quickly(self) -> None:
        """Ask the thread for a quick stop; returns at once."""
        self._release()
        with self._jobs:
            self._quick_stop = True
            self._jobs.notify_all()

    def end(self) -> None:
        """Let the thread come to its end; the drive still holds."""
        self._release()
        with self._jobs:
            self._end = True
            self._jobs.notify_all()
        if self._thread is not None:
            self._thread.join(PATIENCE + BRAKING)

    # -- the thread ----------------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        with self._told_of_failure():
            self._power()
            due = clock.now()
            while (job := self._next(due)) is not None:
                self._exchange(job)
                due = max(due + self._interval, clock.now() - self._interval)
        if self._quick_stop or self.failed:  # a setpoint that was refused, for one, leaves the drive at the one before
            with self._told_of_failure():
                self.driver.quick_stop()
                self._see_it_rest()

    def _power(self) -> None:
        """Until it stands where its first job is."""
        assert self._job is not None
        begin = float(self._job.setpoint[0])
        self._clock.sleep(0.0)  # in lockstep its turn begins with the bench's first block
        self.driver.enable()
        if self.mode == "position":
            assert isinstance(self.driver, MovesItself)
            self.driver.move_to(begin)
            while not (self._quick_stop or self._end or self.driver.arrived()):
                self.driver.feedback()  # a sign of life, which the question is not for every drive
                self._clock.sleep(ASK_EVERY)
            found = self.driver.feedback().position
            if found is not None and abs(found - begin) > self._within and not (self._quick_stop or self._end):
                at, unit = f"{self.name}: said to have arrived it is at {found:.5g}", self.unit
                raise Refused(f"{at} {unit}, not at {begin:.5g} {unit} where the test begins")
        self.ready = True
        self._release()

    def _release(self) -> None:
        """The bench waits for it by jobs now, or not at all."""
        if self._turns is not None:
            self._turns.release()

    def _see_it_rest(self) -> None:
        """Signs of life while it brakes: a drive that hears nothing takes its program for dead and lets go, and the shaft coasts."""
        deadline, speed = clock.now() + BRAKING, math.inf
        while self._rest is not None and not (self._lockstep and self._end):  # in lockstep time stands at the end, and so does its braking
            with contextlib.suppress(BadReply, NoReply):  # noise, for which it may have been stopped: the question itself is heard
                speed = self.driver.feedback().velocity
            if abs(speed) <= self._rest:
                return
            if clock.now() > deadline:
                turns = f"it still turns at {speed:.3g} {self.unit}/s" if math.isfinite(speed) else "nobody knows whether it still turns"
                after = f"{self.name}: {BRAKING:g} s after its quick stop {turns}"
                self._give_up(f"{after}; its power goes now: wait until it has come to rest")
                return
            time.sleep(ASK_EVERY)

    @contextlib.contextmanager
    def _told_of_failure(self) -> Iterator[None]:
        try:
            yield
        except DriverError as error:
            if not (self._quick_stop and isinstance(error, Refused)):  # without power, which it has lost by now, a drive refuses
                self._give_up(str(error))
        except Exception as error:  # a thread that ends for whatever reason must not end unheard: nobody would stop the axis
            self._give_up(f"{self.name}: its thread has ended, {type(error).__name__}: {error}; this is a fault of the program, report it")

    def _give_up(self, why: str) -> None:
        with self._jobs:
            self.failed = f"{self.failed}; {why}" if self.failed else why
            self._jobs.notify_all()
        self._release()

    def _next(self, due: float) -> Job | None:
        """The job to do when it is time; None: no more."""
        with self._jobs:
            over = self._jobs.wait_for(self._called, self._interval) if self._lockstep else False
            while not (self._lockstep or self._called()) and (rest := due - clock.now()) > 0.0:
                self._jobs.wait(rest)
            if self._end or self._quick_stop:
                return None
            if self._lockstep and not over:
                # Nothing to send; a sign of life, as time may go on elsewhere.
                return Job(-1, 0.0, np.array([math.nan]), np.zeros(1), np.zeros(1))
            return self._job

    def _called(self) -> bool:
        return self._end or self._quick_stop or (self._lockstep and self._waiting)

    def _exchange(self, job: Job) -> None:
        """One setpoint, one answer."""
        if job.first < 0:
            self.driver.feedback()
            self._done(job)
            return
        begun = clock.now()
        k = self._index(job, begun + self._took + 0.5 * self._interval)
        if self.mode == "velocity":
            found = self.driver.command(float(job.rate[k]))
        else:
            found = self.driver.command(float(job.setpoint[k]) + self._lead(float(job.acceleration[k])), float(job.rate[k]))
        answered = clock.now()
        if found is None:
            found = self.driver.feedback()
            arrived, span = answered, (answered, clock.now())
        else:  # one exchange for both
            arrived, span = 0.5 * (begun + answered), (begun, answered)
        self._took, self._heard = 0.5 * self._took + 0.5 * (arrived - begun), clock.now()
        if job is not self._begin:
            sent, came = span if found.span is None else found.span
            moment = 0.5 * (sent + came)
            sample = self._sample(job, moment)
            at = float(np.interp(sample - job.first, np.arange(len(job.setpoint)), job.setpoint))
            self._told.append(Told(sample, at, _number(found.position), found.velocity, _number(found.torque), came - sent, moment))
        self._done(job)

    def _done(self, job: Job) -> None:
        with self._jobs:
            if self._job is job:
                self._waiting = False
            self._jobs.notify_all()

    def _lead(self, acceleration: float) -> float:
        """What the drive's filter needs on top: it makes y'' = b^2 (u - y) + 2 b (u' - y') of u, and u' is given by itself."""
        return acceleration / self.driver.smoothing**2 if self.driver.smoothing else 0.0

    def _sample(self, job: Job, moment: float) -> float:
        """Sample at a moment; in lockstep the clock stands."""
        return float(job.first) if self._lockstep else job.first + max(0.0, moment - job.at) * self._rate

    def _index(self, job: Job, moment: float) -> int:
        ahead, last = 0.5 * self._interval * self._rate if self._lockstep else self._sample(job, moment) - job.first, len(job.setpoint) - 1
        if job.rate[last] and not self._lockstep:
            self.ran_dry = max(self.ran_dry, (ahead - last) / self._rate)
        return min(max(round(ahead), 0), last)


def _number(value: float | None) -> float:
    return math.nan if value is None else value
