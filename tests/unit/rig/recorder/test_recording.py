"""Journal and record kept together: whatever is entered is in both, and both are let go of at the end."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from waiting import until

from rig.errors import RigError
from rig.host import clock
from rig.recorder import journal, recording, sync
from rig.recorder.description import LOST, NOT_PUBLISHED, Event, Gap
from rig.recorder.reading import read_run
from rig.recorder.recording import Recording
from rig.recorder.recovery import recover
from rig.streaming.processes import PROCESSES
from tests.unit.rig.recorder.recorder_rig import description, samples, shape


@pytest.fixture
def made(run_dir: Path) -> Iterator[Recording]:
    one = Recording(run_dir, description())
    yield one
    one.abandon()


def frames(folder: Path) -> list[int]:
    """Kinds in the journal, in order."""
    return [frame.kind for frame in journal.read(folder / "journal.bin") if isinstance(frame, journal.Frame)]


EVENT = Event(5, 0.0005, "bench", "state", "running")


def fill(one: Recording) -> None:
    one.stream(shape("measured", first_sample=300))
    one.append("measured", 300, samples("measured", 300, 100))
    one.gap(Gap("measured", 400, 50, LOST))
    one.append("measured", 450, samples("measured", 450, 100))
    one.event(EVENT)


def test_a_stream_that_begins_late_and_what_was_lost_are_gaps(made: Recording, run_dir: Path) -> None:
    fill(made)
    made.close()
    run = read_run(run_dir)
    assert run.gaps == [Gap("measured", 0, 300, NOT_PUBLISHED), Gap("measured", 400, 50, LOST)]
    assert [(one.sample, one.text) for one in run.events] == [(5, "running")]


def test_a_stream_that_begins_at_once_has_none(made: Recording, run_dir: Path) -> None:
    made.stream(shape("command"))
    made.append("command", 0, samples("command", 0, 10))
    made.close()
    assert read_run(run_dir).gaps == []


def test_from_the_journal_alone_comes_all_that_was_entered(made: Recording, run_dir: Path) -> None:
    fill(made)
    made.abandon()
    (run_dir / "run.h5").unlink()
    recover(run_dir)
    run = read_run(run_dir)
    assert Gap("measured", 400, 50, LOST) in run.gaps and Gap("measured", 0, 300, NOT_PUBLISHED) in run.gaps
    assert [(one.sample, one.source, one.text) for one in run.events][:1] == [(5, "bench", "running")]
    stroke = run.streams["measured"]["stroke"]
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(stroke)), [*range(300), *range(400, 450)])
    np.testing.assert_array_equal(stroke[450:], samples("measured", 450, 100)[:, 1])


def test_what_samples_mean_is_said_again_every_ten_seconds_and_no_more_often(
    made: Recording, run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(made)
    first = frames(run_dir)
    assert first.count(journal.DESCRIPTION) == first.count(journal.STREAM) == 1
    made.keep()
    assert frames(run_dir) == first
    assert recording.RESTATE_EVERY == 10.0
    began = time.monotonic()
    monkeypatch.setattr(clock, "now", lambda: began + 10.5)
    for _ in range(3):
        made.keep()
    assert frames(run_dir) == [*first, journal.DESCRIPTION, journal.STREAM]


def test_an_end_is_said_and_an_abandoned_journal_has_none(run_dir: Path) -> None:
    one = Recording(run_dir, description())
    fill(one)
    one.close()
    assert frames(run_dir)[-3:] == [journal.DESCRIPTION, journal.STREAM, journal.END], "said again, so that either end may be damaged"
    there = [frame for frame in journal.read(run_dir / "journal.bin") if isinstance(frame, journal.Frame)]
    assert [frame.sequence for frame in there] == [*range(len(there))]
    other = run_dir.parent / "0002"
    other.mkdir()
    one = Recording(other, description())
    fill(one)
    one.abandon()
    assert journal.END not in frames(other)
    assert not read_run(other).complete


@pytest.mark.parametrize("end", ["close", "abandon"])
def test_files_and_thread_are_let_go_of(run_dir: Path, end: str) -> None:
    one = Recording(run_dir, description())
    fill(one)
    files = one._sync._files
    getattr(one, end)()
    assert one._journal._file.closed
    assert not one._record._file, "HDF5 holds a lock on a file that is open"
    assert not one._sync._thread.is_alive()
    assert [file.closed for file in files] == [True, True]


def test_a_close_that_fails_lets_go_of_the_journal_all_the_same(made: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(made)

    def fails() -> list[Gap]:
        raise RigError("recorder: run.h5 cannot be written")

    monkeypatch.setattr(made._record, "close", fails)
    with pytest.raises(RigError, match=r"run\.h5 cannot be written"):
        made.close()
    assert made._journal._file.closed and not made._sync._thread.is_alive()


def test_size_and_age_are_those_of_what_was_written(made: Recording, run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(made)
    assert made.size == (run_dir / "journal.bin").stat().st_size
    now = made._record.flushed_at
    monkeypatch.setattr(clock, "now", lambda: now + 3.25)
    assert made.flush_age == pytest.approx(3.25)


def test_everything_is_brought_to_the_disk_each_second_and_at_the_end(run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    round_ = threading.Event()

    def fsync(fd: int) -> None:
        synced.append(fd)
        if len(synced) == 4:
            round_.set()

    assert sync.SYNC_EVERY == 1.0, "what a power cut may take"
    monkeypatch.setattr(sync, "SYNC_EVERY", 0.001)
    monkeypatch.setattr(sync.os, "fsync", fsync)
    one = Recording(run_dir, description())
    assert round_.wait(20.0)
    monkeypatch.setattr(sync, "SYNC_EVERY", 1e3)
    before = len(synced)
    one.close()
    assert len(synced) >= before + 2 and len(synced) % 2 == 0, "both files, once more behind the last frame"
    assert len(set(synced)) == 2


def test_a_disk_that_gives_up_is_told_by_the_next_look(made: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    made.keep()
    made._sync.error = OSError(5, "Input/output error")
    with pytest.raises(RigError, match=r"recorder: the disk does not take the record: .*Input/output error"):
        made.keep()
    made._sync.error = None


def test_what_brings_to_the_disk_says_that_it_has_no_memory(run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that ended by that without a word would leave seconds of samples to a power cut."""

    def without_memory(file: int) -> None:
        raise MemoryError

    monkeypatch.setattr(sync, "SYNC_EVERY", 0.005)
    monkeypatch.setattr(sync.os, "fsync", without_memory)
    one = Recording(run_dir, description())
    until(lambda: one._sync.error is not None)
    with pytest.raises(RigError, match="recorder: out of memory: the record cannot be brought to the disk"):
        one.keep()
    one.abandon()


