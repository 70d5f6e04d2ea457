"""Worker that estimates the specimen's numbers from cycle to cycle: reads what the bench publishes, and is in nobody's way."""

from __future__ import annotations

from pathlib import Path

from rig.config.plan import Plan
from rig.config.units.estimated import columns
from rig.errors import ConfigError, OverrunError
from rig.identification.live.estimate import Ends, Estimate
from rig.identification.live.fitted import Fitted
from rig.playback import digest
from rig.streaming import streams
from rig.streaming.ring import RingReader, RingWriter
from rig.workers.awaited_rings import opened
from rig.workers.links import ABANDONED, ORPHANED, Links
from rig.workers.messages import Command, Figures, Report

IDLE = 0.005  # s between two looks for new samples
NAMES = ("command", "measured")


class Estimator:
    """Publishes stream `estimated`, a row for each sample of the bench's."""

    def __init__(self, plan: Plan, links: Links) -> None:
        self._plan, self._links = plan, links
        self.done = self._finishing = False
        self._readers: dict[str, RingReader] = {}
        self._ring: RingWriter | None = None
        self._estimate: Estimate | None = None
        self._said = False

    def setup(self) -> None:
        """Read what it was made for, wait for the bench's rings. Raises ConfigError for a file that does not fit this test."""
        experiment = self._plan.experiment
        given = experiment.estimate
        assert given is not None
        path = Path(given.file)
        fitted = Fitted.read(path)
        if given.sha256 and digest(path) != given.sha256:
            raise ConfigError(f"estimate.file: {path} is another one than when the test was checked; check it again")
        for name in NAMES:
            self._readers[name] = self._open(self._plan.streams[name])
        measured = self._readers["measured"]
        keys = [one.key for one in experiment.identify.free]
        if problems := fitted.problems(keys, measured.names, measured.rate):
            raise ConfigError([f"estimate.file: {path}: {text}" for text in problems])
        self._estimate = Estimate(fitted, given.memory, Ends({one.name: one.ends for one in self._plan.bench.channels}))
        self._columns = {name: measured.names.index(name) for name in fitted.rows.needed}
        names, units = zip(*columns(fitted.keys, fitted.units), strict=True)
        capacity = streams.capacity(measured.rate, experiment.acquisition.ring)
        self._ring = RingWriter.create(self._plan.streams["estimated"], names, units, capacity, measured.rate)
        self._block = max(1, round(experiment.acquisition.block * measured.rate))

    def step(self) -> float:
        """The next block that both streams have. Raises OverrunError where samples were overtaken before they were read."""
        assert self._estimate is not None and self._ring is not None
        command, measured = (self._readers[name] for name in NAMES)
        ended = all(reader.ended for reader in self._readers.values()) or self._finishing
        there = min(reader.head for reader in self._readers.values()) - measured.next
        # Whole blocks, as the bench has them: whoever waits for this one waits for blocks.
        count = min(there, self._block - measured.next % self._block)
        if count <= 0 or (count < self._block - measured.next % self._block and not ended):
            self.done = ended and count <= 0
            return 0.0 if self.done else IDLE
        (first, given), (_, shown) = command.read(count), measured.read(count)
        if lost := next((reader for reader in self._readers.values() if reader.lost), None):
            raise OverrunError(
                f"estimator: {lost.lost_samples} samples were overtaken at {lost.lost[0][0]}; no cycle is estimated any more"
            )
        self._ring.append(self._estimate.take(given, {name: shown[:, column] for name, column in self._columns.items()}))
        for remark in self._estimate.remarks:
            self._links.event(remark.sample, "estimate", remark.text, time_s=remark.sample / measured.rate)
        self._estimate.remarks.clear()
        self._links.progress(first)
        return 0.0

    def report(self) -> Report:
        """How far it is."""
        return {"sample": None if self._ring is None else self._ring.head}

    def command(self, verb: str, data: Command) -> None:
        """finish (drain, then end); orphaned, abandoned: the same."""
        if verb in ("finish", ORPHANED, ABANDONED):
            self._finishing = True

    def close(self) -> Figures:
        """Let go of the rings; what it has come to is an event."""
        if self._estimate is not None and not self._said:
            self._said = True
            self._links.event(None, "estimate", self._estimate.text())
        if self._ring is not None:
            self._ring.close()
        for reader in self._readers.values():
            reader.close()
        return {}

    def _open(self, path: Path) -> RingReader:
        return opened(path, self._links, "estimator")


def create(plan: Plan, links: Links) -> Estimator:
    """The estimator worker."""
    return Estimator(plan, links)
