"""`rig shunt` against simulated devices, and what it says of wrong wiring."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig import commands
from rig.config.bench import InputChannel, Sensor
from rig.hardware.shunt import expected, judge, ratio, unfit
from tests.unit.rig.hardware.still_bench import Still, error_of, served

CERTIFIED = InputChannel("load", "N", "Dev1/ai0", Sensor(25e3, shunt_value=100e3, shunt_tolerance=0.01), shunt_line="Dev1/port0/line6")
COMPUTED = InputChannel("load", "N", "Dev2/ai0", Sensor(12.5e6, shunt_resistance=100e3), kind="force_bridge")


@dataclass(frozen=True)
class Change:
    change: float
    drift: float = 0.0


@given(st.floats(100.0, 1000.0), st.floats(10e3, 500e3))
def test_one_arm_shunted_by_kirchhoff(bridge: float, shunt: float) -> None:
    arm = 1.0 / (1.0 / bridge + 1.0 / shunt)
    assert ratio(bridge, shunt) == pytest.approx(0.5 - arm / (bridge + arm), rel=1e-6)


@given(st.floats(-0.5, 0.5))
def test_within_the_tolerance_and_no_further(error: float) -> None:
    passed = judge(CERTIFIED, Change(100e3 * (1.0 + error))).wrong is None
    assert passed == (abs(100e3 * (1.0 + error) - 100e3) <= 1000.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change(0.0), "nothing was switched; look at cable, plug and shunt"),
        (Change(-100e3), "the sign is the other one"),
        (Change(50e3), "-50.0%; look at excitation, bridge_resistance"),
        (Change(100e3, drift=600.0), "moved by 600 N by itself"),
    ],
)
def test_what_is_wrong_is_said(change: Change, words: str) -> None:
    wrong = judge(CERTIFIED, change).wrong
    assert wrong is not None
    assert words in wrong


def test_a_computed_change_has_no_sign() -> None:
    wanted = expected(COMPUTED)
    assert wanted == pytest.approx(12.5e6 * 10.0 * 350.0 / 400_700.0)
    assert judge(COMPUTED, Change(-wanted)).wrong is None


def test_what_is_not_known_is_asked_for() -> None:
    assert unfit(COMPUTED) is None
    assert unfit(CERTIFIED) is None
    assert "enter sensor.shunt_value or shunt_resistance" in (unfit(InputChannel("a", "N", "x", Sensor(1.0), kind="force_bridge")) or "")
    assert "no bridge, and no shunt_line" in (unfit(InputChannel("a", "N", "x", Sensor(1.0, shunt_value=1.0))) or "")
    assert "enter sensor.shunt_value from" in (unfit(InputChannel("a", "N", "x", Sensor(1.0), shunt_line="l")) or "")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[tuple[Still, Path, Any]]:
    with served(tmp_path) as (plant, path, engine):
        yield plant, path, engine
        assert not engine.tasks


def shunt(path: Path, *more: str) -> int:
    return commands.main(["shunt", str(path), *more])


def test_a_good_bridge_passes(bench: tuple[Still, Path, Any], capsys: pytest.CaptureFixture[str]) -> None:
    plant, path, _ = bench
    plant.zero = 1234.0
    assert shunt(path, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    (row,) = data["channels"]
    assert (row["channel"], row["passed"], data["outcome"]) == ("bridge_force", True, "done")
    assert row["found"] == pytest.approx(109184.0, abs=5.0)
    assert list(path.parent.iterdir()) == [path]


def test_another_bridge_at_the_terminal_fails(bench: tuple[Still, Path, Any], capsys: pytest.CaptureFixture[str]) -> None:
    _, path, engine = bench
    engine.board.bridges["dev2/ai0"] = 375.0
    assert shunt(path) == 1
    said = capsys.readouterr().out
    assert "FAIL" in said
    assert "bridge_force: its shunt changes the reading by 116" in said


def test_not_under_pressure(bench: tuple[Still, Path, Any], capsys: pytest.CaptureFixture[str]) -> None:
    plant, path, _ = bench
    plant.pressure = True
    assert shunt(path) == 2
    assert "hydraulics are on" in error_of(capsys)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--channel", "transmitted_force"), 2, "transmitted_force: no bridge, and no shunt_line"),
        (("--set", "bench.channels.bridge_force.sensor.shunt_resistance=60 kohm"), 3, "60.0e3"),
    ],
    ids=["no shunt", "no such resistor in the module"],
)
def test_a_shunt_that_there_is_not_is_told(
    bench: tuple[Still, Path, Any], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, said: str
) -> None:
    assert shunt(bench[1], *words) == code
    assert said in error_of(capsys)
