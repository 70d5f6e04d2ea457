"""A rate that is said twice: read with the unit in its name, and refused where it is another one."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
import pytest

from tests.each_row import each_row
from tests.unit.rig.playback.hdf5_drive import RAMP, Make, beside, force

OF_100_HZ: dict[str, Any] = {
    "Rate": 100.0, "RATE": 100, "rate_hz": 100.0, "rate_khz": 0.1, "rate_in_kHz": 0.1, "rateInKHz": 0.1, "sampleRateKHz": 0.1,
    "rate_MHz": 1e-4, "rate_mHz": 1e5, "SamplingFrequencyHz": 100.0, "sampling frequency [Hz]": 100.0, "fs_hz": 100.0, "Fs": 100.0,
    "odr": 100.0, "Abtastrate": 100.0, "Abtastfrequenz": 100.0, "daq_rate": 100.0, "AcquisitionRate": 100.0, "samples_per_ms": 0.1,
    "samples_per_second": 100.0, "SamplesPerSec": 100, "points_per_s": 100.0, "samples/s": 100.0, "fps": 100.0, "nyquist_frequency": 50.0,
    "timebase": 0.01, "cycle_time_ms": 10.0, "sampling_step": 0.01, "Messintervall": 0.01, "scans per minute": 6000.0,
    "sampling": "100 Hz", "sample_rate": "0.1 kHz", "sampling_rate": "100 S/s", "sps": 100, "khz": 0.1, "dt": 0.01, "dt_ms": 10.0,
    "dtMs": 10, "dt_us": 1e4, "delta": 0.01, "delta_t_ms": 10.0, "DeltaT": 0.01, "interval_ms": 10.0, "sampling_interval_in_us": 1e4,
    "SampleIntervalMs": 10.0, "period_s": 0.01, "sample_period": "10 ms", "ms_per_sample": 10.0, "seconds_per_sample": 0.01,
    "TimeIncrement": 0.01, "Abtastintervall": 0.01, "gridSpacing": np.array([0.01]), "x_spacing": 0.01,
}  # fmt: skip
"""What is true of a drive of 100 Hz, by the meaning of each name."""
IN_GROUPS = [key for key in OF_100_HZ if any(word in key.lower() for word in ("sampl", "abtast", "acq", "daq", "rate", "dt_ms", "fs"))]


def halved(value: Any) -> Any:
    """Half of a number, with the unit that it has."""
    if isinstance(value, str):
        number, unit = value.split()
        return f"{float(number) / 2:g} {unit}"
    return value / 2


def of_groups(said: dict[str, Any], where: str = "rig") -> Make:
    def make(file: h5py.File) -> None:
        force()(file)
        file.move("force", "rig/daq/force")
        file[where].attrs.update(said)

    return make


@each_row("key", OF_100_HZ)
def test_the_rate_is_understood_with_its_unit_or_refused(key: str, played: Any) -> None:
    assert played(force(**{key: OF_100_HZ[key]})).rate == 100.0
    with pytest.raises(ValueError, match="dataset 'force' has 100 Hz, but also the attribute"):
        played(force(**{key: halved(OF_100_HZ[key])}))


@each_row("key", IN_GROUPS)
@each_row(("where", "who"), [("rig/daq", "its group has"), ("rig", "the group '/rig' above it has"), ("/", "the group '/' above it has")])
def test_what_the_groups_say_of_it(key: str, where: str, who: str, played: Any) -> None:
    assert played(of_groups({key: OF_100_HZ[key]}, where), "rig/daq/force").rate == 100.0
    with pytest.raises(ValueError, match=f"has 100 Hz, but {who} the attribute"):
        played(of_groups({key: halved(OF_100_HZ[key])}, where), "rig/daq/force")


@pytest.mark.parametrize(("key", "factor"), [("duration", 1.0), ("duration_ms", 1e3), ("record_length_s", 1.0), ("TotalTime", 1.0)])
def test_how_long_all_of_it_is(key: str, factor: float, played: Any) -> None:
    """Ten samples at 100 Hz take 0.1 s, or 0.09 s from the first to the last."""
    for true in (0.1, 0.09):
        assert played(force(**{key: factor * true})).rate == 100.0
    with pytest.raises(ValueError, match=f"has 10 samples at 100 Hz, which take 0.1 s, but the attribute {key} = "):
        played(force(**{key: factor * 0.2}))


@pytest.mark.parametrize(("key", "value"), [("fs", 50.0), ("dt", [0.02]), ("sampling_rate", 50)])
def test_a_rate_in_a_dataset_of_one_value_beside_it(key: str, value: Any, played: Any) -> None:
    with pytest.raises(ValueError, match=f"dataset 'force' has 100 Hz, but beside it stands {key} = "):
        played(beside(key, value))
    assert played(beside(key, 0.01 if key == "dt" else 100.0)).rate == 100.0


@pytest.mark.parametrize(
    "key", ["decimation", "DecimationFactor", "downsample", "downsampling", "oversampling", "subsampled_by", "divider"]
)
def test_samples_that_were_left_out(key: str, played: Any) -> None:
    """The rate may be that before or after it."""
    assert played(force(**{key: 1})).rate == 100.0
    with pytest.raises(ValueError, match=f"also the attribute {key} = 2, so that it is open what its rate is of"):
        played(force(**{key: 2}))


@pytest.mark.parametrize("key", ["rate_unit", "rateUnits", "sample_rate_unit", "SamplingRateUnits", "dt_units"])
def test_the_unit_of_a_rate(key: str, played: Any) -> None:
    assert played(force(**{key: "s" if "dt" in key else "Hz"})).rate == 100.0
    with pytest.raises(ValueError, match=f"has the attribute {key} = 'kHz'; write its rate in Hz"):
        played(force(**{key: "kHz"}))


@each_row(
    "attributes",
    [
        {"cutoff_frequency": 20.0}, {"filter_frequency_Hz": 20.0}, {"test_frequency": 3.0}, {"load_rate_kN_s": 5.0}, {"strain_rate": 1e-3},
        {"calibration_interval": "1 year"}, {"rate_source": "clock"}, {"sampling": "continuous"}, {"frequency_unit": "Hz"},
        {"sampled": True},
    ],
    ids=str,
)  # fmt: skip
def test_rates_of_other_things(attributes: Any, played: Any) -> None:
    assert played(force(**attributes)).rate == 100.0


def times(said: dict[str, Any], **at: tuple[Any, str]) -> Make:
    """A column with datasets of times, and what its attributes say beside."""

    def make(file: h5py.File) -> None:
        file["entry/force"] = RAMP
        file["entry/force"].attrs.update({"units": "kN", **said})
        for name, (values, unit) in at.items():
            place = file["entry"].create_dataset(name, data=values) if name != "above" else file.create_dataset("time", data=values)
            place.attrs["units"] = unit
            if name == "scale":
                place.make_scale("t")
                file["entry/force"].dims[0].attach_scale(place)

    return make


MS = (RAMP, "ms")
OTHER = (3.0 * RAMP, "ms")


@each_row(
    ("make", "said"),
    [
        (times({"Rate": 500.0}, time=MS), "has 1000 Hz, but also the attribute Rate = 500"),
        (times({"dt_ms": 2.0}, time=MS), "has 1000 Hz, but also the attribute dt_ms = 2"),
        (times({}, scale=MS, time=OTHER), "has 1000 Hz by /entry/scale, but /entry/time has 333.333 Hz; correct one"),
        (times({}, time=MS, above=OTHER), "has 1000 Hz by /entry/time, but /time has 333.333 Hz"),
        (times({}, time=MS, Timestamps=OTHER), "has 1000 Hz by /entry/time, but /entry/Timestamps has 333.333 Hz"),
        (times({"rate": 1000.0}, scale=OTHER), "rate = 1000 Hz, but /entry/scale beside it has 333.333 Hz"),
        (times({"rate": 1000.0}, Time=OTHER), "rate = 1000 Hz, but /entry/Time beside it has 333.333 Hz"),
        (times({"rate": 1000.0}, above=OTHER), "rate = 1000 Hz, but /time above it has 333.333 Hz"),
    ],
    ids=map(str, range(20)),
)
def test_times_that_contradict_the_rate_or_each_other(make: Make, said: str, played: Any) -> None:
    with pytest.raises(ValueError, match=said):
        played(make, "entry/force")


def test_times_that_agree(played: Any) -> None:
    assert played(times({"rate": 1e3, "Rate": 1e3}, scale=MS, time=(RAMP / 1e3, "s"), t=MS, above=MS), "entry/force").rate == 1e3


def test_a_rate_that_the_times_themselves_have(played: Any) -> None:
    def make(file: h5py.File) -> None:
        times({}, time=MS)(file)
        file["entry/time"].attrs.update({"rate": 500.0, "interval": 1})  # the latter is a number of samples in NWB

    with pytest.raises(ValueError, match="has 1000 Hz, but /entry/time has the attribute rate = 500"):
        played(make, "entry/force")


@pytest.mark.parametrize(("key", "text"), [("EU", "ms"), ("unit_string", "min"), ("long_name", "elapsed (ms)")])
def test_times_that_have_a_second_unit(key: str, text: str, played: Any) -> None:
    def make(file: h5py.File, said: str) -> None:
        times({}, time=(RAMP, "s"))(file)
        file["entry/time"].attrs[key] = said

    assert played(lambda file: make(file, "elapsed (s)" if "name" in key else "seconds"), "entry/force").rate == 1.0
    with pytest.raises(ValueError, match=f"dataset '/entry/time' is in s, but has the attribute {key} = "):
        played(lambda file: make(file, text), "entry/force")


@pytest.mark.parametrize("name", ["Time", "t", "timestamps", "TIME"])
def test_times_under_other_names(name: str, played: Any) -> None:
    assert played(times({}, **{name: MS}), "entry/force").rate == 1000.0


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (times({"Rate": 50.0}), "; there is the attribute Rate, which is not taken for one: write rate, in Hz, on the dataset"),
        (times({"dt_ms": 50.0}), "; there is the attribute dt_ms, which"),
        (times({}, Time=(RAMP, "V")), "; /entry/Time has the unit 'V', expected one of time"),
        (times({}, time=(RAMP[:9], "s")), r"; /entry/time has the shape \(9,\), not \(10,\)"),
    ],
    ids=map(str, range(20)),
)
def test_what_is_there_is_named_where_nothing_says_the_rate(make: Make, said: str, played: Any) -> None:
    with pytest.raises(ValueError, match=f"dataset 'entry/force' does not say when it was sampled; .*{said}"):
        played(make, "entry/force")


def test_a_rate_of_the_group_alone_is_named(played: Any) -> None:
    def make(file: h5py.File) -> None:
        times({})(file)
        file["entry"].attrs["sampling_rate"] = 50.0

    with pytest.raises(ValueError, match=r"there is the attribute sampling_rate \(of /entry\), which is not taken for one"):
        played(make, "entry/force")
