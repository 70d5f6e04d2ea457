"""The ring: every sample is either read as it was written or reported as lost, whatever the interleaving."""

from __future__ import annotations

import errno
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from waiting import until

from rig.errors import RigError, StaleStream
from rig.streaming.ring import RingReader, RingWriter

CAPACITY = 50
NAMES, UNITS = ("force", "stroke"), ("N", "m")


def coded(first: int, count: int) -> np.ndarray:
    """Block (count, 2) whose values tell their own sample number."""
    n = np.arange(first, first + count, dtype=float)
    return np.column_stack((n, -2.0 * n))


@pytest.fixture
def ring(tmp_path: Path):
    writer = RingWriter.create(tmp_path / "measured.ring", NAMES, UNITS, CAPACITY, 1e3, first_sample=7)
    reader = RingReader.open(tmp_path / "measured.ring", timeout_s=1.0)
    yield writer, reader
    reader.close()
    writer.close()


def test_reader_sees_what_the_writer_declared(ring) -> None:
    _, reader = ring
    assert (reader.names, reader.units, reader.rate, reader.capacity) == (NAMES, UNITS, 1e3, CAPACITY)
    assert (reader.first_sample, reader.next, reader.head, reader.ended) == (7, 7, 7, False)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.booleans(), st.integers(0, CAPACITY)), max_size=60))
def test_read_and_lost_ranges_make_up_the_stream(tmp_path_factory, steps) -> None:
    path = tmp_path_factory.mktemp("ring") / "a.ring"
    writer = RingWriter.create(path, NAMES, UNITS, CAPACITY, 1e3, first_sample=3)
    reader = RingReader.open(path, timeout_s=1.0)
    seen: list[tuple[int, int]] = []
    for is_append, count in steps:
        if is_append:
            writer.append(coded(writer.head, count))
        else:
            overtaken = max(0, writer.head - CAPACITY - reader.next)
            lost_before = reader.lost_samples
            first, block = reader.read(count)
            np.testing.assert_array_equal(block, coded(first, len(block)))
            assert reader.lost_samples - lost_before == overtaken
            assert len(block) == min(count, writer.head - first)
            seen.append((first, len(block)))
    covered = np.zeros(writer.head, dtype=int)
    for first, count in seen + reader.lost:
        covered[first : first + count] += 1
    assert (covered[3 : reader.next] == 1).all()
    assert (covered[reader.next :] == 0).all()
    reader.close()
    writer.close()


@pytest.mark.parametrize("overtaken", [0, 1, 17, CAPACITY - 1, CAPACITY, 3 * CAPACITY])
def test_samples_overwritten_while_they_are_copied_are_lost_not_wrong(ring, monkeypatch, overtaken) -> None:
    writer, reader = ring
    writer.append(coded(7, CAPACITY))
    copy = RingReader._copy

    def slow_copy(self: RingReader, first: int, count: int) -> np.ndarray:
        monkeypatch.setattr(RingReader, "_copy", copy)
        for _ in range(overtaken):
            writer.append(coded(writer.head, 1))
        return copy(self, first, count)

    monkeypatch.setattr(RingReader, "_copy", slow_copy)
    first, block = reader.read(CAPACITY)
    assert len(block)
    assert first == 7 + overtaken
    np.testing.assert_array_equal(block, coded(first, len(block)))
    assert reader.lost == ([(7, overtaken)] if overtaken else [])


def test_a_claim_alone_makes_rows_unreadable(ring) -> None:
    """The writer may be in the middle of its copy: rows that it has claimed count as overwritten."""
    writer, reader = ring
    writer.append(coded(7, CAPACITY))
    writer._mapping.claim[0] += 5
    first, block = reader.read(CAPACITY)
    assert (first, len(block), reader.lost) == (12, CAPACITY - 5, [(7, 5)])
    assert reader.latest(CAPACITY)[0] == 12
    assert math.isnan(reader.published_at(11))
    assert not math.isnan(reader.published_at(12))


def test_latest_gives_the_newest_and_counts_nothing(ring) -> None:
    writer, reader = ring
    assert reader.latest(10)[1].shape == (0, 2)
    writer.append(coded(7, 40))
    writer.append(coded(47, 40))
    first, block = reader.latest(30)
    assert first == 57
    np.testing.assert_array_equal(block, coded(57, 30))
    assert len(reader.latest(10 * CAPACITY)[1]) == CAPACITY
    assert (reader.next, reader.lost) == (7, [])


