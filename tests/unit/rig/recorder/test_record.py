"""The record's layout, as others read it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from silx.io.nxdata import get_default

import rig
from rig.config import load
from rig.config.plan import Plan
from rig.errors import ConfigError, RigError
from rig.host import clock
from rig.recorder.cycles.layout import row_type
from rig.recorder.description import LOST, NOT_PUBLISHED, Event, Gap, StreamShape, describe
from rig.recorder.reading import read_run
from rig.recorder.record import Record
from tests.unit.rig.recorder.recorder_rig import BENCH_TEXT, EXPERIMENT_TEXT, NAMES, RATE, description, samples, shape

CONFIGS = Path(__file__).parents[4] / "configs/experiments"

N = 2345  # samples: some chunks and a bit


def write(path: Path, ends: dict[str, int], close: bool = True) -> Record:
    """A record in which the stream `name` has ends[name] samples."""
    record = Record(path, description())
    for name in ends:
        record.stream(shape(name))
    for start in range(0, max(ends.values()), 100):
        for name, end in ends.items():
            record.append(name, start, samples(name, start, max(0, min(100, end - start))))
        record.flush(0.05)
    record.event(Event(100, 100 / RATE, "bench", "state", "running"))
    record.event(Event(None, None, "supervisor", "note", "Δ ok"))
    if close:
        record.close()
    return record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.h5"


def test_layout_is_the_published_one(path: Path) -> None:
    write(path, dict.fromkeys(NAMES, N))
    with h5py.File(path, "r") as file:
        for stream, names in NAMES.items():
            assert set(file[f"entry/{stream}"]) == set(names)
            for column, name in enumerate(names):
                dataset = file[f"/entry/{stream}/{name}"]
                assert dataset.dtype == np.float64
                np.testing.assert_array_equal(dataset, samples(stream, 0, N)[:, column])
                assert (dataset.attrs["first_sample"], dataset.attrs["rate"]) == (0, RATE)
                assert dataset.attrs["units"] == shape(stream).units[column]
        np.testing.assert_array_equal(file["/entry/time"], np.arange(N) / RATE)
        force = file["/entry/measured/transmitted_force"]
        assert (force.attrs["volts_scale"], force.attrs["volts_offset"]) == (5000.0, 12.5)
        assert not {"volts_scale", "volts_offset", "tare"} & set(file["/entry/predicted_as_measured/transmitted_force"].attrs), "no volts"
        assert file["/entry/config/experiment"].asstr()[()] == EXPERIMENT_TEXT
        assert file["/entry/config/bench"].asstr()[()] == BENCH_TEXT
        sensors = file["/entry/sensors"]
        assert {name: bool(sensors[name].attrs["expired"]) for name in sensors} == {
            "transmitted_force": True, "stroke": False, "acceleration_1": False,
        }  # fmt: skip
        assert sensors.attrs["expired"] == "transmitted_force"
        assert sensors["transmitted_force"].attrs["serial"] == "LC-7"
        assert sensors["acceleration_1"].attrs["terminal"] == "Dev1/ai2"
        assert file["/entry/events"].dtype.names == ("sample", "time", "source", "kind", "text")
        assert [row["text"].decode() for row in file["/entry/events"][()]] == ["running", "Δ ok"]
        assert list(file["/entry/events"]["sample"]) == [100, -1]
        assert file["/entry/gaps"].dtype.names[:3] == ("stream", "first", "count")
        assert len(file["/entry/gaps"]) == 0


def test_what_was_run_is_said_by_attributes(path: Path) -> None:
    record = write(path, {"measured": N}, close=False)
    assert record.close(outcome="passed") == []
    assert record.close() == [], "closed already"
    with h5py.File(path, "r") as file:
        entry = file["entry"]
        assert dict(file.attrs) == {"NX_class": "NXroot", "default": "entry"}
        told = {"run": "0001-linkage", "started": "2026-01-01T00:00:00+00:00", "rig_version": rig.__version__, "compression": "none"}
        assert dict(entry.attrs) == {"NX_class": "NXentry", "default": "overlay", "complete": True, "outcome": "passed", **told}
        assert entry["title"].asstr()[()] == "Linkage"
        classes = {"measured": "NXcollection", "config": "NXcollection", "sensors": "NXcollection", "sensors/stroke": "NXsensor"}
        assert {name: entry[name].attrs["NX_class"] for name in classes} == classes
        overlay = {"NX_class": "NXdata", "signal": "measured", "title": "Linkage: transmitted_force"}
        assert {name: entry["overlay"].attrs[name] for name in overlay} == overlay


def test_gross_value_and_volts_can_be_had_back(path: Path) -> None:
    sensors = {"transmitted_force": {"sensitivity": 25e3, "offset": 100.0, "tare": 740.0, "expired": False}}
    record = Record(path, description(sensors=sensors))
    record.stream(shape("measured"))
    volts = np.linspace(-1.0, 1.0, 10)
    net = 25e3 * volts + 100.0 - 740.0
    record.append("measured", 0, np.tile(net[:, None], (1, len(NAMES["measured"]))))
    record.close()
    with h5py.File(path, "r") as file:
        force = file["/entry/measured/transmitted_force"]
        np.testing.assert_allclose(force[()] + force.attrs["tare"], 25e3 * volts + 100.0)
        np.testing.assert_allclose((force[()] - force.attrs["volts_offset"]) / force.attrs["volts_scale"], volts, atol=1e-12)
        assert file["/entry/sensors/transmitted_force"].attrs["tare"] == 740.0


def test_sensors_of_before_there_were_tares_have_none(path: Path) -> None:
    record = Record(path, description(sensors={"stroke": {"sensitivity": -0.01, "offset": 0.25, "expired": False}}))
    record.stream(shape("measured"))
    record.close()
    with h5py.File(path, "r") as file:
        stroke = file["/entry/measured/stroke"].attrs
        assert (stroke["volts_scale"], stroke["volts_offset"], stroke["tare"]) == (-0.01, 0.25, 0.0)


def plotted(path: Path):
    with h5py.File(path, "r") as file:
        plot = get_default(file)
        assert plot is not None
        assert plot.is_valid
        curves = {"measured": plot.signal[()], **{name: data[()] for name, data in zip(plot.auxiliary_signals_dataset_names,
                                                                                        plot.auxiliary_signals, strict=True)}}  # fmt: skip
        return plot.signal_dataset_name, curves, plot.axes[0][()]


def test_silx_plots_measured_and_predicted_force_by_default(path: Path) -> None:
    write(path, dict.fromkeys(NAMES, N))
    signal, curves, time = plotted(path)
    assert signal == "measured"
    assert list(curves) == ["measured", "predicted"]
    np.testing.assert_array_equal(curves["measured"], samples("measured", 0, N)[:, 0])
    np.testing.assert_array_equal(curves["predicted"], samples("predicted_as_measured", 0, N)[:, 0])
    np.testing.assert_array_equal(time, np.arange(N) / RATE)
    with h5py.File(path, "r") as file:  # one copy of the samples, not two
        assert file["entry/overlay/measured"] == file["entry/measured/transmitted_force"]
        assert file["entry/overlay/predicted"] == file["entry/predicted_as_measured/transmitted_force"]


def test_the_default_plot_is_what_is_judged() -> None:
    """Of a motor rig: the first channel that is predicted is the angle that the model follows, which agrees with itself."""
    setup = load(CONFIGS / "four_bar_rig.toml")
    plan = Plan("0001-a", Path(), Path(), setup.experiment, setup.bench, "", "")
    assert describe(plan).shown == "acceleration"
    linkage = load(CONFIGS / "linkage.toml")
    assert describe(replace(plan, experiment=linkage.experiment, bench=linkage.bench)).shown == ""


def test_another_channel_may_be_the_default_plot(path: Path) -> None:
    for shown, name in (("stroke", "stroke"), ("none of them", "transmitted_force")):
        record = Record(path, description(shown=shown))
        for stream in ("measured", "predicted_as_measured"):
            record.stream(StreamShape(stream, ("transmitted_force", "stroke"), ("N", "m"), RATE))
            record.append(stream, 0, np.ones((10, 2)))
        record.close()
        with h5py.File(path, "r") as file:
            assert file["entry/overlay/measured"] == file[f"entry/measured/{name}"]
            assert file["entry/overlay/predicted"] == file[f"entry/predicted_as_measured/{name}"]
        path.unlink()


def test_a_predictor_that_died_leaves_a_record_that_plots(path: Path) -> None:
    ends = {"command": N, "measured": N, "predicted": 1234, "predicted_as_measured": 1200}
    write(path, ends)
    _, curves, _ = plotted(path)
    np.testing.assert_array_equal(curves["predicted"][:1200], samples("predicted_as_measured", 0, 1200)[:, 0])
    assert np.isnan(curves["predicted"][1200:]).all()
    gaps = {(gap.stream, gap.first, gap.count, gap.reason) for gap in read_run(path).gaps}
    assert gaps == {("predicted", 1234, N - 1234, NOT_PUBLISHED), ("predicted_as_measured", 1200, N - 1200, NOT_PUBLISHED)}


def test_without_a_predictor_the_measured_force_is_plotted(path: Path) -> None:
    write(path, {"command": N, "measured": N})
    signal, curves, _ = plotted(path)
    assert (signal, list(curves)) == ("measured", ["measured"])


@pytest.mark.parametrize("first", [0, 1, 799, 800, 801, 1550])
@pytest.mark.parametrize("count", [1, 800, 2400])
def test_rows_stay_in_place_over_a_gap(path: Path, first: int, count: int) -> None:
    record = Record(path, description())
    record.stream(shape("measured"))
    for start in range(0, first, 70):
        record.append("measured", start, samples("measured", start, min(70, first - start)))
        record.flush(0.0)
    record.gap(Gap("measured", first, count, LOST))
    record.append("measured", first + count, samples("measured", first + count, 900))
    record.close()
    run = read_run(path)
    expected = samples("measured", 0, first + count + 900)
    expected[first : first + count] = np.nan
    for column, name in enumerate(NAMES["measured"]):
        np.testing.assert_array_equal(run.streams["measured"][name], expected[:, column])
    assert run.gaps == [Gap("measured", first, count, LOST)]


def test_a_flush_brings_what_waited_and_an_open_record_can_be_read(path: Path) -> None:
    record = write(path, {"measured": N, "predicted": N - 10}, close=False)
    record.flush(0.0)
    assert len(record._entry["time"]) == N, "as long as the longest stream"
    run = read_run(path)
    assert (run.complete, run.samples) == (False, N)
    np.testing.assert_array_equal(run.streams["predicted"]["stroke"][: N - 10], samples("predicted", 0, N - 10)[:, 2])
    assert np.isnan(run.streams["predicted"]["stroke"][N - 10 :]).all()
    record.abandon()


def test_what_a_kill_leaves_behind_can_be_read_from_the_first_moment_on(path: Path, tmp_path: Path) -> None:
    """A copy of the file as the operating system has it, while the record is open."""

    def left() -> list[str]:
        shutil.copy(path, tmp_path / "left.h5")
        with h5py.File(tmp_path / "left.h5", "r") as file:
            return sorted(file["entry"])

    record = Record(path, description())
    begun = ["config", "events", "gaps", "sensors", "title"]
    assert left() == begun
    record.flush()
    record.stream(shape("measured"))
    record.flush()
    assert left() == sorted([*begun, "measured", "time"])
    record.event(Event(100, 0.01, "bench", "state", "running"))
    record.flush()
    left()
    with h5py.File(tmp_path / "left.h5", "r") as file:
        assert [row["text"].decode() for row in file["entry/events"][()]] == ["running"]
    record.abandon()


def test_a_flush_leaves_what_has_not_waited_long_enough(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk that is not full may still fill: it is written once, whole, unless it has waited."""
    now = [10.0]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    record = Record(path, description())
    record.stream(shape("measured"))
    record.append("measured", 0, samples("measured", 0, 100))
    for at, rows in ((10.0, 0), (10.49, 0), (10.5, 100)):
        now[0] = at
        record.flush(0.5)
        assert record._columns["measured"].rows == rows
        assert len(record._entry["time"]) == rows
    record.abandon()


