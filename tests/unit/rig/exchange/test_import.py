"""A recording as a record: what is exported comes back, and what cannot be understood is refused before anything is written."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pytest
from nptdms import ChannelObject, TdmsWriter

from rig.errors import ConfigError
from rig.exchange import imported, mapping
from rig.exchange.export import export
from rig.exchange.imported import import_file
from rig.exchange.outgoing import Wanted
from rig.formats.writing import FORMATS
from rig.recorder.description import Gap
from rig.recorder.examination import need_readable
from rig.recorder.reading import RunData, read_run
from tests.tiers import quick
from tests.unit.rig.exchange.small_record import RATE, SAMPLES, make

NONE = mapping.Mapping_()


def given(tmp_path: Path, text: str) -> mapping.Mapping_:
    (tmp_path / "map.toml").write_text(text)
    return mapping.read(tmp_path / "map.toml")


def csv(tmp_path: Path, text: str) -> Path:
    (tmp_path / "a.csv").write_text(text)
    return tmp_path / "a.csv"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunData:
    return make(tmp_path_factory.mktemp("run") / "0001-linkage")


@pytest.mark.parametrize("name", quick([one for one in FORMATS if one != "bluesky"], ["csv", "tdms", "mat"]))  # no reader of documents
def test_what_is_exported_comes_back(run: RunData, name: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{FORMATS[name]}"
    export(run, name, Wanted(), path)
    done = import_file(path, tmp_path / "back", NONE)
    need_readable(done.record)
    back = read_run(done.record)
    assert (back.rate, back.samples) == (RATE, SAMPLES)
    assert datetime.datetime.fromisoformat(str(back.attributes["started"])) == datetime.datetime.fromisoformat(
        "2026-03-01T10:30:15.250+01:00"
    )
    assert {stream: dict(units) for stream, units in back.units.items()} == {stream: dict(units) for stream, units in run.units.items()}
    for stream, channels in run.streams.items():
        for channel, values in channels.items():
            found = back.streams[stream][channel]
            if name == "rpc3":
                assert np.allclose(found, values, rtol=1e-7, atol=0.0, equal_nan=True) or stream == "measured"
            elif name == "xlsx":
                assert np.allclose(found, values, rtol=1e-15, atol=0.0, equal_nan=True)
            else:
                assert np.array_equal(np.isnan(found), np.isnan(values)) or name == "uff58"
                there = np.isfinite(found)
                assert np.array_equal(found[there], values[there])
    assert np.isnan(back.streams["measured"]["stroke"][5000:5020]).all()


def test_a_window_comes_back_with_its_own_start(run: RunData, tmp_path: Path) -> None:
    export(run, "tdms", Wanted(("measured",), begin=0.1), tmp_path / "a.tdms")
    done = import_file(tmp_path / "a.tdms", tmp_path / "back", NONE)
    first = int(np.ceil(0.1 * RATE))
    began = datetime.datetime.fromisoformat("2026-03-01T10:30:15.250+01:00") + datetime.timedelta(seconds=first / RATE)
    assert abs((done.start - began).total_seconds()) < 2e-6
    back = read_run(done.record)
    assert np.array_equal(back.streams["measured"]["acceleration_1"][0:100], run.streams["measured"]["acceleration_1"][first : first + 100])


def test_sensors_come_back_where_the_format_carries_them(run: RunData, tmp_path: Path) -> None:
    export(run, "mdf4", Wanted(("measured",)), tmp_path / "a.mf4")
    back = read_run(import_file(tmp_path / "a.mf4", tmp_path / "back", NONE).record)
    assert back.sensors["transmitted_force"]["serial"] == "LC-7"
    assert back.sensors["transmitted_force"]["sensitivity"] == run.sensors["transmitted_force"]["sensitivity"]


TABLE = "Zeit;Kraft;Weg\nms;kN;mm\n0;1,5;0,25\n1;2,5;0,5\n2;3,5;0,75\n3;4,5;1,0\n"


def test_a_table_of_another_program_in_si(tmp_path: Path) -> None:
    done = import_file(csv(tmp_path, TABLE), tmp_path / "back", NONE)
    back = read_run(done.record)
    assert (back.rate, dict(back.units["measured"])) == (1000.0, {"Kraft": "N", "Weg": "m"})
    assert back.streams["measured"]["Kraft"] == pytest.approx([1500.0, 2500.0, 3500.0, 4500.0])
    assert [(one.source, one.scale) for one in done.channels] == [("Kraft", 1000.0), ("Weg", 0.001)]
    assert any("does not say when it began" in one for one in done.said)


def test_a_map_names_scales_and_shifts(tmp_path: Path) -> None:
    text = """
    start = 2026-03-01T10:00:00
    zone = "Europe/Berlin"
    [channels.transmitted_force]
    column = "Kraft"
    scale = -2.0
    offset = 0.5
    [channels.command]
    column = "#3"
    delay = "1 ms"
    """
    done = import_file(csv(tmp_path, TABLE), tmp_path / "back", given(tmp_path, text))
    back = read_run(done.record)
    assert back.streams["measured"]["transmitted_force"] == pytest.approx([-2500.0, -4500.0, -6500.0, -8500.0])
    assert back.streams["command"]["value"] == pytest.approx([0.5e-3, 0.75e-3, 1e-3, 1e-3]), "it was late by a sample"
    assert done.start.isoformat() == "2026-03-01T10:00:00+01:00"


def test_gaps_of_the_time_are_gaps_of_the_record(tmp_path: Path) -> None:
    rows = "".join(f"{k / 100},{k}\n" for k in range(200) if not 50 <= k < 60 and k != 120)
    done = import_file(csv(tmp_path, f"t[s],F[N]\n{rows}"), tmp_path / "back", NONE)
    back = read_run(done.record)
    assert back.gaps == [Gap("measured", 50, 10, imported.MISSING), Gap("measured", 120, 1, imported.MISSING)]
    force = back.streams["measured"]["F"]
    assert np.array_equal(np.flatnonzero(np.isnan(force)), [*range(50, 60), 120])
    assert np.array_equal(force[~np.isnan(force)], [k for k in range(200) if not 50 <= k < 60 and k != 120])
    assert any("2 gaps, 11 samples in all, the first at sample 50" in one for one in done.said)


def _rates(path: Path, begin: float = 0.0) -> Path:
    t = np.arange(2000) / 1000.0
    with TdmsWriter(str(path)) as writer:
        fast = ChannelObject("g", "fast", np.sin(2 * np.pi * 5.0 * t), {"wf_increment": 1e-3, "unit_string": "N"})
        slow = ChannelObject(
            "g", "slow", np.sin(2 * np.pi * 5.0 * (t[::4] + begin)), {"wf_increment": 4e-3, "unit_string": "N", "wf_start_offset": begin}
        )
        writer.write_segment([fast, slow])
    return path


def test_channels_of_other_rates_need_a_map_that_says_which(tmp_path: Path) -> None:
    path = _rates(tmp_path / "a.tdms")
    with pytest.raises(
        ConfigError, match=r'a\.tdms: channels have different rates \(1000 Hz: fast; 250 Hz: slow\); rate = "1000 Hz" in a map'
    ):
        import_file(path, tmp_path / "back", NONE)
    assert not (tmp_path / "back").exists()
    done = import_file(path, tmp_path / "back", given(tmp_path, 'rate = "1 kHz"'))
    found = read_run(done.record).streams["measured"]
    assert np.abs(found["slow"] - found["fast"])[400:1600].max() < 2e-5
    assert any("'slow' is brought from 250 to 1000 Hz" in one for one in done.said)


def test_a_channel_that_begins_later_stays_where_it_was(tmp_path: Path) -> None:
    done = import_file(_rates(tmp_path / "a.tdms", begin=0.0125), tmp_path / "back", given(tmp_path, 'rate = "1 kHz"'))
    found = read_run(done.record).streams["measured"]
    assert np.isnan(found["slow"][:12]).all()
    assert np.abs(found["slow"] - found["fast"])[500:1500].max() < 2e-4, "half a sample apart, and shifted by it"


@pytest.mark.parametrize(
    ("text", "map_text", "said"),
    [
        ("t[s],F[N],F[N]\n0,1,2\n1,2,3\n2,3,4\n", "", r"two columns are called 'F' \(#2 and #3\)"),
        ("t[s],F[foo]\n0,1\n1,2\n2,3\n", "", r"column 'F': 'foo' is not a unit"),
        ("t[s],F[kN]\n0,1\n0.1,2\n0.25,3\n0.31,4\n", "", r"the time \('t'\) is not even: sample \d lies"),
        ("t[s],F[kN]\n0,1\n1,2\n0.5,3\n", "", r"the time \('t'\) does not rise after sample 1"),
        ("t[s],F[kN]\n0.0,1\n0.0,2\n0.1,3\n", "", 'time = "" and rate in the map'),
        ("t[N],F[kN]\n0,1\n1,2\n2,3\n", "", r"the time \('t'\) is in 'N', expected a time"),
        ("a[m],F[kN]\n0,1\n1,2\n2,3\n", "", "column 'a' has no time and no rate"),
        ("t[s]\n0\n1\n2\n", "", "holds no channel beside its time"),
        ("Start: 2026-03-01 10:00:00\nt[s],F[N]\n0,1\n1,2\n2,3\n", "", "is a local time without its zone; zone ="),
        ("t[s],F[N]\n0,1\n1,2\n2,3\n", "[channels.x]\ncolumn = 'G'", "channels.x: no column 'G'; there are t, F"),
        ("t[s],F[N]\n0,1\n1,2\n2,3\n", "[channels.x]\ncolumn = '#7'", "there is no column #7; there are 2"),
        (
            "t[s],F[N]\n0,1\n1,2\n2,3\n",
            "[channels.x]\ncolumn = 'F'\n[channels.'measured/x']\ncolumn = 'F'",
            "two columns become measured/x",
        ),
        ("t[s],F[N]\n0,1\n1,\n2,3\n3,x\n", "", "line 5: column 'F' is 'x', which is not a number"),
        ("t[s],F[N]\n0,1\n100,2\n200,3\n", "", "is sampled at 0.01 Hz, a record at 0.1 to 2.5e.06 Hz"),
    ],
)
def test_what_cannot_be_understood_leaves_nothing(text: str, map_text: str, said: str, tmp_path: Path) -> None:
    path = csv(tmp_path, text)
    with pytest.raises(ConfigError, match=said) as caught:
        import_file(path, tmp_path / "back", given(tmp_path, map_text) if map_text else NONE)
    assert len(caught.value.problems) == 1 and "\n" not in str(caught.value) and str(path) in str(caught.value)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.csv", *(["map.toml"] if map_text else [])]


def test_a_folder_with_something_in_it_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "back").mkdir()
    (tmp_path / "back/mine").write_text("x")
    with pytest.raises(ConfigError, match="is not empty"):
        import_file(csv(tmp_path, TABLE), tmp_path / "back", NONE)


def test_a_disk_that_cannot_hold_it_is_told_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = csv(tmp_path, TABLE)
    usage = imported.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(imported.shutil, "disk_usage", lambda _: usage._replace(free=95))
    with pytest.raises(ConfigError, match=r"the record takes 9\.6e-08 GB, 9\.5e-08 GB are free there"):
        import_file(path, tmp_path / "back", NONE)
    monkeypatch.setattr(imported.shutil, "disk_usage", lambda _: usage._replace(free=96))
    import_file(path, tmp_path / "back", NONE)


def test_a_disk_that_gets_full_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> list[str]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(imported, "_write", full)
    with pytest.raises(ConfigError, match=r"--out .*back: cannot be written: No space left on device"):
        import_file(csv(tmp_path, TABLE), tmp_path / "back", NONE)
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


def test_a_wrong_map_names_every_key(tmp_path: Path) -> None:
    text = 'zon = "UTC"\nzone = "Mars/Olympus"\nrate = "1 kN"\n[channels.x]\nscale = "2"\ndelay = "1 m"\ncolum = "F"\n'
    with pytest.raises(ConfigError) as caught:
        given(tmp_path, text)
    said = " ".join(caught.value.problems)
    assert len(caught.value.problems) == 6
    for part in (
        "zon: no such key; zone is meant?", "'Mars/Olympus' is none", "rate: expected a frequency", "channels.x.scale: expected a number",
        "channels.x.delay: expected a time", "channels.x.colum: no such key; column is meant?",
    ):  # fmt: skip
        assert part in said
