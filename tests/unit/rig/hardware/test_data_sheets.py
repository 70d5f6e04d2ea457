"""What sensors say of themselves: beside their records, and instead of them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from changed_files import LOAD_CELL

from rig import commands
from rig.commands.bench import devices
from rig.commands.running.run import by_data_sheets
from rig.config import load, load_bench, tares
from rig.config.bench import Bench, InputChannel, Sensor
from rig.errors import ConfigError
from rig.hardware import data_sheets
from rig.hardware.data_sheets import adopt, disagreements
from rig.virtual.virtual_bench import Hardware
from tests.each_row import each_row
from tests.unit.rig.hardware.still_bench import BRIDGE, CONFIGS, Still, error_of, served

EXPERIMENT = str(CONFIGS / "experiments" / "linkage.toml")
BUMP = InputChannel("bump", "m/s^2", "Dev1/ai0", Sensor(-100.0, serial="SN 0123"), kind="iepe")


@dataclass(frozen=True)
class Sheet:
    serial: int = 123
    gain: float | None = 100.0
    in_words: str = "manufacturer 17, model 1A1, serial 123"


@each_row(
    ("channel", "sheet", "words"),
    [
        (BUMP, Sheet(), []),
        (BUMP, Sheet(gain=100.9), []),
        (BUMP, Sheet(serial=1230), ["bump: the sensor on Dev1/ai0 is serial 1230 by its TEDS, expected 'SN 0123'"]),
        (BUMP, Sheet(gain=103.0), ["expected 100 m/s^2/V as in its record, got 103 from its TEDS (+3.0%): enter what"]),
        (BUMP, Sheet(gain=None), ["expected a sensor in m/s^2 on Dev1/ai0, its TEDS is of another one"]),
        (replace(BUMP, sensor=Sensor(100.0)), Sheet(serial=7), []),
        (replace(BUMP, teds=True), Sheet(gain=103.0), []),
        (replace(BUMP, teds=True), Sheet(serial=7), ["is serial 7 by its TEDS"]),
    ],
)
def test_in_what_a_sheet_is_another_sensors(channel: InputChannel, sheet: Sheet, words: list[str]) -> None:
    found = disagreements(channel, sheet)
    assert len(found) == len(words)
    for text, word in zip(found, words, strict=True):
        assert word in text


def of(*channels: InputChannel) -> Bench:
    return Bench("a bench", None, channels)


def test_the_sensitivity_is_the_sensors_and_the_sign_the_records() -> None:
    plain = replace(BUMP, name="plain", sensor=Sensor(50.0))
    mounted = replace(BUMP, teds=True, sensor=Sensor(-90.0))
    bench, said = adopt(of(mounted, plain), {"bump": Sheet(), "plain": Sheet()})
    assert [channel.sensor.sensitivity for channel in bench.channels] == [-100.0, 50.0]
    assert (bench.channels[0].sensor.serial, bench.channels[1].sensor.serial) == ("123", "")
    assert said == ["bump: -100 m/s^2/V from its TEDS (manufacturer 17, model 1A1, serial 123)"]


def test_a_sensor_that_says_nothing_or_is_another_one_is_refused() -> None:
    with pytest.raises(ConfigError, match="bump: teds = true, but no sensor with a data sheet answers on Dev1/ai0"):
        adopt(of(replace(BUMP, teds=True)), {})
    with pytest.raises(ConfigError, match="expected 'SN 0123' as in its record"):
        adopt(of(replace(BUMP, teds=True)), {"bump": Sheet(serial=9)})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[tuple[Still, Path]]:
    with served(tmp_path) as (plant, path, engine):
        engine.nonvolatile.sensors["dev2/ai0"] = LOAD_CELL
        yield plant, path
        assert not engine.tasks


def with_bridge(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in BRIDGE
    path.write_text(text.replace(BRIDGE, BRIDGE.replace(old, new)), encoding="utf-8")


def test_devices_lists_them_and_warns(bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, path = bench
    words = ["devices", "--teds", str(path), "--json"]
    assert commands.main(words) == 0
    data = json.loads(capsys.readouterr().out)
    (row,) = data["data_sheets"]
    assert (row["channel"], row["terminal"], row["serial"], row["used"]) == ("bridge_force", "Dev2/ai0", 12345, False)
    assert row["sensitivity"] == pytest.approx(12.5e6, rel=1e-6)
    assert (row["disagrees"], data["warnings"]) == ([], [])
    with_bridge(path, 'capacity = "250 kN"', 'capacity = "250 kN"\nserial = "LC-1"')
    assert commands.main(words) == 0
    assert "is serial 12345 by its TEDS, expected 'LC-1'" in capsys.readouterr().err


@pytest.mark.parametrize(("line", "expected"), [("", 2000.0), ("teds = true", 1000.0)])
def test_a_tare_is_taken_with_the_sensitivity_that_the_sensor_tells(bench: tuple[Still, Path], line: str, expected: float) -> None:
    """The record says twice what the sensor does."""
    plant, path = bench
    plant.zero = 1000.0
    with_bridge(path, 'kind = "force_bridge"', f'kind = "force_bridge"\n{line}')
    path.write_text(path.read_text(encoding="utf-8").replace('"12.5 MN/V"', '"25 MN/V"'), encoding="utf-8")
    assert commands.main(["tare", str(path), "--channel", "bridge_force"]) == 0
    kept = json.loads(tares.tare_path(path).read_text(encoding="utf-8"))
    assert kept["channels"]["bridge_force"]["tare"] == pytest.approx(expected, abs=5.0)


def test_a_shunt_is_expected_to_do_what_it_does_to_that_sensor(bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, path = bench
    with_bridge(path, 'kind = "force_bridge"', 'kind = "force_bridge"\nteds = true')
    path.write_text(path.read_text(encoding="utf-8").replace('"12.5 MN/V"', '"25 MN/V"'), encoding="utf-8")
    assert commands.main(["shunt", str(path), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["channels"]
    assert row["expected"] == pytest.approx(12.5e6 * 10.0 * 350.0 / 400_700.0, rel=1e-5)


def test_only_where_a_sensor_can_describe_itself(bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, path = bench
    with pytest.raises(ConfigError, match=r"teds=true: expected kind iepe in m/s\^2 or force_bridge in N, got voltage in N"):
        load_bench(path, ["bench.channels.transmitted_force.teds=true"])
    with_bridge(path, 'kind = "force_bridge"', 'kind = "force_bridge"\nteds = true\n')
    assert commands.main(["calibrate", str(path), "--channel", "bridge_force", "--reference-uncertainty", "1 %"]) == 2
    assert "its sensitivity comes from the sensor" in error_of(capsys)


def test_check_tells_and_a_run_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(data_sheets, "read", lambda bench: {"transmitted_force": Sheet(gain=50e3)})
    with served(tmp_path, bridge=False) as (_, path, _engine):
        assert commands.main(["check", EXPERIMENT, "--bench", str(path), "--json"]) == 0
        data: Any = json.loads(capsys.readouterr().out)
        setup = load(EXPERIMENT, [], path)
        assert by_data_sheets(setup) is setup
        force, *others = setup.bench.channels
        force = replace(force, kind="force_bridge", teds=True, sensor=replace(force.sensor, serial=""))
        asked = replace(setup.bench, channels=(force, *others))
        ran = by_data_sheets(replace(setup, bench=asked))
    row = next(one for one in data["channels"] if one["channel"] == "transmitted_force")
    assert row["teds"]["sensitivity"] == 50e3
    assert any("got 50000 from its TEDS (+100.0%)" in text for text in data["warnings"])
    assert next(one for one in data["channels"] if one["channel"] == "stroke")["teds"] is None
    assert ran.bench.channels[0].sensor.sensitivity == 50e3
    assert ran.bench_text.endswith("# transmitted_force: 50000 N/V from its TEDS (manufacturer 17, model 1A1, serial 123)\n")
    assert tomllib.loads(ran.bench_text) == tomllib.loads(setup.bench_text)


SHEETS = CONFIGS / "benches" / "virtual_32ch.toml"


def test_a_sensor_of_a_virtual_bench_may_have_a_data_sheet(tmp_path: Path) -> None:
    """In the bench file, or in a file of its own beside it."""
    bench, _ = load_bench(SHEETS)
    memory = bytes.fromhex(bench.teds[0].bits)
    assert Hardware.from_bench(bench).setup.teds == {"PXI1Slot6/ai0": memory}
    (tmp_path / "sheet.ted").write_bytes(memory)
    text = SHEETS.read_text().replace(f'bits = "{bench.teds[0].bits}"', 'file = "sheet.ted"')
    (tmp_path / "bench.toml").write_text(text)
    assert Hardware.from_bench(load_bench(tmp_path / "bench.toml")[0]).setup.teds == {"PXI1Slot6/ai0": memory}
    (tmp_path / "sheet.ted").unlink()
    with pytest.raises(ConfigError, match=r"teds of PXI1Slot6/ai0: .*sheet\.ted: no such TEDS file"):
        Hardware.from_bench(load_bench(tmp_path / "bench.toml")[0])


@pytest.mark.parametrize(
    ("keys", "words"),
    [("", "expected either bits or a file"), ('bits = "1x"', "two digits each, got '1x'"), ("file = 'a'\nbits = '00'", "either")],
)
def test_a_data_sheet_that_is_none(tmp_path: Path, keys: str, words: str) -> None:
    text = SHEETS.read_text()
    (tmp_path / "bench.toml").write_text(text[: text.index("[[teds]]")] + f'[[teds]]\nterminal = "PXI1Slot6/ai0"\n{keys}\n')
    with pytest.raises(ConfigError, match=words):
        load_bench(tmp_path / "bench.toml")


def test_data_sheets_are_read_where_the_devices_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not from a bench of their own while `--address` names another."""
    asked: list[str | None] = []
    monkeypatch.setattr(data_sheets, "read", lambda bench: asked.append(bench.address) or {})
    assert devices._data_sheets(str(SHEETS), "127.0.0.1:40123") == ([], [])
    assert asked == ["127.0.0.1:40123"]
