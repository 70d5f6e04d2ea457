"""What moves the specimen, as the bench worker sees it: a loader behind the command output, or the axes of a motor rig."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rig.streaming.ring import RingWriter
from rig.workers.bench.sample_times import SampleTimes
from rig.workers.bench.setpoints.setpoint import Setpoint

Block = NDArray[np.float64]
AxisFigures = dict[str, dict[str, float | None]]


class Session(Protocol):
    """What is done on a bench before a test: block by block, until `done`."""

    done: bool
    ready: bool
    """At rest, and the test can begin: blocks can still be taken until it is concluded."""
    behind: int
    """Blocks to be read in one call to come up with the device; 0 where it is not behind."""

    @property
    def largest(self) -> float | None:
        """Largest force that was applied, N; None where there is no force."""

    @property
    def sample(self) -> int:
        """Samples taken so far."""

    @property
    def duration(self) -> float:
        """s of it so far."""

    def begin(self) -> None:
        """Start it, the inputs with it."""

    def take(self, measured: Block) -> None:
        """One block, or several (k, channels). Raises BenchRefused; the caller trips what moves then."""

    def call_off(self) -> None:
        """Nobody wants the test any more: bring it to its end."""

    def conclude(self) -> None:
        """The test begins: `done`."""

    def refuse(self) -> None:
        """What moves has been tripped: go on for a little while."""


class Actuation(Protocol):
    """Order of the calls: `open`, `session`, `prepare`, `enable` one block after the start, then `attend` block by block; `release` at the
    end, at rest. `trip` and `abort` at any time.

    A block of the command is as `Setpoint.next` gives it: (k, columns), the value first.

    What is not said otherwise: all goes by the output, nothing moves by itself, and nothing of it has a clock of its own.
    """

    @property
    def ends_loaded(self) -> bool:
        """Whether the specimen may still carry load where the command ends."""

    @property
    def no_hold(self) -> str:
        """Why what moves the specimen cannot stand in the middle of a test and go on, in words; empty where it can."""
        return ""

    @property
    def hold_time(self) -> float | None:
        """s in which it comes to a stand, and goes on, where nobody can choose; None: as the experiment says."""
        return None

    def stands_from(self, sample: int) -> None:
        """The trajectory stands from this sample of the command on, which has not gone out."""
        return

    def goes_on_from(self, sample: int) -> None:
        """It goes on from there."""
        return

    @property
    def controlled(self) -> int | None:
        """Measured column that the value is a setpoint of; None: of no channel."""

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """(name, unit) of the columns that `append_axis_columns` adds to the command."""

    def open(self, rate: float) -> list[str]:
        """Reach what moves, nothing moves; samples come at `rate` (Hz). Returns what there is to be told. Raises DriverError."""

    def session(self, ring: RingWriter | None, block: int, note: Callable[[str], None]) -> Session | None:
        """What is to be done before the test, if anything, in blocks of `block` samples; ring: where it is recorded; note: its findings."""

    def prepare(self, feedback: Mapping[str, float], session: Session | None) -> float:
        """Ready to be enabled; returns the value that the command begins with.

        feedback: value of each channel before the test. session: what was done before, if anything.
        """

    def enable(self) -> None:
        """From now on it follows the command, which equals what it does already."""

    def append_axis_columns(self, block: Block) -> Block:
        """A block of the command with `columns` added to it."""
        return block

    def volts(self, block: Block) -> Block:
        """What a block of the command is on the analogue outputs, (k,) or (k, outputs)."""

    def stream(self, first: int, at: float, ahead: Block) -> None:
        """What goes out on other ways: `ahead` (k, columns) are the samples from `first` on, which is or was due at `at`
        (host_clock.now(), s)."""

    def take_feedback(self) -> Block | None:
        """Rows that came back on other ways since the last call; None where there is no such way."""
        return None

    def rest(self, setpoint: Setpoint, measured: Block, duration: float) -> None:
        """Bring the command to rest within `duration` s; measured (k, channels) is the last block."""

    def abort(self, present: float) -> float:
        """Take back what is filled ahead; returns the value that is really out there, `present` as it should be. `put` goes on from it."""

    def safe_value(self, held: float) -> float:
        """Where `held`, a value that is out there by hand, is to be brought."""

    def put(self, value: float) -> None:
        """One value, now, after `abort`."""

    def trip(self) -> None:
        """Into the safe state at once, whatever is filled ahead."""

    def rests(self) -> bool:
        """Whether what runs by itself has come to its end, now that the command has; as long as not, blocks are read and attended to."""
        return True

    def release(self) -> None:
        """End of a test, at rest."""

    def attend(self, more: bool = False) -> str | None:
        """Once a block: signs of life that are due; returns what speaks against going on, in words. `more`: the next block has been read,
        too, so that lines can be looked at with that one: a look takes a call, which a computer that is behind can do without."""

    def cause(self) -> str:
        """What has stopped a drive by itself, in words, before `attend` tells of it: its jerk may pass a limit first. Empty: nothing."""
        return ""

    def close(self) -> list[str]:
        """Let go of everything; returns what went wrong, in words."""
        return []

    def figures(self, times: SampleTimes) -> AxisFigures:
        """`clocks` of the result: per axis its skew and following error; `times`: of the samples of the test."""
        return {}
