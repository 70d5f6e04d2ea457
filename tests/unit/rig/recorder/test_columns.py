"""Datasets of one stream: when a chunk is written, how long samples have waited, what the column of times holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig.host import clock
from rig.recorder.columns import Columns, TimeColumn, chunk_rows
from tests.unit.rig.recorder.recorder_rig import RATE, samples, shape

CHUNK = 800  # samples in 80 ms


@pytest.fixture
def group(tmp_path: Path) -> Iterator[h5py.Group]:
    with h5py.File(tmp_path / "record.h5", "w") as file:
        yield file.create_group("measured")


@pytest.mark.parametrize(("rate", "rows"), [(RATE, CHUNK), (51200.0, 4096), (10.0, 1), (1.0, 1)])
def test_a_chunk_is_of_80_ms_and_of_one_sample_at_the_least(rate: float, rows: int) -> None:
    """Shorter than the time between two flushes, which then find whole ones."""
    assert chunk_rows(rate) == rows


def test_what_waits_has_waited_since_its_oldest_sample(group: h5py.Group, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [10.0]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    one = Columns(group, shape("measured"), {})
    for at, first in ((10.0, 0), (10.5, 100)):
        now[0] = at
        one.append(first, samples("measured", first, 100))
    assert (one.pending, one.waiting_since) == (200, 10.0)
    one.put()
    assert (one.pending, one.rows) == (0, 200)
    now[0] = 11.0
    one.append(200, samples("measured", 200, 100))
    assert (one.pending, one.waiting_since) == (100, 11.0)
    now[0] = 12.0
    one.append(300, samples("measured", 300, 600))  # 500 of them fill the chunk
    assert (one.pending, one.rows, one.waiting_since) == (100, CHUNK, 12.0)


def test_a_chunk_is_written_when_it_is_full_and_not_again(group: h5py.Group) -> None:
    one = Columns(group, shape("measured"), {})
    written: list[tuple[int, int]] = []
    write = one._write
    one._write = lambda dataset, start, end, values: (written.append((start, end)), write(dataset, start, end, values))  # type: ignore[func-returns-value]
    one.append(0, samples("measured", 0, 2 * CHUNK + 10))
    channels = len(one.shape.channels)
    assert written == [(0, CHUNK)] * channels + [(CHUNK, 2 * CHUNK)] * channels
    one.put()
    one.put()
    assert written[2 * channels :] == [(2 * CHUNK, 2 * CHUNK + 10)] * channels, "nothing new, nothing written"
    np.testing.assert_array_equal(group["stroke"][:], samples("measured", 0, 2 * CHUNK + 10)[:, 1])


def test_a_chunk_that_is_full_does_not_wait_for_the_next_sample(group: h5py.Group) -> None:
    one = Columns(group, shape("measured"), {})
    one.append(0, samples("measured", 0, CHUNK))
    assert (one.pending, one.rows, len(group["stroke"])) == (0, CHUNK, CHUNK)


@pytest.mark.parametrize("gap", [1, CHUNK - 50, CHUNK, 3 * CHUNK + 7])
def test_rows_that_are_skipped_are_not_numbers(group: h5py.Group, gap: int) -> None:
    one = Columns(group, shape("measured"), {})
    one.append(0, samples("measured", 0, 50))
    one.skip(50 + gap)
    one.skip(10)
    assert one.end == 50 + gap, "never back"
    one.append(50 + gap, samples("measured", 50 + gap, 20))
    one.put()
    values = group["stroke"][:]
    assert len(values) == 70 + gap
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(values)), np.arange(50, 50 + gap))
    np.testing.assert_array_equal(values[50 + gap :], samples("measured", 50 + gap, 20)[:, 1])


def test_times_are_those_of_the_samples_and_each_chunk_is_written_once(group: h5py.Group) -> None:
    times = TimeColumn(group, RATE)
    written: list[int] = []
    dataset = times._dataset

    class Noted:
        def write_direct_chunk(self, offset: tuple[int], values: np.ndarray) -> None:
            written.append(offset[0])
            dataset.write_direct_chunk(offset, values)

        def set_extent(self, shape: tuple[int]) -> None:
            dataset.set_extent(shape)

    times._dataset = Noted()
    for end in (10, CHUNK, CHUNK + 1, 5, CHUNK + 1):
        times.extend(end)
    assert (times.end, written) == (CHUNK + 1, [0, CHUNK])
    np.testing.assert_array_equal(group["time"][:], np.arange(CHUNK + 1) / RATE)


def test_a_record_of_one_sample_has_its_time(group: h5py.Group) -> None:
    times = TimeColumn(group, RATE)
    times.extend(1)
    np.testing.assert_array_equal(group["time"][:], [0.0])
    assert times.end == 1


def test_a_stream_of_which_nothing_came_has_no_rows(group: h5py.Group) -> None:
    one = Columns(group, shape("measured"), {})
    TimeColumn(group, RATE)
    one.put()
    assert {name: len(group[name]) for name in group} == {**dict.fromkeys(shape("measured").channels, 0), "time": 0}


def test_a_whole_chunk_of_times_is_one_chunk(group: h5py.Group) -> None:
    times = TimeColumn(group, RATE)
    times.extend(CHUNK)
    assert [group["time"].id.get_chunk_info(n).chunk_offset for n in range(group["time"].id.get_num_chunks())] == [(0,)]
    assert times._written == CHUNK
