"""Worker that records: reads every recorded stream without leaving out a sample, into journal and HDF5 file.

The rings are opened as their writers make them; a stream that comes late, ends early or never comes holds nothing up.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from rig.config.plan import Plan
from rig.errors import StaleStream
from rig.host import clock
from rig.host.room import need_room
from rig.recorder.description import LOST, Event, Gap, StreamShape, describe
from rig.recorder.intake import Intake
from rig.recorder.parted_record import ALL
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.parts import Beginning
from rig.recorder.recording import Recording
from rig.recorder.rotation import Rotation
from rig.streaming import streams
from rig.streaming.processes import PROCESSES
from rig.streaming.ring import RingReader
from rig.workers.links import ABANDONED, ORPHANED, LongSteps
from rig.workers.messages import Command, Figures, Report, StreamFigures

PAUSE = {"real": 0.010, "lockstep": 0.001}  # s between two looks at the rings: a block, or as soon as the bench wants to go on
LOOK_FOR_RINGS_EVERY = 0.050  # s
KEEP_EVERY = 0.010  # s between two looks at what is due for the files where nothing new comes
QUIET = 1.0  # s without a new sample after which a stream that was not closed counts as ended
MOST = 8192  # samples taken from one ring at a time
AHEAD = 2**24
"""Bytes that there must be before anything is written: blocks from a ring, and HDF5's chunks of all channels at once."""
ROUNDS = 16  # reads of one ring before the others have their turn
SILENT = next(process.silent for process in PROCESSES if process.name == "recorder")
ENDINGS = ("finish", "stop", ORPHANED, ABANDONED)


class Reporting(Protocol):
    """What this worker says to the others."""

    def event(self, sample: int | None, kind: str, text: str) -> None: ...

    def progress(self, sample: int) -> None: ...

    def beat(self) -> None: ...


