"""A record as a tree of xarray: the samples of the file, read where they are used."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import h5py
import numpy as np
import pytest

import rig
from rig.errors import ConfigError
from rig.library import lazy
from rig.recorder.reading import RunData
from tests.unit.rig.exchange.small_record import GAP, RATE, SAMPLES, make


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "0001-small"
    make(folder)
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many samples were read, each time."""
    counts: list[int] = []
    whole = RunData.channel

    def channel(self: RunData, stream: str, name: str, first: int = 0, count: int | None = None) -> np.ndarray:
        found = whole(self, stream, name, first, count)
        counts.append(len(found))
        return found

    monkeypatch.setattr(RunData, "channel", channel)
    return counts


def test_every_channel_has_the_samples_of_the_file_its_unit_and_times(run: Path) -> None:
    record = rig.open_record(run)
    with h5py.File(run / "run.h5") as file:
        streams = [name for name in ("command", "measured", "predicted", "predicted_as_measured") if name in file["entry"]]
        for stream in streams:
            assert set(record[stream].data_vars) == set(file[f"entry/{stream}"])
            for name, data in file[f"entry/{stream}"].items():
                assert record[f"{stream}/{name}"].to_numpy().tobytes() == np.asarray(data).tobytes()
                assert record[f"{stream}/{name}"].attrs["units"] == data.attrs["units"]
    assert record["measured/time"].attrs["units"] == "s" and record["measured"].sizes["time"] == SAMPLES
    assert record["measured/time"].to_numpy() == pytest.approx(np.arange(SAMPLES) / RATE, rel=1e-12)


def test_what_was_lost_is_nan_and_stands_among_the_gaps(run: Path) -> None:
    record = rig.open_record(run)
    name = next(iter(record["measured"].data_vars))
    assert np.isnan(record[f"measured/{name}"][GAP.first : GAP.first + GAP.count]).all()
    assert [int(record["gaps/first"][0]), int(record["gaps/count"][0])] == [GAP.first, GAP.count]
    assert record["gaps/reason"].item() == GAP.reason
    assert len(record["gaps"].to_dataset().to_dataframe()) == 1, "a row for each, without the times of samples"


def test_nothing_is_read_before_it_is_used_and_no_more_than_is_asked_for(run: Path, asked: list[int]) -> None:
    record = rig.open_record(run)
    name = next(iter(record["measured"].data_vars))
    part = record[f"measured/{name}"].isel(time=slice(100, 110))
    assert asked == [] and not repr(record["measured"]).startswith("Error")
    assert len(part.to_numpy()) == 10 and asked == [10]
    assert float(part[3]) == float(record[f"measured/{name}"][103])


def test_every_kth_of_a_long_channel_is_read_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy, "PIECE", 100)
    values, counts = np.arange(1000.0), []

    def read(first: int, count: int) -> np.ndarray:
        counts.append(count)
        return values[first : first + count].copy()

    import xarray

    array = xarray.Variable(("time",), lazy.channel(read, 1000))
    for key in (slice(None, None, 7), slice(3, 990, 150), slice(900, 10, -13), slice(5, 5), slice(2, 60), -1):
        counts.clear()
        assert array[key].to_numpy() == pytest.approx(values[key])
        assert max(counts, default=0) <= 100
    assert array[[3, 1, 999]].to_numpy().tolist() == [3.0, 1.0, 999.0]
    assert array[::-1].to_numpy().tolist() == values[::-1].tolist()


def test_a_part_is_chosen_by_time(run: Path) -> None:
    record = rig.open_record(run)
    part = record["measured"].to_dataset().sel(time=slice(0.1, 0.101))
    expected = [n for n in range(SAMPLES) if 0.1 <= n / RATE <= 0.101]
    assert part["time"].to_numpy() == pytest.approx(np.array(expected) / RATE, rel=1e-12)
    assert part.sel(time=slice(None, 0.1005)).sizes["time"] == sum(n / RATE <= 0.1005 for n in expected)
    assert record["measured"].to_dataset().sel(time=slice(9.0, 10.0)).sizes["time"] == 0
    near = record["measured"].to_dataset().sel(time=0.1, method="nearest")
    assert float(near["time"]) == round(0.1 * RATE) / RATE


def test_a_record_that_is_none_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        rig.open_record(tmp_path / "nowhere")
    (tmp_path / "run.h5").write_bytes(b"no record" * 100)
    with pytest.raises(ConfigError) as raised:
        rig.open_record(tmp_path)
    assert len(raised.value.problems) == 1


def test_a_cut_record_is_told(run: Path, tmp_path: Path) -> None:
    whole = (run / "run.h5").read_bytes()
    (tmp_path / "run.h5").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ConfigError, match=r"run\.h5"):
        rig.open_record(tmp_path)


def test_a_billion_samples_are_neither_read_nor_given_times_before_they_are_used() -> None:
    """8 GB of a channel, 8 GB of times: what is asked for is all that is there."""
    import xarray

    count, rate, asked = 10**9, 51203.27700972862, []

    def read(first: int, length: int) -> np.ndarray:
        asked.append(length)
        return np.arange(first, first + length, dtype=np.float64)

    tracemalloc.start()
    data = xarray.Dataset({"n": ("time", lazy.channel(read, count))}, coords=lazy.times(0, count, rate))
    part = data.sel(time=slice(12_345.0, 12_345.5))
    expected = np.arange(np.ceil(12_345.0 * rate), np.floor(12_345.5 * rate) + 1)
    assert part["n"].to_numpy().tolist() == expected.tolist()
    assert part["time"].to_numpy() == pytest.approx(expected / rate, rel=1e-14)
    assert float(data["n"][-1]) == count - 1 and repr(data)
    assert tracemalloc.get_traced_memory()[1] < 50e6 and sum(asked) < 30_000
    tracemalloc.stop()
