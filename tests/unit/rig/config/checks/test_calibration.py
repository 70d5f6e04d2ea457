"""Sensor records: dates, expiry, uncertainty, files of their own."""

from __future__ import annotations

import datetime
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.config import load, load_bench
from rig.config.bench import Bench
from rig.config.checks.calibration import expired, problems, unknown
from rig.errors import ConfigError
from tests.each_row import each_row
from tests.unit.rig.config.told_problems import problem_of

ROOT = Path(__file__).parents[5]
EXPERIMENT = ROOT / "configs/experiments/linkage.toml"
BENCH = ROOT / "configs/benches/virtual_loader.toml"
REAL = ROOT / "configs/benches/example_pcie6363.toml"
FORCE = "bench.channels.transmitted_force.sensor"
dates = st.dates(datetime.date(2000, 1, 1), datetime.date(2080, 1, 1))


@cache
def described_bench() -> Bench:
    return load(EXPERIMENT).bench


def bench(calibrated: datetime.date | str, expires: datetime.date | str) -> Bench:
    described = described_bench()
    force = described.channels[0]
    sensor = replace(force.sensor, calibrated=str(calibrated), expires=str(expires))
    return replace(described, channels=(replace(force, sensor=sensor),))


@given(dates, dates, dates)
def test_a_calibration_holds_to_the_end_of_its_last_day(calibrated: datetime.date, expires: datetime.date, today: datetime.date) -> None:
    described = bench(calibrated, expires)
    assert bool(expired(described, today)) == (expires < today)
    assert bool(list(problems(described, today))) == (calibrated > today)


def test_expiry_names_sensor_certificate_and_dates() -> None:
    setup = load(EXPERIMENT, [f"{FORCE}.expires=2026-02-01", f"{FORCE}.certificate=DKD-123"])
    assert setup.warnings == (
        "transmitted_force: calibration of its sensor simulated load cell 250 kN LC-1 (certificate DKD-123) expired on 2026-02-01",
    )
    (swapped,) = expired(bench("2026-02-01", "2025-02-01"), datetime.date(2026, 3, 1))
    assert swapped.endswith("expired on 2025-02-01, before it was calibrated on 2026-02-01: one of the two dates is wrong")


@each_row(
    ("override", "words"),
    [
        (f"{FORCE}.calibrated=2199-01-01", ("transmitted_force", "2199-01-01", "not come yet", str(datetime.date.today()))),
        (f"{FORCE}.calibrated=last year", ("expected a date such as 2026-05-31", "last year")),
        (f"{FORCE}.uncertainty=50 N", ("expected a plain number", "50 N")),
        (f"{FORCE}.zero_uncertainty=0.1 mm", ("expected a force", "0.1 mm")),
        (f"{FORCE}.accuracy_class=class one", ("0.5, 1, 2, 3", "class one")),
        (f"{FORCE}.tare=500 N", ("`rig tare`",)),
        ("bench.tare.limit=2", ("at most 1", "2")),
        ("bench.expired=ignore", ("warn, refuse", "ignore")),
    ],
)  # fmt: skip
def test_each_is_one_clear_problem(override: str, words: tuple[str, ...]) -> None:
    said = problem_of(load, EXPERIMENT, [override])
    for word in words:
        assert word in said


def test_a_certificate_is_read_as_it_is_written() -> None:
    more = ["uncertainty=0.24 %", "zero_uncertainty=12 N", "lowest=5 kN", "shunt_resistance=100 kohm", "shunt_value=125 kN"]
    sensor = load(EXPERIMENT, [f"{FORCE}.{one}" for one in more]).bench.channels[0].sensor
    found = (sensor.uncertainty, sensor.zero_uncertainty, sensor.lowest, sensor.shunt_resistance, sensor.shunt_value)
    assert found == pytest.approx((0.0024, 12.0, 5e3, 100e3, 125e3))


