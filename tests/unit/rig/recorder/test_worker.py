"""The recorder worker on rings: nothing is left out, what was lost is written down, late and dead writers hold nothing up."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from waiting import until

from rig.config.bench import InputChannel, Sensor
from rig.errors import ConfigError, RigError
from rig.host import clock
from rig.recorder import sync
from rig.recorder.description import LOST, NOT_PUBLISHED, Gap
from rig.recorder.reading import read_run
from rig.recorder.recording import JournalWriter
from rig.streaming.ring import RingWriter
from rig.workers import recorder
from rig.workers.links import LongSteps
from rig.workers.recorder import Recorder, create
from tests.unit.rig.recorder.recorder_rig import BLOCK, CHANNELS, NAMES, Links, make_rings, plan, publish, samples


@pytest.fixture
def rings(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr(recorder, "LOOK_FOR_RINGS_EVERY", 0.0)
    monkeypatch.setattr(recorder, "QUIET", 0.2)
    (tmp_path / "rings").mkdir()
    return tmp_path / "rings"


@pytest.fixture
def worker(run_dir: Path, rings: Path) -> Iterator[Recorder]:
    made = create(plan(run_dir, rings), Links())
    made.setup()
    yield made
    made.close()


def finish(worker: Recorder) -> dict:
    worker.command("finish", {})
    return ended(worker)


def ended(worker: Recorder) -> dict:
    limit = time.monotonic() + 20.0
    while not worker.done:
        assert time.monotonic() < limit
        time.sleep(worker.step())
    return worker.close()


def close(writers: dict[str, RingWriter]) -> None:
    for writer in writers.values():
        writer.close()


def test_every_sample_of_every_stream_is_recorded(worker, run_dir, rings) -> None:
    writers = make_rings(rings)
    for number in range(50):
        publish(writers)
        if number % 3 == 0:
            worker.step()
    worker.step()
    assert worker._links.sample == 50 * BLOCK
    assert worker.report()["streams"]["predicted"] == {"samples": 50 * BLOCK, "lost_samples": 0, "lost_ranges": []}
    close(writers)
    figures = finish(worker)
    assert figures["streams"] == {name: {"samples": 5000, "lost_samples": 0, "lost_ranges": []} for name in NAMES}
    run = read_run(run_dir)
    assert run.complete
    assert run.gaps == []
    for name, channels in run.streams.items():
        np.testing.assert_array_equal(np.column_stack(list(channels.values())), samples(name, 0, 5000))


def test_a_stalled_recorder_writes_down_exactly_what_it_lost(worker, run_dir, rings) -> None:
    writers = make_rings(rings, capacity=10 * BLOCK)
    publish(writers)
    worker.step()
    for _ in range(25):  # the ring holds 10 blocks: 15 are gone
        publish(writers)
    worker.step()
    assert worker.report()["lost_samples"] == 4 * 15 * BLOCK
    assert worker._links.events[0][:2] == (BLOCK, "lost_samples")
    close(writers)
    figures = finish(worker)
    assert figures["streams"]["measured"] == {"samples": 11 * BLOCK, "lost_samples": 1500, "lost_ranges": [[100, 1500]]}
    run = read_run(run_dir)
    assert run.gaps == [Gap(name, 100, 1500, LOST) for name in NAMES]
    assert run.samples == 26 * BLOCK
    texts = [event.text for event in run.events if event.kind == "lost_samples"]
    assert "stream measured: samples 100 to 1599 were overwritten before they were recorded" in texts
    expected = samples("measured", 0, run.samples)
    expected[100:1600] = np.nan
    np.testing.assert_array_equal(np.column_stack(list(run.streams["measured"].values())), expected)


@pytest.mark.parametrize("blocks", [92, 93, 175, 410])
def test_a_loss_is_declared_in_full_however_long(worker, run_dir, rings, blocks) -> None:
    """8200, 8300, 16500 and 40000 samples: more than is read of a ring at a time."""
    writers = make_rings(rings, capacity=10 * BLOCK)
    publish(writers)
    worker.step()
    for _ in range(blocks):
        publish(writers)
    worker.step()
    lost = (blocks - 10) * BLOCK
    assert worker.report()["streams"]["measured"]["lost_samples"] == lost
    close(writers)
    figures = finish(worker)
    assert figures["streams"]["measured"] == {"samples": 11 * BLOCK, "lost_samples": lost, "lost_ranges": [[BLOCK, lost]]}
    run = read_run(run_dir)
    assert run.gaps == [Gap(name, BLOCK, lost, LOST) for name in NAMES]
    missing = np.isnan(np.column_stack(list(run.streams["measured"].values()))).all(axis=1)
    np.testing.assert_array_equal(np.flatnonzero(missing), np.arange(BLOCK, BLOCK + lost))
    assert [event.sample for event in run.events if event.kind == "lost_samples"] == [BLOCK] * len(NAMES)


def test_a_predictor_that_comes_late_and_dies_early_holds_nothing_up(worker, run_dir, rings) -> None:
    bench = make_rings(rings, ("command", "measured"))
    for _ in range(5):
        publish(bench)
        worker.step()
    predictor = make_rings(rings, ("predicted", "predicted_as_measured"))
    for _ in range(20):
        publish(bench)
        publish(predictor)
        worker.step()
    close(bench)  # the predictor's rings are never closed
    finish(worker)
    run = read_run(run_dir)
    assert run.samples == 2500
    assert run.gaps == [Gap(name, 2000, 500, NOT_PUBLISHED) for name in ("predicted", "predicted_as_measured")]


def test_a_run_without_predictor_ends_too(worker, run_dir, rings) -> None:
    bench = make_rings(rings, ("command", "measured"))
    publish(bench)
    close(bench)
    assert set(finish(worker)["streams"]) == {"command", "measured"}
    assert read_run(run_dir).samples == BLOCK


def test_events_are_recorded_once(worker, run_dir, rings) -> None:
    event = {"sample": 5, "time_s": 0.0005, "source": "bench", "kind": "state", "text": "running"}
    worker.command("event", event)
    worker.command("event", {**event, "source": "recorder", "kind": "lost_samples"})  # its own, sent round
    worker.command("event", {**event, "sample": None, "time_s": None, "kind": "note"})
    finish(worker)
    assert [(entry.sample, entry.time, entry.kind) for entry in read_run(run_dir).events] == [(5, 0.0005, "state"), (None, None, "note")]


def test_without_any_stream_the_record_is_still_whole(worker, run_dir) -> None:
    assert finish(worker) == {"streams": {}, "apart": {}, "bytes": worker._recording.size}
    run = read_run(run_dir)
    assert (run.complete, run.samples, dict(run.streams)) == (True, 0, {})


def test_samples_reach_the_file_within_a_tenth_of_a_second(worker, run_dir, rings, monkeypatch) -> None:
    """A stream that stops in the middle of a chunk is flushed all the same."""
    begun = clock.now()
    monkeypatch.setattr(clock, "now", lambda: begun)
    writers = make_rings(rings)
    publish(writers)
    worker.step()
    assert read_run(run_dir).samples == 0
    monkeypatch.setattr(clock, "now", lambda: begun + 0.09)
    worker.step()
    assert read_run(run_dir).samples == 0
    monkeypatch.setattr(clock, "now", lambda: begun + 0.101)
    worker.step()
    assert read_run(run_dir).samples == BLOCK
    close(writers)


def test_a_disk_that_refuses_is_one_clear_error_and_the_record_stays_marked(worker, run_dir, rings, monkeypatch) -> None:
    writers = make_rings(rings)
    publish(writers)
    worker.step()

    class Full:
        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            return

    real = worker._recording._journal._file
    monkeypatch.setattr(worker._recording._journal, "_file", Full())
    publish(writers)
    with pytest.raises(RigError, match=r"journal\.bin cannot be written: No space left on device"):
        worker.step()
    worker.close()
    real.close()
    assert not read_run(run_dir).complete
    close(writers)


def test_the_journal_is_written_before_the_record(run_dir, rings, monkeypatch) -> None:
    """A kill between the two must find the block in the journal."""
    order = []
    monkeypatch.setattr(JournalWriter, "samples", lambda self, *_: order.append("journal"))
    made = create(plan(run_dir, rings), Links())
    made.setup()
    append = made._recording._record.append
    monkeypatch.setattr(made._recording._record, "append", lambda *block: (order.append("record"), append(*block)))
    writers = make_rings(rings, ("command",))
    publish(writers)
    made.step()
    assert order == ["journal", "record"]
    close(writers)
    made.close()


def test_a_date_that_is_none_is_bad_input(run_dir, rings) -> None:
    bad = plan(run_dir, rings)
    bad.bench = type(bad.bench)("b", None, (*CHANNELS, InputChannel("x", "N", "Dev1/ai9", Sensor(1.0, expires="soon"))))
    with pytest.raises(ConfigError, match=r"channel x: sensor\.expires is 'soon'"):
        create(bad, Links()).setup()


def test_a_disk_that_takes_long_for_an_fsync_costs_no_sample(run_dir, rings, monkeypatch) -> None:
    """The loop goes on beside it; the end waits for it."""
    free, asked = threading.Event(), threading.Event()

    def slow(fd: int) -> None:
        asked.set()
        free.wait(20.0)

    monkeypatch.setattr(sync, "SYNC_EVERY", 0.0)
    monkeypatch.setattr(sync.os, "fsync", slow)
    worker = create(plan(run_dir, rings), Links())
    worker.setup()
    assert asked.wait(20.0)
    writers = make_rings(rings, capacity=10 * BLOCK)
    for _ in range(100):  # ten times what the rings hold
        publish(writers)
        worker.step()
    close(writers)
    free.set()
    figures = finish(worker)
    assert all(stream == {"samples": 100 * BLOCK, "lost_samples": 0, "lost_ranges": []} for stream in figures["streams"].values())
    assert read_run(run_dir).complete


def test_a_disk_that_never_confirms_the_end_is_told_and_not_waited_for(run_dir, rings, monkeypatch) -> None:
    free = threading.Event()
    monkeypatch.setattr(sync, "CONFIRMED_WITHIN", 0.05)
    monkeypatch.setattr(sync, "SYNC_EVERY", 0.0)
    monkeypatch.setattr(sync.os, "fsync", lambda fd: free.wait(20.0) and None)
    worker = create(plan(run_dir, rings), Links())
    worker.setup()
    with pytest.raises(RigError, match=r"the disk does not take the record: it has not confirmed the end of .*0001-linkage within 0\.05 s"):
        worker.close()
    free.set()
    assert read_run(run_dir).complete, "it is whole all the same, for who reads it before the power goes"


def test_a_write_that_takes_long_is_no_hanging_as_long_as_the_rings_hold(worker, run_dir, rings, monkeypatch) -> None:
    monkeypatch.setattr("rig.workers.links.BEAT_EVERY", 0.005)
    worker._writing = LongSteps(worker._links.beat, 5.0)
    assert worker._plan.experiment.acquisition.ring == 10.0
    writers = make_rings(rings)
    publish(writers)
    worker.step()
    before, file = worker._links.beats, worker._recording._journal._file

    class Slow:
        def write(self, data: Any) -> int:
            until(lambda: worker._links.beats > before, "a sign of life")
            return file.write(data)

        def close(self) -> None:
            file.close()

    worker._recording._journal._file = Slow()
    publish(writers)
    worker.step()
    assert worker._links.beats > before
    worker._recording._journal._file = file
    close(writers)


def test_signs_of_life_cover_what_the_rings_hold_less_the_time_after_which_they_are_missed(run_dir, rings) -> None:
    """10 s in the rings, 5 s of silence: a disk may stand still for 10 s in all."""
    worker = create(plan(run_dir, rings), Links())
    worker.setup()
    assert worker._writing._most == 5.0
    worker.close()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_folder_that_is_removed_while_it_is_written_to_is_told(run_dir, rings, monkeypatch, replaced: bool) -> None:
    """Writing goes on without a complaint, into files that have no name any more."""
    monkeypatch.setattr(sync, "SYNC_EVERY", 0.005)
    worker = create(plan(run_dir, rings), Links())
    worker.setup()
    writers = make_rings(rings)
    publish(writers)
    worker.step()
    shutil.rmtree(run_dir)
    if replaced:
        run_dir.mkdir()
        (run_dir / "journal.bin").touch()
        (run_dir / "run.h5").touch()
    limit = time.monotonic() + 20.0
    with pytest.raises(RigError, match=r"(journal\.bin|run\.h5) is gone: it was removed or replaced while it was being written"):
        while time.monotonic() < limit:
            publish(writers, 1)
            worker.step()
    worker.close()
    close(writers)


def test_a_supervisor_that_hangs_is_in_the_record_and_what_is_there_is_recorded(worker, run_dir, rings) -> None:
    """Nobody passes the bench worker's events on any more."""
    writers = make_rings(rings)
    publish(writers)
    worker.step()
    worker.command("abandoned", {})
    publish(writers)
    ended(worker)
    run = read_run(run_dir)
    assert (run.complete, run.samples) == (True, 2 * BLOCK)
    assert [(event.source, event.text) for event in run.events] == [
        ("recorder", "the supervisor gives no sign of life: the test is being ended")
    ]
    close(writers)


