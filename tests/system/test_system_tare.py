"""A tare from the command line to the record, on a virtual frame whose load cell shows a weight that is no load on the specimen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from bench_run import LINKAGE, ROOT, UNPREPARED, Running, rig

from rig import commands

ZERO = 900.0  # N that monitor and controller show without load
PLANT = ("bench.pace=lockstep", f"bench.plant.sensors.force_zero={ZERO} N")
EXPIRED = ("bench.channels.transmitted_force.sensor.expires=2026-02-01", "bench.channels.transmitted_force.sensor.certificate=K-17")
SHORT = ("trajectory.cycles=3", "comparison.discard_cycles=1")


def sets(*overrides: str) -> list[str]:
    return [word for override in overrides for word in ("--set", override)]


pytestmark = pytest.mark.xdist_group("tare")  # one tare serves two of them


@pytest.fixture(scope="module")
def tared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bench file of its own, with a tare."""
    path = tmp_path_factory.mktemp("bench") / "mine.toml"
    path.write_text((ROOT / "configs/benches/virtual_loader.toml").read_text(encoding="utf-8"), encoding="utf-8")
    code, data = rig("tare", str(path), "--by", "ada", *sets(*PLANT))
    assert code == 0, data
    assert abs(data["channels"][0]["tare"] - ZERO) < 2.0
    (said,) = data["warnings"]
    assert said.startswith(f"{PLANT[1]} holds for this call only, but the tare is kept in {path.with_suffix('.tare.json')}"), said
    return path


def run(out: Path, bench: Path, *overrides: str) -> tuple[int, dict[str, Any]]:
    return rig("run", str(LINKAGE), "--headless", "--bench", str(bench), "--out", str(out), *sets(*PLANT, *SHORT, *overrides))


def test_the_comparison_is_right_and_gross_can_be_had_back(tmp_path: Path, tared: Path) -> None:
    code, data = run(tmp_path, tared, *EXPIRED)
    assert code == 0, data
    assert [text for text in data["warnings"] if "certificate K-17) expired on 2026-02-01" in text]
    assert [text for text in data["warnings"] if f"taken on a virtual bench with {PLANT[1]}, given in that call alone" in text]
    force = data["sensors"]["transmitted_force"]
    assert abs(force["tare"] - ZERO) < 2.0
    assert "ada" in force["tared"]
    assert force["expired"]
    with h5py.File(data["files"]["record"]) as file:
        measured = file["entry/measured/transmitted_force"]
        net, tare, rate = measured[()], measured.attrs["tare"], measured.attrs["rate"]
        assert tare == force["tare"] == file["entry/sensors/transmitted_force"].attrs["tare"]
        assert file["entry/sensors"].attrs["expired"] == "transmitted_force"
        assert file["entry/sensors/transmitted_force"].attrs["expired"]
        asked, put_out = file["entry/command/value"][()], file["entry/measured/command_monitor"][()]
        predicted = file["entry/predicted_as_measured/transmitted_force"][()]
    at_rest = net[: round(0.1 * rate)]
    assert abs(at_rest.mean()) < 30.0
    assert abs(at_rest.mean() + tare - ZERO) < 30.0
    counted = slice(len(net) // 4, 3 * len(net) // 4)
    # The controller is asked for what it reads itself; what reaches the specimen is what the program means, and the model too.
    assert abs(np.mean(put_out[counted] - asked[counted]) - tare) < 20.0
    assert abs(np.nanmean((net - predicted)[counted])) < 0.1 * ZERO


def test_a_limit_that_only_the_gross_force_passes_trips(tmp_path: Path, tared: Path) -> None:
    # 10 kN reach 10.4 kN by the impact: net stays below this limit, gross does not.
    code, data = run(tmp_path, tared, "limits.transmitted_force.maximum=11 kN")
    assert (code, data["outcome"]) == (1, "tripped"), data
    assert "transmitted_force (gross)" in data["reason"]
    assert "exceeds maximum 11 kN" in data["reason"]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    test = Running(tmp_path / "runs", "bench.pace=lockstep", "trajectory.cycles=400", UNPREPARED, bench=_copy(tmp_path))
    yield test
    test.interrupt()
    code, data, _ = test.end()
    assert (code, data["outcome"]) == (0, "stopped")


def _copy(folder: Path) -> Path:
    (folder / "benches").mkdir()
    path = folder / "benches" / "mine.toml"
    path.write_text((ROOT / "configs/benches/virtual_loader.toml").read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.mark.long
def test_no_tare_and_no_shunt_while_a_test_is_going_on(running: Running, capsys: pytest.CaptureFixture[str]) -> None:
    running.wait_for_samples()
    force = "bench.channels.transmitted_force"
    more = sets(f"{force}.shunt_line=Dev1/port0/line6", f"{force}.sensor.shunt_value=1 kN")
    for command in ("tare", "shunt"):
        assert commands.main([command, str(running.bench), *more]) == 2
        assert f"a test is going on on this bench (process {running.process.pid})" in capsys.readouterr().err


def test_an_expired_sensor_is_refused_where_a_person_arms(tmp_path: Path) -> None:
    overrides = sets("bench.pace=lockstep", "bench.arming=operator", *EXPIRED)
    code, data = rig("run", str(LINKAGE), "--headless", "--arm", "--out", str(tmp_path / "runs"), *overrides)
    assert (code, data["outcome"]) == (2, "bad_input")
    for word in ("transmitted_force", "LC-1", "K-17", "expired on 2026-02-01", 'bench.expired="warn"'):
        assert word in data["error"]
    assert not (tmp_path / "runs").exists()