def test_the_end_of_a_record_is_waited_for_less_than_the_recorder_itself() -> None:
    (recorder,) = (process for process in PROCESSES if process.name == "recorder")
    assert recorder.closing - recorder.silent > sync.CONFIRMED_WITHIN, "else it would be ended before it can say why"


def test_a_stream_that_begins_one_sample_late_has_a_gap_of_one(made: Recording, run_dir: Path) -> None:
    made.stream(shape("command", first_sample=1))
    made.append("command", 1, samples("command", 1, 10))
    made.close()
    assert read_run(run_dir).gaps == [Gap("command", 0, 1, NOT_PUBLISHED)]


def test_what_the_end_fills_up_is_in_the_journal_as_well(made: Recording, run_dir: Path) -> None:
    for stream, count in (("measured", 100), ("predicted", 60)):
        made.stream(shape(stream))
        made.append(stream, 0, samples(stream, 0, count))
    made.close()
    there = [frame for frame in journal.read(run_dir / "journal.bin") if isinstance(frame, journal.Frame)]
    (gap,) = (json.loads(frame.payload) for frame in there if frame.kind == journal.GAP)
    assert gap == {"stream": "predicted", "first": 60, "count": 40, "reason": NOT_PUBLISHED}


def test_the_file_that_has_gone_is_named(run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "SYNC_EVERY", 0.005)
    one = Recording(run_dir, description())
    (run_dir / "run.h5").unlink()
    until(lambda: one._sync.error is not None)
    with pytest.raises(RigError, match=r"run\.h5 is gone"):
        one.keep()
    one.abandon()
