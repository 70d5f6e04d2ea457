"""Instruments beside the DAQ device, each on a line of its own: read at a pace of their own while a test runs, for the record.

With pace `real` a thread each, and a reading belongs to the sample that was taken when it was asked for and answered, half-way. In lockstep
they are read where they are due, block by block, while the time stands still.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from drivers.daq.contract import Daq
from drivers.errors import DriverError, NotConnected
from drivers.instruments.instrument import Instrument, OnALine, number
from drivers.serial.allowance import Allowance
from rig.config.bench import Instrument as Config
from rig.host import clock
from rig.workers.bench.endings import attempt
from rig.workers.bench.sample_times import SampleTimes
from rig.workers.bench.watchdog_feeding import while_alive, while_ending
from rig.workers.messages import InstrumentFigures

PATIENCE = 5.0  # s for a thread to come to its end: longer than any driver waits for its line

Rows = NDArray[np.float64]


class Instruments:
    """All of a bench. Rows are `columns`: the sample, a fraction of one too, and a column for each. A row is one reading, NaN for the
    other instruments."""

    def __init__(self, configs: Sequence[Config], daq: Daq, lockstep: bool) -> None:
        self._daq, self._lockstep = daq, lockstep
        self._polls = [Poll(config) for config in configs]
        self._next = [0.0 for _ in configs]  # samples at which they are due, in lockstep
        self._rate = 1.0

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Name and unit of each column; none where there is no instrument."""
        return (("sample", "1"), *((poll.config.name, poll.device.unit) for poll in self._polls)) if self._polls else ()

    @property
    def readings(self) -> float:
        """How many come in a second, of all together."""
        return sum(poll.config.rate for poll in self._polls)

    def open(self, rate: float) -> list[str]:
        """Reach each of them; what they say they are. `rate` of the samples, Hz. Raises DriverError."""
        self._rate = rate
        for poll in self._polls:
            while_alive(self._daq, poll.device.connect)
        return [f"{poll.config.name}: {while_alive(self._daq, poll.device.identity)}" for poll in self._polls]

    def start(self) -> None:
        """Readings count from here on."""
        if not self._lockstep:
            for poll in self._polls:
                poll.start()

    def take(self, times: SampleTimes, n: int) -> Rows:
        """Rows read since the last call; `n` samples have been taken, at `times`."""
        begin = times.instant(0)
        rows: list[tuple[float, ...]] = []
        for k, poll in enumerate(self._polls):
            if self._lockstep and n >= self._next[k]:
                self._next[k] = max((self._next[k] or n) + self._rate / poll.config.rate, n)  # at most one a block
                poll.look()
            for moment, value in poll.take():
                sample = float(n) if self._lockstep else (moment - (moment if begin is None else begin)) * self._rate
                if sample >= 0.0:
                    poll.keep(value)
                    rows.append((sample, *(value if i == k else np.nan for i in range(len(self._polls)))))
        return np.array(sorted(rows)).reshape(-1, 1 + len(self._polls))

    def take_notes(self) -> list[tuple[str, bool]]:
        """What is to be told of readings that did not come, or come again, and whether the test is to end for it, since the last call."""
        return [said for poll in self._polls for said in poll.take_notes()]

    def close(self) -> list[str]:
        """Let all of them go; returns what went wrong, in words."""
        complaints = []
        for poll in self._polls:
            poll.hurry()
        for poll in self._polls:
            while_ending(self._daq, poll.end)
            complaints += attempt(poll.config.name, partial(while_ending, self._daq, poll.device.close))
        return complaints

    def figures(self) -> dict[str, InstrumentFigures]:
        """Of each: unit, readings, how many failed, why it was given up (None: it was not), and their least, mean and largest (None where
        there was none)."""
        return {poll.config.name: poll.figures() for poll in self._polls}


class Poll:
    """One instrument, and the thread that reads it."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.device: Instrument = config.device.create(config.name)
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        self._read: deque[tuple[float, float]] = deque()
        self._said: deque[tuple[str, bool]] = deque()
        self._failing_since: float | None = None
        self._gave_up = ""
        self._count = self._failed = 0
        self._sum, self._least, self._most = 0.0, np.inf, -np.inf

    def start(self) -> None:
        """Read it again and again, until `end`."""
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"{self.config.name} line")
        self._thread.start()

    def hurry(self) -> None:
        """No more readings; the one that is waited for is not waited for long."""
        self._end.set()
        if isinstance(self.device, OnALine):
            self.device.line.limit(Allowance(0.0, "the last reading"))

    def end(self) -> None:
        """No more readings; returns when there are none, or its driver does not come back."""
        self._end.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def look(self) -> None:
        """One reading. What did not come is told once, and once more when readings come again; after a fault of the driver none comes."""
        if self._gave_up:
            return
        begun = clock.now()
        try:
            value = number(self.device.read(), self._where, self.device.unit)
        except DriverError as error:
            self._did_not_come(str(error), begun)
            if isinstance(error, NotConnected):
                with contextlib.suppress(DriverError):  # a cable that was pulled; the next reading tells
                    self._again()
            return
        except Exception as error:  # whatever it is, the test and the other instruments are not to end for it unheard
            self._gave_up = f"{type(error).__name__}: {error}"
            self._failing_since = None
            self._did_not_come(f"{self.config.name}: given up, {self._gave_up}; this is a fault of its driver, report it", begun)
            return
        now = clock.now()
        if self._failing_since is not None:
            self._said.append((f"{self.config.name}: read again after {now - self._failing_since:.1f} s", False))
            self._failing_since = None
        self._read.append((0.5 * (begun + now), value))

    def keep(self, value: float) -> None:
        """A reading is one of the test's: figures are of these, as the record is."""
        self._count += 1
        self._sum, self._least, self._most = self._sum + value, min(self._least, value), max(self._most, value)

    def take(self) -> list[tuple[float, float]]:
        """(host_clock.now() in s, value) since the last call."""
        return [self._read.popleft() for _ in range(len(self._read))]

    def take_notes(self) -> list[tuple[str, bool]]:
        """See `Instruments.take_notes`."""
        return [self._said.popleft() for _ in range(len(self._said))]

    def figures(self) -> InstrumentFigures:
        """See `Instruments.figures`."""
        least, mean, most = (self._least, self._sum / self._count, self._most) if self._count else (None, None, None)
        return {
            "unit": self.device.unit, "readings": self._count, "failed": self._failed, "gave_up": self._gave_up or None,
            "least": least, "mean": mean, "most": most,
        }  # fmt: skip

    @property
    def _where(self) -> str:
        """Its name, and its port where it has a line."""
        return self.device.line.where if isinstance(self.device, OnALine) else self.config.name

    def _did_not_come(self, text: str, begun: float) -> None:
        self._failed += 1
        if self._failing_since is None:
            self._failing_since = begun
            self._said.append((text, self.config.on_failure == "stop"))

    def _again(self) -> None:
        self.device.close()
        self.device.connect()

    def _run(self) -> None:
        interval, due = 1.0 / self.config.rate, clock.now()
        while not self._gave_up:
            if self._end.wait(max(0.0, due - clock.now())):
                return
            self.look()
            due = max(due + interval, clock.now() - interval)
