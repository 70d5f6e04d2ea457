"""HDF5 as other programs write it, and as nobody should: the right column, or one line; never more memory or time than is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from rig.errors import ConfigError
from rig.files.confined_reading import ReadingProcess
from rig.playback import hdf5_file, read
from rig.playback.column import LARGEST
from tests.each_row import each_row
from tests.unit.rig.playback.hdf5_drive import RAMP, Make, force, with_times

TEXT = h5py.string_dtype()


def without_values(count: int, **keys: Any) -> Make:
    """A dataset of a size, of which nothing is written."""

    def make(file: h5py.File) -> None:
        file.create_dataset("force", shape=(count,), dtype="f8", **keys).attrs.update({"rate": 100.0, "units": "kN"})

    return make


@each_row("rate", [100, np.array([100.0]), np.array([[100]]), np.float32(100), np.array([100], dtype=">u2")], ids=map(str, range(9)))
@each_row(
    "units", ["kN", b"kN", np.array(["kN"], dtype=TEXT), np.array([b"kN"]), np.bytes_(b"kN  "), np.bytes_(b"kN\0")], ids=map(str, range(9))
)
def test_attributes_are_scalars_or_arrays_of_one_and_texts_of_any_kind(rate: Any, units: Any, played: Any) -> None:
    found = played(force(rate=rate, units=units))
    assert (found.unit, found.rate, found.values.tolist()) == ("N", 100.0, (1e3 * RAMP).tolist())


@pytest.mark.parametrize(
    "units", ["\u00b5m", "\u03bcm", np.bytes_("\u00b5m".encode()), np.bytes_(b"\xb5m"), np.array(["\u03bcm"], dtype=TEXT)]
)
def test_both_micro_signs(units: Any, played: Any) -> None:
    assert played(force(units=units)).values[1] == 1e-6


@pytest.mark.parametrize("key", ["unit", "Unit", "Units", "UNITS"])
def test_a_unit_is_found_under_every_name_that_programs_give_it(key: str, played: Any) -> None:
    """NWB has `unit`; what stands there must not be passed over where the experiment says another."""
    assert played(force(units="", **{key: "kN"})).values[1] == 1e3
    with pytest.raises(ValueError, match="column 'force' is in kN by the file, but `unit` says N"):
        played(force(units="", **{key: "kN"}), unit="N")
    with pytest.raises(ValueError, match=f"has the attributes .*{key} = 'N'.*; leave one out"):
        played(force(**{key: "N"}))


@each_row("kind", ["i1", ">i2", "<i4", "u1", "u8", "f2", ">f4", "<f8", np.longdouble])
def test_numbers_of_every_kind(kind: Any, played: Any) -> None:
    assert played(force(np.arange(10).astype(kind))).values.tolist() == (1e3 * RAMP).tolist()


def test_where_numbers_come_from_does_not_matter_unless_they_are_counts(played: Any) -> None:
    assert played(force(sensitivity=4.0)).values[1] == 1e3
    with pytest.raises(ValueError, match="attribute 'sensitivity', whose meaning is not fixed"):
        played(force(np.arange(10), sensitivity=4.0))


def test_scales_of_the_cf_conventions_are_applied_and_missing_values_are_none(played: Any) -> None:
    counts = np.array([0, 10, 20], dtype="i2")
    found = played(force(counts, scale_factor=np.array([0.5]), add_offset=1.0))
    assert found.values == pytest.approx([1e3, 6e3, 11e3])
    with pytest.raises(ValueError, match="1 values that are not numbers, the first at sample 1"):
        played(force(counts, _FillValue=np.array([10], dtype="i2")))


SCALES = ("Scale_Factor", "scaleFactor", "scale-factor", "multiplier", "conversion", "Gain", "Calibration Factor")


@each_row("key", [*SCALES, "NI_Scale[0]_Linear_Slope"])
def test_no_scale_is_passed_over(key: str, played: Any) -> None:
    with pytest.raises(ValueError, match=r"has the attribute .*, whose meaning is not fixed"):
        played(force(**{key: 2.0}))


@pytest.mark.parametrize("key", ["lsb", "resolution", "Volts_per_count"])
def test_what_counts_are_worth_is_not_passed_over(key: str, played: Any) -> None:
    assert played(force(**{key: 2.0})).values[1] == 1e3
    with pytest.raises(ValueError, match=f"attribute '{key}', whose meaning is not fixed"):
        played(force(np.arange(10), **{key: 2.0}))


@pytest.mark.parametrize("attributes", [{"valid_min": 2.0}, {"valid_max": 7.0}, {"valid_range": np.array([1.0, 8.0])}], ids=str)
def test_what_the_file_calls_invalid_is_none(attributes: Any, played: Any) -> None:
    """CF conventions: values outside count as missing."""
    with pytest.raises(ValueError, match="holds 2 values that are not numbers"):
        played(force(**attributes))
    with pytest.raises(ValueError, match=r"valid_range = .*, expected 2 numbers"):
        played(force(valid_range=1.0))


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"dt": 0.001}, "has 100 Hz, but also the attribute dt = 0.001; correct one"),
        ({"dt": 0.0}, "but also the attribute dt = 0"),
        ({"sampling_rate": 1000.0}, "has 100 Hz, but also the attribute sampling_rate = 1000"),
        ({"Sample-Rate": 0.1}, "also the attribute Sample-Rate = 0.1"),
        ({"fs": np.nan}, "also the attribute fs = nan"),
        ({"rate_units": "kHz"}, "has the attribute rate_units = 'kHz'; write its rate in Hz"),
    ],
    ids=str,
)
def test_a_rate_that_is_said_twice_is_said_once_or_refused(attributes: Any, said: str, played: Any) -> None:
    assert played(force(dt=0.01, sampling_rate=100.0, rate_unit="Hz")).rate == 100.0
    with pytest.raises(ValueError, match=said):
        played(force(**attributes))


@each_row(
    ("attributes", "said"),
    [
        ({"rate": -1.0}, "attribute rate = -1, expected a rate in Hz"),
        ({"rate": 0}, "attribute rate = 0, expected a rate in Hz"),
        ({"rate": np.nan}, "attribute rate = nan, expected a rate in Hz"),
        ({"rate": np.inf}, "attribute rate = inf, expected a rate in Hz"),
        ({"rate": 1e-320}, "sampled at .* Hz, expected 1e-06 to 1e.09 Hz"),
        ({"rate": "100"}, "attribute rate = '100', expected a number"),
        ({"rate": True}, "attribute rate = 'True', expected a number"),
        ({"rate": 1j}, "attribute rate = '1j', expected a number"),
        ({"rate": h5py.Empty("f8")}, "attribute rate = nan"),
        ({"rate": np.array([100.0, 100.0])}, "attribute rate with 2 values, expected one"),
        ({"rate": np.zeros(1000)}, r"attribute rate with \(1000,\) values, expected one"),
        ({"rate": np.zeros(0)}, "attribute rate with 0 values, expected one"),
        ({"rate": np.zeros(1, dtype=[("a", "f8")])}, "attribute rate = .*, expected a number"),
        ({"units": 5}, "attribute units = '5', expected a text"),
        ({"units": np.array(["kN", "N"], dtype=TEXT)}, "attribute units with 2 values, expected one"),
        ({"units": "lbf"}, "has the unit 'lbf'"),
        ({"units": h5py.Empty("S1")}, "has no unit"),
        ({"gain": 2.0}, "attribute 'gain', whose meaning is not fixed"),
        ({"scaling_factor": 2.0}, "attribute 'scaling_factor', whose meaning is not fixed"),
        ({"scale_factor": np.nan}, "scale_factor = nan"),
        ({"scale_factor": "2"}, "attribute scale_factor = '2', expected a number"),
    ],
    ids=map(str, range(100)),
)  # fmt: skip
def test_attributes_that_say_nothing_are_refused(attributes: Any, said: str, played: Any) -> None:
    with pytest.raises(ValueError, match=said):
        played(force(**attributes))


@each_row(
    ("data", "said"),
    [
        (np.zeros((3, 2)), r"has the shape \(3, 2\); expected one column"),
        (np.zeros((3, 1)), r"has the shape \(3, 1\); expected one column"),
        (np.float64(3.0), r"has the shape \(\); expected one column"),
        (h5py.Empty("f8"), "has the shape None; expected one column"),
        (np.zeros(0), "is empty"),
        (np.zeros(1), "has one sample only"),
        (np.array([0.0, np.nan, np.inf]), "holds 2 values that are not numbers, the first at sample 1"),
        (np.array(["a", "b"], dtype=TEXT), "no column 'force'; there are none; what is called so holds object"),
        (np.zeros(3, dtype=[("a", "f8")]), "no column 'force'; .* holds "),
        (np.zeros(3, dtype=complex), "no column 'force'; .* holds complex128"),
        (np.zeros(3, dtype=bool), "no column 'force'; .* holds bool"),
        (np.zeros(3, dtype=h5py.enum_dtype({"off": 0, "on": 1})), "holds names for numbers"),
        (np.zeros(3, dtype="V8"), "no column 'force'"),
    ],
    ids=map(str, range(100)),
)  # fmt: skip
def test_what_is_no_column_of_numbers_is_refused(data: Any, said: str, played: Any) -> None:
    with pytest.raises(ValueError, match=said):
        played(force(data))


def packed_times(kind: str, **attributes: Any) -> Make:
    """Times that are twice as dense as their stored numbers."""

    def make(file: h5py.File) -> None:
        with_times(RAMP.astype(kind), None)(file)
        file["entry/time"].attrs.update({"scale_factor": 0.5, "add_offset": 3.0, **attributes})

    return make


def scale_of_dimension(file: h5py.File) -> None:
    with_times(RAMP, "ms", name="x")(file)
    file["entry/x"].make_scale("time")
    file["entry/force"].dims[0].attach_scale(file["entry/x"])


EPOCH = 1_700_000_000_000_000_000  # ns


@each_row(
    ("make", "rate"),
    [
        (with_times(RAMP), 1.0),
        (with_times(RAMP, "ms"), 1e3),
        (scale_of_dimension, 1e3),
        (packed_times("f8", unit="ms"), 2e3),
        (packed_times("i4", units="ms"), 2e3),
        (with_times(RAMP, np.array(["ms"], dtype=TEXT)), 1e3),
        (with_times(RAMP, "\u03bcs"), 1e6),
        (with_times(RAMP, "milliseconds"), 1e3),
        (with_times(RAMP, "seconds since 2026-01-01 00:00:00"), 1.0),
        (with_times(EPOCH + np.arange(10) * 1000, "ns"), 1e6),
        (with_times((EPOCH + np.arange(10) * 1000).astype("u8"), "ns"), 1e6),
        (with_times(np.arange(10, dtype="u1"), "ms"), 1e3),
        (with_times(RAMP, "ms", axes="elapsed", name="elapsed"), 1e3),
        (with_times(RAMP, "ms", axes=np.array(["elapsed"], dtype=TEXT), name="elapsed"), 1e3),
        (with_times(RAMP, "ms", axes=":elapsed", name="elapsed"), 1e3),
        (with_times(RAMP, "ms", rate=1e3), 1e3),
    ],
    ids=map(str, range(100)),
)
def test_times_in_any_unit_of_time(make: Make, rate: float, played: Any) -> None:
    assert played(make, "entry/force").rate == rate


@each_row(
    ("make", "said"),
    [
        (with_times(RAMP, None), "dataset /entry/time has no unit, .*, and say so by its attribute `units`"),
        (with_times(np.arange(10), None), "dataset /entry/time has no unit"),
        (with_times(RAMP, "samples"), "dataset /entry/time is in 'samples', expected a time in s, ms"),
        (with_times(RAMP, "mm"), "dataset /entry/time is in 'mm', expected a time"),
        (with_times(RAMP, "mm", axes="way", name="way"), "does not say when it was sampled"),
        (with_times(RAMP, name="x"), "does not say when it was sampled"),
        (with_times(RAMP[:5]), "does not say when it was sampled"),
        (with_times(np.zeros((10, 2))), "does not say when it was sampled"),
        (with_times(np.array(["a"] * 10, dtype=TEXT)), "does not say when it was sampled"),
        (with_times(RAMP[::-1]), "time does not rise after sample 0"),
        (with_times(np.arange(10, 0, -1).astype("u8")), "time does not rise after sample 0"),
        (with_times(0 * RAMP), "time does not rise after sample 0"),
        (with_times(RAMP**1.5), "time is not even|a gap"),
        (with_times(RAMP * np.nan), "time of sample 0 is not a number"),
        (with_times(RAMP * 1e300), "is sampled at 1e-300 Hz"),
        (with_times(RAMP * 1e-320), "which is no rate"),
        (with_times(RAMP, "ms", rate=100.0), "rate = 100 Hz, but /entry/time beside it has 1000 Hz"),
    ],
    ids=map(str, range(100)),
)  # fmt: skip
def test_times_that_are_none_are_refused(make: Make, said: str, played: Any) -> None:
    with pytest.raises(ValueError, match=said):
        played(make, "entry/force")


def linked(what: Any) -> Make:
    def make(file: h5py.File) -> None:
        force()(file)
        file["link"] = what

    return make


def in_cycles(file: h5py.File) -> None:
    force()(file)
    group = file.create_group("group")
    group["itself"], group["root"] = group, file["/"]


def deep(file: h5py.File) -> None:
    group = file
    for _ in range(2500):
        group = group.create_group("g")


def virtual(count: int) -> Make:
    def make(file: h5py.File) -> None:
        layout = h5py.VirtualLayout(shape=(count,), dtype="f8")
        layout[:10] = h5py.VirtualSource("other.h5", "force", shape=(10,))
        file.create_virtual_dataset("force", layout).attrs.update({"rate": 100.0, "units": "kN"})

    return make


def beside_a_scale(file: h5py.File) -> None:
    with_times(RAMP)(file)
    file["entry"].attrs["NX_class"] = "NXdata"
    file["entry/scaling_factor"] = 2.0


@each_row(
    ("make", "column", "said"),
    [
        (linked(h5py.SoftLink("/link")), "link", "too many links"),
        (linked(h5py.SoftLink("/link/link")), "link/x", "too many links"),
        (linked(h5py.SoftLink("/nowhere")), "link", "no column 'link'; there are force"),
        (linked(h5py.ExternalLink("/dev/zero", "/force")), "link", "'link' is a link into another file, '/dev/zero'; copy"),
        (linked(h5py.ExternalLink("other.h5", "/")), "link/force", "'link' is a link into another file, 'other.h5'"),
        (in_cycles, "nosuch", "no column 'nosuch'; there are force"),
        (deep, "nosuch", "no column 'nosuch'; there are none"),
        (force(), "", "no column ''; there are force"),
        (force(), ".", "no column '.'; there are force"),
        (force(), "/", "no column '/'; there are force"),
        (force(), "force/x", "no column 'force/x'; there are force"),
        (force(), "a\0b", "no column"),
        (virtual(10), "force", "has its values in other files; copy them into this one"),
        (virtual(10**9), "force", "has its values in other files"),
        (without_values(10, external=[("/dev/zero", 0, 80)]), "force", "has its values in other files"),
        (without_values(10**9, chunks=(1000,)), "force", f"has 1000000000 samples, expected at most {LARGEST}"),
        (without_values(10**12, chunks=(10**6,)), "force", f"expected at most {LARGEST}"),
        (beside_a_scale, "entry/force", "'scaling_factor' stands beside dataset 'entry/force', a scale that is not applied"),
    ],
    ids=map(str, range(100)),
)  # fmt: skip
def test_links_and_sizes_are_told_before_anything_is_read(make: Make, column: str, said: str, played: Any) -> None:
    with pytest.raises(ValueError, match=said):
        played(make, column)


@pytest.mark.parametrize(
    ("links", "column"),
    [
        ({"out": "/", "link": "/out/force"}, "link"),
        ({"out": "/force", "way": "/out", "link": "/way"}, "link"),
        ({"out": "/", "link": "/out"}, "link/force"),
    ],
    ids=["group", "chain", "below"],
)
def test_a_link_that_leads_to_a_link_out_of_the_file_is_one_out_of_it(links: Any, column: str, played: Any, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "other.h5", "w") as file:
        force()(file)

    def make(file: h5py.File) -> None:
        file["out"] = h5py.ExternalLink(str(tmp_path / "other.h5"), links["out"])
        for name in list(links)[1:]:
            file[name] = h5py.SoftLink(links[name])

    with pytest.raises(ValueError, match=f"'{column}' leads into another file, .*other.h5'; copy what it means"):
        played(make, column)


def test_times_that_a_link_finds_in_another_file_are_refused(played: Any, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "other.h5", "w") as file:
        with_times(RAMP)(file)

    def make(file: h5py.File) -> None:
        file["force"] = RAMP
        file["force"].attrs["units"] = "kN"
        file["out"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "/entry")
        file["time"] = h5py.SoftLink("/out/time")

    with pytest.raises(ValueError, match="its time, 'time', leads into another file"):
        played(make)


def test_links_and_cycles_within_the_file_are_followed(played: Any) -> None:
    assert played(linked(h5py.SoftLink("/force")), "link").rate == 100.0
    assert played(in_cycles, "group/root/group/itself/itself/root/force").values[1] == 1e3


def test_a_chunk_that_unpacks_to_more_than_may_be_used_is_refused(tmp_path: Path) -> None:
    """A chunk of 120 MB, packed into a few kB."""
    path = tmp_path / "bomb.h5"
    with h5py.File(path, "w") as file:
        chunk = file.create_dataset("force", shape=(4,), maxshape=(None,), chunks=(15_000_000,), dtype="f8", compression="gzip")
        chunk.attrs.update({"rate": 100.0, "units": "kN"})
        chunk[:] = 1.0
    with ReadingProcess(megabytes=150) as process, pytest.raises(ValueError, match=r"cannot be read|memory"):
        process.call(hdf5_file.column, str(path), "force", None)


def test_a_record_that_is_being_written_is_said_to_be_in_use(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    with h5py.File(path, "w") as file:
        force()(file)
        file.flush()
        with pytest.raises(ConfigError, match=r"run\.h5: another program holds the file open for writing"):
            read(str(path), "force")
    assert read(str(path), "force").rate == 100.0


@pytest.mark.parametrize("share", [0.5, 0.9, 0.999])
def test_one_that_is_cut_is_no_file_that_is_in_use(tmp_path: Path, share: float) -> None:
    """What HDF5 says of it has the word sblock in it."""
    path = tmp_path / "cut.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("force", data=np.arange(20_000.0)).attrs["rate"] = 100.0
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(ConfigError, match="truncated") as caught:
        read(str(path), "force")
    assert "another program" not in str(caught.value)


def test_compressed_records_are_read(played: Any) -> None:
    import hdf5plugin

    def make(file: h5py.File) -> None:
        file.create_dataset("force", data=RAMP, **hdf5plugin.Bitshuffle(cname="lz4")).attrs.update({"rate": 100.0, "units": "kN"})

    assert played(make).values.tolist() == (1e3 * RAMP).tolist()
