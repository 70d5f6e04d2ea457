"""Records of the same made-up test as `display_rings`, written as a run's recorder writes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.display.sources.record import RecordSource
from rig.recorder.description import LOST, Description, Event, Gap, StreamShape
from rig.recorder.reading import read_run
from rig.recorder.record import Record
from tests.unit.rig.display.display_rings import FREQUENCY, RATE, STREAMS, SUBJECT, Rings

START = 0.25  # s of rest before cycle 0


def made_up(count: int, folder: Path) -> dict[str, np.ndarray]:
    """`count` samples of every stream; before START there is no cycle."""
    folder.mkdir(exist_ok=True)
    rings = Rings(folder, seconds=0.01)
    blocks = rings.blocks(count)
    rings.close()
    rest = round(START * RATE)
    blocks["command"][:, 2] = np.where(np.arange(count) < rest, -1.0, np.floor(FREQUENCY * (np.arange(count) - rest) / RATE))
    return blocks


def write_record(path: Path, blocks: dict[str, np.ndarray], complete: bool = True, gap: bool = True, experiment: str = "") -> None:
    """One record; two events, and a gap that is told but not there. experiment: its text."""
    description = Description("0007-linkage", "made up", "2026-01-01T00:00:00", experiment, "", {})
    record = Record(path, description)
    for name, channels in STREAMS.items():
        record.stream(StreamShape(name, tuple(channels), tuple(channels.values()), RATE))
        record.append(name, 0, blocks[name])
    record.event(Event(0, 0.0, "bench", "state", "running"))
    at = min(round(RATE), len(blocks["measured"]))
    record.event(Event(at, at / RATE, "bench", "limit", "stroke 0.3 mm exceeds maximum"))
    if gap:
        record.gap(Gap("measured", 10, 3, LOST))
    if complete:
        record.close()
    else:
        record.abandon()


def source_of(path: Path, channel: str = SUBJECT.force, delay: float = 0.0) -> RecordSource:
    """The record as a source."""
    return RecordSource(read_run(path), SUBJECT.traces(channel), delay)