@pytest.mark.parametrize(
    ("arming", "key", "refuses"),
    [("automatic", None, False), ("operator", None, True), ("automatic", "refuse", True), ("operator", "warn", False)],
)
def test_who_arms_decides_unless_the_file_does(arming: str, key: str | None, refuses: bool) -> None:
    assert replace(load(EXPERIMENT).bench, arming=arming, expired=key).refuses_expired is refuses


def test_a_real_bench_without_dates_is_told_of() -> None:
    (said,) = unknown(load_bench(REAL)[0])
    assert said.startswith("transmitted_force, actuator_force, stroke: no date of calibration")
    assert unknown(load_bench(BENCH)[0]) == []


def with_file(tmp_path: Path, record: str, rest: str = "") -> Path:
    """The virtual bench with its load cell in a file of its own."""
    (tmp_path / "sensors").mkdir()
    (tmp_path / "benches").mkdir()
    (tmp_path / "sensors/lc-1.toml").write_text(record, encoding="utf-8")
    text = BENCH.read_text(encoding="utf-8")
    begin = text.index("[channels.sensor]")
    end = text.index("[[channels]]", begin)
    new = f'[channels.sensor]\nfile = "../sensors/lc-1.toml"\n{rest}\n' if rest else 'sensor = "../sensors/lc-1.toml"\n'
    path = tmp_path / "benches/mine.toml"
    path.write_text(text[:begin] + new + text[end:], encoding="utf-8")
    return path


RECORD = 'sensitivity = "25 kN/V"\ncapacity = "250 kN"\nserial = "LC-77"\nbandwidth = "5 kHz"\n'


def test_a_sensor_may_have_a_file_of_its_own(tmp_path: Path) -> None:
    setup = load(EXPERIMENT, [f"{FORCE}.certificate=K-9"], with_file(tmp_path, RECORD))
    sensor = setup.bench.channels[0].sensor
    assert (sensor.sensitivity, sensor.serial, sensor.certificate) == (25e3, "LC-77", "K-9")
    assert '# ../sensors/lc-1.toml:\n#   sensitivity = "25 kN/V"' in setup.bench_text


def test_the_bench_comes_before_the_sensors_file(tmp_path: Path) -> None:
    path = with_file(tmp_path, RECORD, 'bandwidth = "1 kHz"')
    sensor = load_bench(path)[0].channels[0].sensor
    assert (sensor.bandwidth, sensor.serial) == (1000.0, "LC-77")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ('capacity = "250 kN"', ("lc-1.toml: sensitivity: missing", "25 kN/V")),
        (RECORD + 'shunt_resistance = "1 kN"', ("lc-1.toml: shunt_resistance", "a resistance")),
        (RECORD + 'serail = "LC-2"', ("lc-1.toml: serail", "did you mean serial?")),
        ("sensitivity = ", ("lc-1.toml: not TOML", "channels[0].sensor")),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_sensors_file_is_said_of_that_file(tmp_path: Path, record: str, words: tuple[str, ...]) -> None:
    path = with_file(tmp_path, record)
    for reader in (lambda: load(EXPERIMENT, [], path), lambda: load_bench(path)):
        said = problem_of(reader)
        for word in words:
            assert word in said


def test_a_sensors_file_that_is_not_there(tmp_path: Path) -> None:
    path = with_file(tmp_path, RECORD)
    (tmp_path / "sensors/lc-1.toml").unlink()
    with pytest.raises(ConfigError, match=r"lc-1\.toml: no such sensor file \(named by channels\[0\]\.sensor of .*mine\.toml\)"):
        load(EXPERIMENT, [], path)


def test_a_bench_is_found_by_itself_and_through_an_experiment() -> None:
    assert load_bench(BENCH)[1] == load_bench(EXPERIMENT)[1] == BENCH
    with pytest.raises(ConfigError, match=r"bench\.KEY=VALUE"):
        load_bench(BENCH, ["pace=lockstep"])
    assert load_bench(BENCH, ["bench.pace=lockstep"])[0].pace == "lockstep"
