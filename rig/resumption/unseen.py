"""What a test can have done behind its last recorded sample: what its processes had read by then, and what a bench does without them."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import replace

from rig.config.plan import Plan
from rig.errors import RigError
from rig.recorder.sync import SYNC_EVERY
from rig.resumption.state_file import State, boot_id
from rig.resumption.whole_cycles import TURN, Place, place_in, uncertainty
from rig.streaming.ring import RingReader

UNSEEN = 0.1  # s that samples which were on their way to the record cover
CUT = 2.0 * SYNC_EVERY  # s that a power cut takes away from the record
KEPT = 1.0  # s that a state on the disk is old at the most
REPEATED = "repeated"

EndOf = Callable[[int], float]
"""Phase (rad) at which a cycle of the trajectory ends."""


class LeftRings:
    """The rings of command and measured that killed processes have left in memory, held open: they are removed when the next test begins.

    They have what was read from the device and had not come to the record.
    """

    def __init__(self, plan: Plan, state: State | None) -> None:
        self._first = plan.first_sample
        self._readers: list[RingReader] = []
        if state is None or state.boot != boot_id():
            return  # a file of that name would be of another start of the computer
        with contextlib.suppress(RigError, OSError):
            self._readers = [RingReader.open(plan.streams[name], 0.0) for name in ("command", "measured")]

    def place(self, end_of: EndOf) -> Place | None:
        """Where the test was at the last sample that was read; None where nothing is left of it, or no cycle was begun."""
        if len(self._readers) < 2:
            return None
        command, measured = self._readers
        names = [name for name in ("cycle", "phase", REPEATED) if name in command.names]
        first, rows = command.since(command.first_sample, [command.names.index(name) for name in names])
        end = min(command.head, measured.head) - first
        if end <= 0 or len(names) < 2:
            return None
        columns = dict(zip(names, rows[:end].T, strict=True))
        found = place_in(columns["cycle"], columns["phase"], columns.get(REPEATED), end, command.rate, end_of)
        return replace(found, sample=self._first + first + end - 1) if found.cycle is not None else None

    def close(self) -> None:
        for reader in self._readers:
            reader.close()
        self._readers = []


def runs_on(plan: Plan) -> float:
    """s behind the last sample that the program has read, until nothing more is commanded: what was filled ahead goes out, a reference or a
    speed stays as it is. The lines of a watchdog, and a drive's own time-out, end it before."""
    bench, command = plan.bench, plan.experiment.command
    guard = math.inf if bench.daq.watchdog is None else bench.daq.watchdog
    block = plan.experiment.acquisition.block
    times = [0.0]
    if bench.serial_loader is not None:
        times.append(bench.serial_loader.create(command.mode).stops_within)
    elif bench.loader is not None:
        times.append(min(command.ahead, guard))
    for axis in bench.axes:
        if axis.analog is not None:
            times.append(guard)
        elif axis.serial is not None and axis.mode == "velocity":
            own = axis.serial.timeout or math.inf
            times.append(min(own, guard) if axis.serial.enable_line else own)
    return block + max(one for one in times if math.isfinite(one))  # a drive that nothing would stop is refused before a test


def blind(plan: Plan, state: State | None) -> float:
    """s behind the last recorded sample in which the test may have gone on."""
    if state is not None and state.outcome:
        return 0.0  # it was ended, and all of it is recorded
    if plan.bench.pace == "lockstep":
        return plan.experiment.acquisition.block  # the device waits for the recorder
    cut = state is None or not state.boot or state.boot != boot_id()  # a system that does not tell may have been started anew
    return runs_on(plan) + (CUT if cut else UNSEEN)


def most_cycles(
    plan: Plan, state: State | None, places: tuple[Place, Place | None], period: float, end_of: EndOf, age: float = 0.0
) -> tuple[int, float]:
    """(cycles that can have been run at the most, s in which those that are not recorded were).

    places: where the record ends, and where what was read did (None: not known); period: of a cycle, s; age: of the state when the journal
    was written last, s.
    """
    recorded, read = places
    unseen = blind(plan, state)
    if unseen and read is not None:
        unseen = plan.experiment.acquisition.block if plan.bench.pace == "lockstep" else runs_on(plan)
        since = max(0.0, (read.sample - recorded.sample) / recorded.rate)
        return read.whole + uncertainty(read, period, unseen), since + unseen
    most = recorded.whole + uncertainty(recorded, period, unseen)
    if unseen and plan.bench.pace == "real" and state is not None and (kept := _kept(state, recorded.rate, end_of)) is not None:
        most = min(most, kept.whole + uncertainty(kept, period, max(KEPT, age) + runs_on(plan)))
    return most, unseen


def _kept(state: State, rate: float, end_of: EndOf) -> Place | None:
    """Where the test was by its state; None where that counts no cycle."""
    if state.cycle is None or state.cycle < 0 or state.sample is None:
        return None
    cycle = state.cycle - state.repeated
    left = (end_of(cycle) + state.repeated * TURN - state.phase) / TURN
    return Place(state.sample, cycle, min(max(left, 0.0), 1.0), rate, state.repeated)