def test_publication_times_follow_the_appends(ring) -> None:
    writer, reader = ring
    marks = []
    for _ in range(8):
        before = time.monotonic()
        writer.append(coded(writer.head, 11))
        marks.append((before, time.monotonic()))
    for n in range(writer.head - CAPACITY, writer.head):
        before, after = marks[(n - 7) // 11]
        assert before <= reader.published_at(n) <= after
    assert math.isnan(reader.published_at(writer.head))
    assert math.isnan(reader.published_at(writer.head - CAPACITY - 1))


def test_end_and_heartbeat_are_seen(ring) -> None:
    writer, reader = ring
    before = time.monotonic()
    writer.append(coded(7, 0))
    assert reader.heartbeat >= before
    writer.append(coded(7, 5))
    writer.close()
    writer.close()
    assert reader.ended
    assert len(reader.read(100)[1]) == 5


def test_a_block_of_the_wrong_shape_is_refused(ring) -> None:
    writer, _ = ring
    for block in (np.zeros((3, 1)), np.zeros(3), np.zeros((CAPACITY + 1, 2))):
        with pytest.raises(ValueError, match=r"measured\.ring"):
            writer.append(block)


def test_a_stream_that_nobody_makes_is_stale(tmp_path: Path) -> None:
    with pytest.raises(StaleStream, match=r"predicted: its writer did not create it within 0\.02 s"):
        RingReader.open(tmp_path / "predicted.ring", timeout_s=0.02)
    (tmp_path / "half.ring").write_bytes(bytes(100_000))  # being made: no header yet
    with pytest.raises(StaleStream):
        RingReader.open(tmp_path / "half.ring", timeout_s=0.02)


def test_a_full_file_system_is_an_error_at_the_start(tmp_path: Path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(RigError, match="stream measured: cannot make its ring of 0 MB"):
        RingWriter.create(tmp_path / "measured.ring", NAMES, UNITS, 10, 1e3)


def test_close_leaves_no_mapping(tmp_path: Path) -> None:
    path = tmp_path / "measured.ring"

    def mapped() -> bool:
        return any(Path(entry.path).name == path.name for entry in psutil.Process().memory_maps() if path.exists())

    writer = RingWriter.create(path, NAMES, UNITS, CAPACITY, 1e3)
    reader = RingReader.open(path, timeout_s=1.0)
    writer.append(coded(0, 10))
    block = reader.read(10)[1]
    assert mapped()
    reader.close()
    writer.close()
    assert not mapped()
    np.testing.assert_array_equal(block, coded(0, 10))  # a copy: it outlives the mapping


WRITER = """
import sys, time
from pathlib import Path
import numpy as np
from rig.streaming.ring import RingWriter
path, capacity, rate, block, blocks, pace = Path(sys.argv[1]), *map(float, sys.argv[2:])
writer = RingWriter.create(path, ["n", "minus_2n"], ["1", "1"], int(capacity), rate)
begun = time.monotonic()
for number in range(int(blocks)):
    n = writer.head + np.arange(int(block), dtype=float)
    writer.append(np.column_stack((n, -2.0 * n)))
    if pace:
        time.sleep(max(0.0, begun + (number + 1) * block / rate - time.monotonic()))
writer.close()
"""


def start_writer(path: Path, *, capacity: int, rate: float, block: int, blocks: int, pace: bool) -> subprocess.Popen:
    arguments = [str(path), *(str(float(value)) for value in (capacity, rate, block, blocks, pace))]
    return subprocess.Popen([sys.executable, "-c", WRITER, *arguments], cwd=Path(__file__).parents[4])


def check_everything(reader: RingReader, received: list[tuple[int, int]]) -> None:
    """What was received and what was reported as lost: together every sample, once."""
    covered = np.zeros(reader.head, dtype=int)
    for first, count in received + reader.lost:
        covered[first : first + count] += 1
    assert (covered == 1).all()


def test_a_writer_at_full_speed_never_corrupts_what_is_read(tmp_path: Path) -> None:
    """Another process overruns a tiny ring as fast as it can; what gets through is right, the rest is accounted for."""
    path = tmp_path / "stress.ring"
    process = start_writer(path, capacity=1000, rate=1e6, block=37, blocks=150_000, pace=False)
    reader = RingReader.open(path, timeout_s=20.0)
    received: list[tuple[int, int]] = []
    while not (reader.ended and reader.next == reader.head):
        first, block = reader.read(1000)
        np.testing.assert_array_equal(block, coded(first, len(block)))
        received.append((first, len(block)))
    assert process.wait(timeout=20.0) == 0
    check_everything(reader, received)
    assert reader.lost
    assert sum(count for _, count in received)
    reader.close()


def test_a_reader_stalled_for_two_seconds_reports_exactly_what_was_lost(tmp_path: Path) -> None:
    path = tmp_path / "measured.ring"
    process = start_writer(path, capacity=51_200, rate=51_200.0, block=512, blocks=300, pace=True)  # the ring holds 1 s
    reader = RingReader.open(path, timeout_s=20.0)
    received: list[tuple[int, int]] = []

    def read() -> None:
        first, block = reader.read(51_200)
        np.testing.assert_array_equal(block, coded(first, len(block)))
        received.append((first, len(block)))

    def read_while(more: Callable[[], bool]) -> None:
        while more():
            read()
            time.sleep(0.005)

    read_while(lambda: reader.next < 5120)
    assert reader.lost == []
    came = reader.next
    until(lambda: reader.head >= came + 2 * 51_200, "2 s of samples")
    before = reader.head
    read()
    after = reader.head + 512  # which may be on their way
    read_while(lambda: not (reader.ended and reader.next == reader.head))
    assert process.wait(timeout=20.0) == 0
    check_everything(reader, received)
    ((first, count),) = reader.lost
    assert first == came
    assert before - came - 51_200 <= count <= after - came - 51_200  # what came, less what the ring holds
    reader.close()


def test_a_reader_that_dies_takes_nothing_with_it(ring) -> None:
    writer, reader = ring
    writer.append(coded(7, 10))
    code = "import os, signal; from pathlib import Path; from rig.streaming.ring import RingReader"
    code = f"{code}; RingReader.open(Path({str(writer.path)!r}), 1.0)"
    subprocess.run([sys.executable, "-c", f"{code}; os._exit(9)"], check=False, cwd=Path(__file__).parents[4])
    writer.append(coded(17, 10))
    assert writer.path.exists()
    np.testing.assert_array_equal(reader.read(100)[1], coded(7, 20))


def test_latest_of_some_channels_is_the_same_in_that_order(ring) -> None:
    writer, reader = ring
    for first in range(0, 3 * CAPACITY, 7):
        writer.append(np.arange(2 * first, 2 * first + 14, dtype=float).reshape(7, 2))
    all_first, everything = reader.latest(CAPACITY)
    first, block = reader.latest(CAPACITY, [1, 0, 1])
    assert first == all_first
    assert np.array_equal(block, everything[:, [1, 0, 1]])


class Busy(RingReader):
    """A reader beside a writer that publishes ten samples more each time somebody asks for the head."""

    writer: RingWriter

    @property
    def head(self) -> int:
        head = super().head
        self.writer.append(coded(head, 10))
        return super().head


@pytest.fixture
def busy(ring) -> Busy:
    writer, reader = ring
    reader.__class__, reader.writer = Busy, writer
    return reader


def test_who_follows_a_stream_that_is_being_written_misses_nothing(busy: Busy) -> None:
    reached, seen = busy.first_sample, []
    for _ in range(20):
        first, block = busy.since(reached, [0])
        assert first == reached
        seen.append(block[:, 0])
        reached += len(block)
    assert np.array_equal(np.concatenate(seen), np.arange(7.0, reached))
    assert reached == 7 + 200


def test_by_a_count_from_the_head_before_it_would(busy: Busy) -> None:
    """The control."""
    first, _ = busy.latest(busy.head - busy.first_sample)
    assert first == busy.first_sample + 10


def test_what_is_overwritten_cannot_be_given_any_more(ring) -> None:
    writer, reader = ring
    for number in range(3):
        writer.append(coded(7 + number * CAPACITY, CAPACITY))
    first, block = reader.since(7)
    assert first == 7 + 2 * CAPACITY and np.array_equal(block, coded(first, CAPACITY))
    assert len(reader.since(reader.head)[1]) == 0
