"""`rig tare` against simulated devices, and what a tare does to what is loaded."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig import commands
from rig.config import load, load_bench, tares
from rig.errors import ConfigError
from rig.hardware import occupancy
from rig.hardware.occupancy import TEST, occupied, users
from rig.sensors.transfer import Transfer
from rig.streaming import streams
from tests.unit.rig.hardware.still_bench import CONFIGS, Still, error_of, only_line, served

EXPERIMENT = str(CONFIGS / "experiments" / "linkage.toml")
FORCE = "bench.channels.transmitted_force.sensor"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[tuple[Still, Path]]:
    with served(tmp_path) as (plant, path, engine):
        yield plant, path
        assert not engine.tasks


def tare(path: Path, *more: str) -> int:
    return commands.main(["tare", str(path), *more])


def kept(path: Path) -> Any:
    return json.loads(tares.tare_path(path).read_text())


def test_the_mean_is_kept_beside_the_bench_with_who_and_when(bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str]) -> None:
    plant, path = bench
    before, plant.zero = path.read_text(), 740.0
    assert tare(path, "--by", "ada", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    (row,) = data["channels"]
    assert row["channel"] == "transmitted_force"
    # 10 000 samples of 25 N noise: the mean is known to 0.25 N, a code is 3.8 N
    assert row["tare"] == pytest.approx(740.0, abs=1.5)
    assert row["sd"] == pytest.approx(25.0, rel=0.05)
    one = kept(path)["channels"]["transmitted_force"]
    assert (one["tare"], one["by"], one["unit"]) == (row["tare"], "ada", "N")
    taken = datetime.datetime.fromisoformat(one["time"])
    assert abs((datetime.datetime.now().astimezone() - taken).total_seconds()) < 60.0
    assert path.read_text() == before, "the author's file is the author's"


def test_a_second_tare_takes_the_place_of_the_first_and_both_stay_in_the_history(
    bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    plant, path = bench
    for plant.zero in (500.0, 900.0):
        assert tare(path) == 0
    words = only_line(capsys.readouterr().out.split("kept in", 2)[1], "transmitted_force")
    assert float(words[3]) == pytest.approx(0.5, abs=2e-3), "the one before is shown"
    assert load_bench(path)[0].channels[0].sensor.tare == 0.0, "a tare is measured gross"
    assert load(EXPERIMENT, [], path).bench.channels[0].sensor.tare == pytest.approx(900.0, abs=2.0)
    assert tare(path, "--clear") == 0
    assert load(EXPERIMENT, [], path).bench.channels[0].sensor.tare == 0.0
    history = kept(path)["history"]
    assert [one["action"] for one in history] == ["tare", "tare", "clear"]
    assert [round(one["tare"], -2) for one in history[:2]] == [500.0, 900.0]


@pytest.mark.parametrize(
    ("zero", "drift", "noise", "words"),
    [
        (26e3, 0.0, 25.0, ("transmitted_force", "10.4% of its capacity of 250 kN", "at most 10.0%", "tare.limit")),
        (-26e3, 0.0, 25.0, ("transmitted_force", "10.4%",)),
        (0.0, 300.0, 25.0, ("drifts by", "expected at most 0.25 kN", "tare.steady")),
        (0.0, 0.0, 400.0, ("scatters by", "expected at most 0.25 kN")),
    ],
)  # fmt: skip
def test_what_is_no_zero_is_refused_and_nothing_kept(
    bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str], zero: float, drift: float, noise: float, words: tuple[str, ...]
) -> None:
    plant, path = bench
    plant.zero, plant.drift, plant.noise = zero, drift, noise
    assert tare(path) == 2
    said = error_of(capsys)
    for word in words:
        assert word in said
    assert not tares.tare_path(path).exists()
    assert users(path) == []


def test_just_within_the_share_is_taken(bench: tuple[Still, Path]) -> None:
    plant, path = bench
    plant.zero = 24.9e3
    assert tare(path) == 0
    assert tare(path, "--set", "bench.tare.limit=0.05") == 2


def test_several_channels_and_those_that_have_no_zero(bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str]) -> None:
    plant, path = bench
    plant.zero = 100.0
    assert tare(path, "--channel", "transmitted_force", "--channel", "bridge_force") == 0
    assert sorted(kept(path)["channels"]) == ["bridge_force", "transmitted_force"]
    assert kept(path)["channels"]["bridge_force"]["tare"] == pytest.approx(100.0, abs=2.0)
    capsys.readouterr()
    assert tare(path, "--channel", "acceleration_1") == 2
    assert "no capacity" in error_of(capsys)
    assert tare(path, "--channel", "nosuch") == 2
    assert "no channel nosuch; there are transmitted_force" in error_of(capsys)
    assert tare(path, "--clear", "--channel", "stroke") == 2
    assert "no tare of stroke to clear; tared are" in error_of(capsys)


def test_refused_while_a_test_is_going_on(bench: tuple[Still, Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, path = bench
    parent = os.getppid()
    with occupied(path, TEST):
        (own,) = occupancy.folder().glob(f"*.{TEST}.{os.getpid()}.*")
        others = own.rename(own.with_name(f"{own.name.rsplit('.', 2)[0]}.{parent}.{streams.start_time(parent):.0f}"))
        for more in ((), ("--clear",)):
            assert tare(path, *more) == 2
            assert f"a test is going on on this bench (process {parent})" in error_of(capsys)
        others.unlink()
    assert not tares.tare_path(path).exists()


def test_check_shows_gross_tare_and_net(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path, bridge=False) as (plant, path, _):
        plant.zero, plant.noise = 740.0, 1.0
        assert tare(path) == 0
        plant.zero = 1740.0
        capsys.readouterr()
        assert commands.main(["check", EXPERIMENT, "--bench", str(path)]) == 0
    words = only_line(capsys.readouterr().out, "transmitted_force ")
    assert [float(word) for word in words[1:4]] == pytest.approx([1.74, 0.74, 1.0], abs=8e-3)


def test_a_tare_belongs_to_its_sensor(bench: tuple[Still, Path]) -> None:
    _, path = bench
    assert tare(path) == 0
    for change in ("serial=LC-2", "sensitivity=26 kN/V", "offset=1 N"):
        with pytest.raises(ConfigError, match=r"still\.tare\.json: transmitted_force: tared with .* run `rig tare"):
            load(EXPERIMENT, [f"{FORCE}.{change}"], path)


def test_an_old_tare_is_told_of_and_a_damaged_file_is_one_message(bench: tuple[Still, Path]) -> None:
    _, path = bench
    assert tare(path) == 0
    assert load(EXPERIMENT, [], path).warnings == ()
    (said,) = load(EXPERIMENT, ["bench.tare.max_age=1 us"], path).warnings
    assert said.startswith("transmitted_force: its tare of ")
    for text in ("{", "[]", '{"channels": {"stroke": {}}}'):
        tares.tare_path(path).write_text(text)
        with pytest.raises(ConfigError, match=r"still\.tare\.json: damaged; delete it"):
            load(EXPERIMENT, [], path)


def test_what_a_trajectory_may_reach_is_what_is_left_beside_the_tare(bench: tuple[Still, Path]) -> None:
    plant, path = bench
    plant.zero = 20e3
    assert tare(path) == 0
    found = load(EXPERIMENT, [], path).bench
    assert found.loader_zero("force") == pytest.approx(20e3, abs=2.0)
    assert found.loader_zero("stroke") == 0.0
    load(EXPERIMENT, ["trajectory.amplitude=39 kN"], path)
    with pytest.raises(ConfigError, match=r"limit on transmitted_force \(gross\) \(-(79999|80000).*\.\.(39999|40000).*N\)"):
        load(EXPERIMENT, ["trajectory.amplitude=41 kN"], path)
    own = load(EXPERIMENT, ["bench.tare.controller=own_zero"], path).bench
    assert own.loader_zero("force") == 0.0


def test_a_prediction_clips_where_the_tared_input_does(bench: tuple[Still, Path]) -> None:
    import numpy as np

    plant, path = bench
    plant.zero = 20e3
    assert tare(path) == 0
    channel = load(EXPERIMENT, [], path).bench.channels[0]
    shown = Transfer(channel, 51_200.0).apply(np.array([-1e6] * 500 + [1e6] * 500))
    assert (shown.min(), shown.max()) == (-125e3 - channel.sensor.tare, 125e3 - channel.sensor.tare)
