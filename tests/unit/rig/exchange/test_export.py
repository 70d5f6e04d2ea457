"""What of a record goes into a file, and that a file is there whole or not at all."""

from __future__ import annotations

import errno
import json
import resource
from pathlib import Path

import numpy as np
import pandas
import pytest

from rig.errors import ConfigError
from rig.exchange import export as exporting
from rig.exchange.export import export
from rig.exchange.outgoing import Wanted, table
from rig.formats.writing import FORMATS
from rig.recorder.reading import RunData
from tests.tiers import quick
from tests.unit.rig.exchange.small_record import ALONE, FREQUENCY, GAP, RATE, SAMPLES, column, make


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunData:
    return make(tmp_path_factory.mktemp("run") / "0001-linkage")


def test_all_of_it_by_names_that_tell_streams_apart(run: RunData) -> None:
    made, said = table(run, Wanted())
    labels = [one.label for one in made.columns]
    assert {"command/value", "measured/stroke", "predicted/stroke", "predicted_as_measured/stroke"} <= set(labels)
    assert len(set(labels)) == len(labels) == 11
    assert (made.rate, made.samples, made.begin) == (RATE, SAMPLES, 0.0)
    assert said == ["measured: samples 5000 to 5019 are missing (lost)"]
    force = next(one for one in made.columns if one.label == "measured/transmitted_force")
    assert (force.about["sensor_serial"], force.about["sensor_sensitivity"]) == ("LC-7", 5000.0)
    assert np.isnan(force.values[GAP.first : GAP.first + GAP.count]).all()
    assert made.about["gaps"] == [{"stream": "measured", "first": 5000, "count": 20, "reason": "lost"}]
    assert len(str(made.about["record_sha256"])) == 64


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("stroke",), ["measured/stroke", "predicted_as_measured/stroke", "predicted/stroke"]),
        (("measured/stroke",), ["measured/stroke"]),
        (("command", "measured/stroke"), ["command/value", "command/phase", "command/cycle", "measured/stroke"]),
    ],
)
def test_channels_that_are_chosen(run: RunData, asked: tuple[str, ...], expected: list[str]) -> None:
    assert sorted(one.label for one in table(run, Wanted(asked))[0].columns) == sorted(expected)


def test_a_window_has_its_samples_and_no_other(run: RunData) -> None:
    made, said = table(run, Wanted(("measured/stroke",), begin=0.1, until=0.2))
    first = int(np.ceil(0.1 * RATE))
    assert made.begin == first / RATE and made.samples == int(0.2 * RATE) - first + 1
    stroke = column("measured", "stroke")
    stroke[ALONE] = np.nan
    assert np.array_equal(made.columns[0].values[0 : made.samples], stroke[first : first + made.samples], equal_nan=True)
    assert np.array_equal(made.times(0, 3), np.arange(first, first + 3) / RATE)
    assert said == [], "the gap lies before it"


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(("strok",)), "--channels strok: no such channel; there are"),
        (Wanted(begin=5.0), "--from 5: the record lasts 0.23436"),
        (Wanted(until=-1.0), "--until -1: the record lasts"),
        (Wanted(begin=0.2, until=0.1), "no two samples there"),
        (Wanted(rate=-5.0), "--rate -5: expected a rate above 0 Hz"),
        (Wanted(rate=float("nan")), "--rate nan: expected a rate above 0 Hz"),
    ],
)
def test_what_there_is_not_is_refused(run: RunData, wanted: Wanted, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        table(run, wanted)


@pytest.mark.parametrize("rate", quick([1000.0, RATE / 16.0, 12_800.0], 2))
def test_a_lower_rate_is_filtered_before_and_says_so(tmp_path: Path, rate: float) -> None:
    run = make(tmp_path / "run", gaps=False)
    made, _ = table(run, Wanted(("command", "measured/transmitted_force"), rate=rate))
    assert made.rate == rate and "Kaiser" in str(made.about["filter"])
    force = made.columns[-1]
    values = force.values[0 : made.samples]
    times = np.arange(made.samples) / rate
    inner = slice(int(0.1 * rate), int(0.13 * rate))
    assert np.abs(values[inner] - 1e4 * np.sin(2.0 * np.pi * FREQUENCY * times[inner])).max() < 30.0, "no delay, no change of size"
    cycle = next(one for one in made.columns if one.name == "cycle")
    assert set(np.unique(cycle.values[0 : made.samples])) <= set(range(8)), "a cycle is a whole number at any rate"
    assert (cycle.about["resampling"], force.about["resampling"]) == ("the sample at or before", "filtered")


def test_nothing_is_made_of_what_is_missing(run: RunData) -> None:
    made, _ = table(run, Wanted(("measured/transmitted_force",), rate=RATE / 4.0))
    lacking = np.isnan(made.columns[0].values[0 : made.samples])
    assert lacking[GAP.first // 4 : (GAP.first + GAP.count) // 4].all()
    assert not lacking[: GAP.first // 4 - 97].any() and not lacking[(GAP.first + GAP.count) // 4 + 98 :].any()


def test_a_higher_rate_is_told_to_add_nothing(run: RunData) -> None:
    assert "nothing is added" in table(run, Wanted(("command",), rate=2.0 * RATE))[1][-1]


@pytest.mark.parametrize("name", FORMATS)
def test_a_full_disk_leaves_nothing(run: RunData, name: str, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(ConfigError, match=r"--out .*cannot be written"):
            export(run, name, Wanted(until=0.2), tmp_path / f"a{FORMATS[name]}")  # a part: of the whole bluesky is only told where it lies
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.glob("*.part*")) == list(tmp_path.glob(".*")) == []
    assert not (tmp_path / f"a{FORMATS[name]}").exists()


def test_what_was_there_before_stays_when_the_disk_is_full(run: RunData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.tdms"
    export(run, "tdms", Wanted(("stroke",)), path)
    before = path.read_bytes()

    class Full:
        def refusal(self, table: object) -> str:
            return ""

        def write(self, path: Path, table: object) -> list[str]:
            path.write_bytes(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(exporting, "writer", lambda name: Full())
    with pytest.raises(ConfigError, match="No space left on device"):
        export(run, "tdms", Wanted(), path)
    assert path.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == ["a.tdms"]


def test_csv_has_the_rest_beside_it(run: RunData, tmp_path: Path) -> None:
    done = export(run, "csv", Wanted(("measured",)), tmp_path / "a.csv")
    assert [path.name for path in done.files] == ["a.csv", "a.csv.about.json"]
    about = json.loads(done.files[1].read_text())
    assert about["start_time"] == "2026-03-01T10:30:15.250000+01:00" and about["columns"]["measured/stroke"]["unit"] == "m"
    frame = pandas.read_csv(done.files[0])
    assert list(frame)[:2] == ["time[s]", "measured/transmitted_force[N]"] and len(frame) == SAMPLES