class Recorder:
    """The worker."""

    def __init__(self, plan: Plan, links: Reporting) -> None:
        self.done = False
        self._plan, self._links = plan, links
        self._pause = PAUSE[plan.bench.pace]
        chosen = plan.experiment.record.samples != "all"  # a test that keeps some cycles keeps no course of all of them beside
        self._waiting: dict[str, Path] = {name: plan.streams[name] for name in streams.RECORDED if not (chosen and name == "motion")}
        self._readers: dict[str, RingReader] = {}
        self._taken: dict[str, int] = {}
        self._recording: Recording | PartedRecording | Intake | None = None
        self._finishing = False
        self._broken = False  # a step failed: what it left behind cannot be completed
        self._closed = False
        self._looked = self._heard = self._kept = 0.0

    def setup(self) -> None:
        """Make journal and record. Raises RigError."""
        self._recording = _recording(self._plan)
        # While a disk stands still the rings hold what comes in; when they are full this process counts as one that hangs.
        self._writing = LongSteps(self._links.beat, self._plan.experiment.acquisition.ring - SILENT)

    def step(self) -> float:
        """Take what is new from every ring. Raises RigError when the disk does not take it, MemoryError while there is still enough for
        closing the files."""
        with self._writing:
            return self._step()

    def _step(self) -> float:
        assert self._recording is not None
        self._broken = True
        self._open_rings()
        self._broken = False
        if not self._finishing and self._nothing_new():
            return self._pause
        need_room(AHEAD)
        self._broken = True
        # What is predicted comes last: a pass that has seen a block has then seen all that was predicted before it.
        taken = sum([self._drain(name, self._readers[name]) for name in streams.RECORDED if name in self._readers])
        self._recording.keep()
        self._broken = False
        now = clock.now()
        if taken:
            self._heard = now
            self._show_progress()
        if self._finishing and not taken:
            waiting = [name for name in self._waiting if name in streams.AWAITED]
            ended = not waiting and all(reader.ended and reader.next == reader.head for reader in self._readers.values())
            self.done = ended or now - self._heard >= QUIET
        return self._pause

    def report(self) -> Report:
        """Samples and lost ranges per stream (`apart`: those with an index of their own), bytes recorded, age of the last flush in s."""
        assert self._recording is not None
        so_far = self._figures()
        of_test, apart = _sorted(so_far)
        return {
            "streams": of_test,
            "apart": apart,
            "lost_samples": sum(stream["lost_samples"] for stream in so_far.values()),
            "bytes": self._recording.size,
            "flush_age_s": self._recording.flush_age,
        }

    def command(self, verb: str, data: Command) -> None:
        """`event`: enter it; `finish`: end when everything is in."""
        if verb == "event" and data["source"] != "recorder":  # its own are entered where they arise
            self._enter(Event(data["sample"], data["time_s"], data["source"], data["kind"], data["text"]))
        elif verb in ENDINGS and not self._finishing:
            self._finishing, self._heard = True, clock.now()
            if verb == ABANDONED:  # who passes the others' events on does not do so any more
                self._enter(Event(None, None, "recorder", "failure", "the supervisor gives no sign of life: the test is being ended"))

    def close(self) -> Figures:
        """Complete the record; returns the final figures. Raises RigError when the disk does not take the end of it."""
        for reader in self._readers.values():
            reader.close()
        if self._recording is None:
            return {"streams": {}, "apart": {}, "bytes": 0}
        if self._broken:
            self._recording.abandon()
        elif not self._closed:
            self._closed = True
            self._recording.close()
        of_test, apart = _sorted(self._figures())
        return {"streams": of_test, "apart": apart, "bytes": self._recording.size}

    def _nothing_new(self) -> bool:
        """No stream has gone on, and the files were looked after a moment ago."""
        now = clock.now()
        if now - self._kept < KEEP_EVERY and all(reader.next == reader.head for reader in self._readers.values()):
            return True
        self._kept = now
        return False

    def _open_rings(self) -> None:
        now = clock.now()
        if not self._waiting or now - self._looked < LOOK_FOR_RINGS_EVERY:
            return
        assert self._recording is not None
        self._looked = now
        for name in [name for name, path in self._waiting.items() if path.exists()]:
            try:
                reader = RingReader.open(self._waiting[name], timeout_s=0.0)
            except StaleStream:
                continue  # its writer is making it at this moment
            del self._waiting[name]
            self._recording.stream(StreamShape(name, reader.names, reader.units, reader.rate, self._place(name, reader.first_sample)))
            self._readers[name], self._taken[name] = reader, 0

    def _place(self, stream: str, sample: int) -> int:
        """Sample of the record that is `sample` of this session."""
        resumption = self._plan.resumption
        if resumption is None:
            return sample
        return sample + (resumption.apart.get(stream, 0) if stream in streams.APART else resumption.first_sample)

    def _drain(self, name: str, reader: RingReader) -> int:
        """Record what a ring holds; returns the number of samples."""
        assert self._recording is not None
        taken = 0
        for _ in range(ROUNDS):
            expected, lost = reader.next, reader.lost_samples
            first, block = reader.read(MOST)
            if reader.lost_samples > lost:
                self._enter_loss(Gap(name, self._place(name, expected), reader.lost_samples - lost, LOST))
            if len(block):
                self._recording.append(name, self._place(name, first), block)
                taken += len(block)
            if len(block) < MOST:
                break
        self._taken[name] += taken
        return taken

    def _enter_loss(self, gap: Gap) -> None:
        assert self._recording is not None
        self._recording.gap(gap)
        text = f"stream {gap.stream}: samples {gap.first} to {gap.first + gap.count - 1} were overwritten before they were recorded"
        self._enter(Event(gap.first, gap.first / self._readers[gap.stream].rate, "recorder", "lost_samples", text))
        self._links.event(gap.first - self._plan.first_sample, "lost_samples", text)  # others count the samples of this session

    def _enter(self, event: Event) -> None:
        assert self._recording is not None
        self._recording.event(event)

    def _show_progress(self) -> None:
        """Tell the bench how far it may go on without overtaking this reader."""
        own = [reader.next for name, reader in self._readers.items() if name in ("command", "measured")]
        self._links.progress(min(own, default=0))

    def _figures(self) -> dict[str, StreamFigures]:
        return {
            name: {
                "samples": self._taken[name],
                "lost_samples": reader.lost_samples,
                "lost_ranges": [[self._place(name, first), count] for first, count in reader.lost],
            }
            for name, reader in self._readers.items()
        }


def _sorted(figures: dict[str, StreamFigures]) -> tuple[dict[str, StreamFigures], dict[str, StreamFigures]]:
    """(streams of the test, those with an index of their own)."""
    apart = {name: figures[name] for name in streams.APART if name in figures}
    return {name: figures[name] for name in figures if name not in apart}, apart


def _recording(plan: Plan) -> Recording | PartedRecording | Intake:
    settings, resumption = plan.experiment.record, plan.resumption
    recording: Recording | PartedRecording
    if settings.in_parts or resumption is not None:
        rotation = Rotation(settings.part or 0.0, settings.part_size or 0.0)
        begin = Beginning(resumption.part, resumption.part_first, resumption.apart) if resumption else ALL
        recording = PartedRecording(
            plan.run_dir, describe(plan), rotation, plan.experiment.acquisition.ring, begin, settings.snapshots.after
        )
    else:
        recording = Recording(plan.run_dir, describe(plan))
    if not settings.with_cycles:
        return recording
    return Intake(recording, settings.snapshots if settings.samples == "snapshots" else None)


def create(plan: Plan, links: Reporting) -> Recorder:
    return Recorder(plan, links)