@pytest.mark.parametrize("away", [2.5, 7.0])
def test_a_loss_of_several_rings_is_declared_to_the_sample(worker, run_dir, rings, away: float) -> None:
    """A ring of 20000 samples, more than two reads of it; the recorder is away for `away` rings, twice."""
    capacity = 20_000
    assert capacity > 2 * recorder.MOST
    writers = make_rings(rings, ("measured",), capacity)
    lost = []
    for _ in range(2):
        publish(writers)
        worker.step()
        came = writers["measured"].head
        for _ in range(round(away * capacity / BLOCK)):
            publish(writers)
        worker.step()
        lost.append((came, writers["measured"].head - capacity - came))
    close(writers)
    figures = finish(worker)["streams"]["measured"]
    assert all(count == (away - 1.0) * capacity for _, count in lost)
    assert figures["lost_ranges"] == [[first, count] for first, count in lost]
    assert figures["lost_samples"] == sum(count for _, count in lost)
    assert figures["samples"] + figures["lost_samples"] == writers["measured"].head
    run = read_run(run_dir)
    assert run.gaps == [Gap("measured", first, count, LOST) for first, count in lost]
    expected = samples("measured", 0, writers["measured"].head)
    for first, count in lost:
        expected[first : first + count] = np.nan
    np.testing.assert_array_equal(np.column_stack(list(run.streams["measured"].values())), expected)
    assert [event.text for event in run.events if event.kind == "lost_samples"] == [
        f"stream measured: samples {first} to {first + count - 1} were overwritten before they were recorded" for first, count in lost
    ]


def test_without_room_for_what_hdf5_needs_it_ends_before_hdf5_is_called(worker, run_dir, rings, monkeypatch) -> None:
    """Decided by a rule, not by whether the next block happens to fit."""
    writers = make_rings(rings)
    publish(writers)
    worker.step()
    monkeypatch.setattr(recorder, "AHEAD", 2**62)
    before = (run_dir / "journal.bin").stat().st_size
    publish(writers)
    with pytest.raises(MemoryError, match="no room for"):
        worker.step()
    assert (run_dir / "journal.bin").stat().st_size == before, "nothing of that block was begun"
    close(writers)
