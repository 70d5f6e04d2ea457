"""HDF5 gives zeros where nothing was written: a column with such places is refused. And time bases under yet other names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from rig import playback
from tests.unit.rig.playback.hdf5_drive import Make, force


def dataset(count: int, written: slice, **keys: Any) -> Make:
    def make(file: h5py.File) -> None:
        data = file.create_dataset("force", (count,), dtype=keys.pop("dtype", "f8"), **keys)
        data.attrs.update({"rate": 100.0, "units": "N"})
        if written.start != written.stop:
            data[written] = np.arange(1, written.stop - written.start + 1)

    return make


def grown(file: h5py.File) -> None:
    data = file.create_dataset("force", data=np.arange(1.0, 6.0), chunks=(5,), maxshape=(None,))
    data.attrs.update({"rate": 100.0, "units": "N"})
    data.resize((20,))


NEVER = {
    "second half": (dataset(10, slice(0, 5), chunks=(5,)), "never written in 1 of its 2 chunks of 5 values"),
    "first half": (dataset(10, slice(5, 10), chunks=(5,)), "never written in 1 of its 2 chunks"),
    "the last chunk, which is not full": (dataset(11, slice(0, 10), chunks=(5,)), "never written in 1 of its 3 chunks"),
    "all": (dataset(10, slice(0, 0), chunks=(5,)), "never written in 2 of its 2 chunks"),
    "compressed": (dataset(10, slice(0, 5), chunks=(5,), compression="gzip"), "never written in 1 of its 2 chunks"),
    "counts": (dataset(10, slice(0, 5), chunks=(5,), dtype="i2"), "never written in 1 of its 2 chunks"),
    "grown, but not filled": (grown, "never written in 3 of its 4 chunks of 5 values"),
    "in one piece": (dataset(10, slice(0, 0)), "was never written: it has room for 10 values"),
}  # fmt: skip


@pytest.mark.parametrize("name", NEVER)
def test_what_was_never_written_is_not_played(name: str, played: Any) -> None:
    make, said = NEVER[name]
    with pytest.raises(ValueError, match=said):
        played(make)


def test_times_that_were_never_written(played: Any) -> None:
    def make(file: h5py.File) -> None:
        file.create_dataset("force", data=np.arange(1.0, 11.0)).attrs["units"] = "N"
        times = file.create_dataset("time", (10,), dtype="f8", chunks=(5,))
        times.attrs["units"] = "s"
        times[:5] = np.arange(5) / 100.0

    with pytest.raises(ValueError, match="never written in 1 of its 2 chunks"):
        played(make)


@pytest.mark.parametrize("keys", [{"chunks": (5,)}, {}, {"chunks": (3,), "compression": "gzip"}])
def test_what_was_written_is_played(keys: Any, played: Any) -> None:
    np.testing.assert_array_equal(played(dataset(10, slice(0, 10), **keys)).values, np.arange(1.0, 11.0))


def test_a_fill_value_that_the_writer_chose_is_no_number(played: Any) -> None:
    """Storage is there for all of it, and what was not written is -999."""
    with pytest.raises(ValueError, match="not"):
        played(dataset(10, slice(0, 5), fillvalue=-999.0))


HERTZ = ("frequency", "sr", "freq", "SRate", "sfreq", "scan_rate", "acquisition_rate", "Samples per second", "frame_rate", "hz")
SECONDS = ("time_increment", "timestep", "TimeStep", "period", "dx", "interval", "x_increment", "time_interval", "delta_x", "Ts")


@pytest.mark.parametrize("key", HERTZ + SECONDS)
def test_a_second_time_base_under_another_name(key: str, played: Any) -> None:
    assert played(force(**{key: 100.0 if key in HERTZ else 0.01})).rate == 100.0
    with pytest.raises(ValueError, match="has 100 Hz, but also the attribute"):
        played(force(**{key: 50.0 if key in HERTZ else 0.02}))


@pytest.mark.parametrize("key", ["rate", "sampling_rate", "fs"])
def test_a_second_time_base_in_the_group(key: str, played: Any) -> None:
    def make(hertz: float) -> Make:
        def write(file: h5py.File) -> None:
            force()(file)
            file.attrs.update({key: hertz, "frequency": 3.0})

        return write

    assert played(make(100.0)).rate == 100.0
    with pytest.raises(ValueError, match="has 100 Hz, but its group has the attribute"):
        played(make(50.0))


def test_the_reader_of_files_says_it_in_one_line(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        dataset(10, slice(0, 5), chunks=(5,))(file)
    with pytest.raises(Exception, match="never written") as caught:
        playback.read(str(tmp_path / "a.h5"), "force", None)
    assert "\n" not in str(caught.value)