def test_rows_of_cycles_wait_as_samples_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fast test ends a cycle with nearly every block: a file brought to the system each time was half of what the recorder did."""
    now = [10.0]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    record = Record(path, description(cycles=True))
    measured = shape("measured")
    record.stream(measured)
    rows = np.zeros(3, row_type(measured.channels, description().whole))
    for at, ends, written in ((10.0, 3, 0), (10.3, 6, 0), (10.5, 9, 9), (10.6, 12, 9)):
        now[0], rows["cycle"] = at, np.arange(ends - 3, ends)
        record.cycles("measured", rows.copy())
        record.flush(0.5)
        assert len(record._entry["cycles/measured"]) == written
    record.close()
    with h5py.File(path) as file:
        assert file["entry/cycles/measured"]["cycle"].tolist() == list(range(12))


def test_reading_gives_all_or_a_part(path: Path) -> None:
    write(path, dict.fromkeys(NAMES, N))
    for given in (path, path.parent):
        run = read_run(given)
        assert {stream: tuple(channels) for stream, channels in run.streams.items()} == NAMES
        assert run.units["measured"] == {"transmitted_force": "N", "stroke": "m", "acceleration_1": "m/s^2"}
        assert (run.rate, run.first_sample, run.samples, run.complete) == (RATE, 0, N, True)
        assert (run.experiment_text, run.bench_text) == (EXPERIMENT_TEXT, BENCH_TEXT)
        assert run.events == [Event(100, 0.01, "bench", "state", "running"), Event(None, None, "supervisor", "note", "Δ ok")]
        assert run.sensors["stroke"]["sensitivity"] == -0.01
        assert run.attributes["run"] == "0001-linkage"
        np.testing.assert_array_equal(run.channel("measured", "stroke", 1000, 50), samples("measured", 1000, 50)[:, 1])
        np.testing.assert_array_equal(run.streams["measured"]["stroke"], run.channel("measured", "stroke"))
        assert len(run.channel("measured", "stroke", N - 5, 50)) == 5


def test_what_is_no_record_is_said_in_one_sentence(path: Path) -> None:
    with pytest.raises(ConfigError, match="no such record"):
        read_run(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_run(path)
    path.unlink()
    with h5py.File(path, "w") as file:
        file["something"] = 1
    with pytest.raises(ConfigError, match="not a readable record"):
        read_run(path)
    path.unlink()
    write(path, {"measured": 10})
    with pytest.raises(ConfigError, match=r"no channel 'torque' in stream 'measured'.*transmitted_force"):
        read_run(path).channel("measured", "torque")


def test_an_existing_record_is_never_written_over(path: Path) -> None:
    path.write_bytes(b"precious")
    with pytest.raises(RigError, match=r"run\.h5"):
        Record(path, description())
    assert path.read_bytes() == b"precious"


def test_a_compressed_record_holds_the_same_samples(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    codes = np.rint(rng.normal(0.0, 200.0, (40_000, len(NAMES["measured"])))) * 2.0**-10  # a converter's: few of the 53 bits
    sizes = {}
    for compression in ("none", "bitshuffle_lz4"):
        record = Record(tmp_path / f"{compression}.h5", description(compression=compression))
        record.stream(shape("measured"))
        for start in range(0, len(codes), 100):  # blocks and flushes that cut chunks anywhere
            record.append("measured", start, codes[start : start + 100])
            record.flush(0.0 if start % 700 == 0 else 1.0)
        record.gap(Gap("measured", 40_000, 3000, LOST))
        record.append("measured", 43_000, codes[:50])
        record.close()
        run = read_run(tmp_path / f"{compression}.h5")
        expected = np.concatenate([codes, np.full((3000, codes.shape[1]), np.nan), codes[:50]])
        np.testing.assert_array_equal(np.column_stack(list(run.streams["measured"].values())), expected)
        sizes[compression] = (tmp_path / f"{compression}.h5").stat().st_size
    assert sizes["bitshuffle_lz4"] < 0.6 * sizes["none"]


def test_nothing_new_is_not_flushed_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`flushed_at` says when something last went to the file; an event counts, and so does a stream that is new."""
    now = [100.0]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    record = Record(path, description())
    record.stream(shape("measured"))
    for at, new, expected in ((101.0, "stream", 101.0), (102.0, "", 101.0), (103.0, "samples", 103.0), (104.0, "", 103.0),
                              (105.0, "event", 105.0), (106.0, "", 105.0)):  # fmt: skip
        now[0] = at
        if new == "samples":
            record.append("measured", 0, samples("measured", 0, 100))
        if new == "event":
            record.event(Event(1, 0.1, "bench", "state", "running"))
        record.flush()
        assert record.flushed_at == expected, (at, new)
    record.abandon()


def test_what_hdf5_keeps_in_memory_is_less_than_it_would_by_itself(path: Path) -> None:
    """1 MiB of chunks for each dataset, and up to 32 MiB of their index, are its defaults; what is kept of the index does not grow."""
    record = write(path, {"measured": 100}, close=False)
    file = record._file.id
    assert file.get_access_plist().get_cache()[2] <= 2**18
    index = file.get_mdc_config()
    assert index.min_size == index.max_size <= 2**20
    record.abandon()


def test_a_record_of_nothing_is_complete_and_empty(path: Path) -> None:
    record = Record(path, description())
    assert record.close() == []
    assert record.close() == [], "once"
    with h5py.File(path, "r") as file:
        assert file["entry"].attrs["complete"]
        assert not {"measured", "time", "overlay"} & set(file["entry"])


def test_time_is_that_of_the_test_alone(path: Path) -> None:
    """What went before it has an index of its own."""
    record = Record(path, description())
    record.stream(StreamShape("preparation", ("force",), ("N",), RATE, 0))
    record.append("preparation", 0, np.ones((500, 1)))
    record.close()
    with h5py.File(path, "r") as file:
        assert len(file["entry/preparation/force"]) == 500
        assert len(file["entry/time"]) == 0
