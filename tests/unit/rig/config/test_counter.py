"""Channels that counters measure: from the bench file to what the driver is given, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from drivers.daq.wiring import Counter
from rig.config import load
from rig.config.bench import Bench, InputChannel, Sensor
from rig.hardware.taring import unfit
from rig.hardware.wiring import wiring
from rig.sensors.transfer import Transfer
from tests.unit.rig.config.told_problems import problems_of

CONFIGS = Path(__file__).parents[4] / "configs"
ANGLE = """
[[channels]]
name = "crank_angle"
unit = "rad"
terminal = "Dev1/ctr0"
kind = "encoder"
[channels.counter]
pulses = 1024
a = "/Dev1/PFI8"
b = "Dev1/PFI10"
z = "Dev1/PFI9"
index = "30 deg"
index_phase = "high_low"
initial = "-90 deg"
filter = "1 us"
[channels.sensor]
sensitivity = -1
"""
PICKUP = """
[[channels]]
name = "pickup"
unit = "1"
terminal = "Dev1/ctr1"
kind = "pickup"
counter = {pulses = 1, index = "180 deg", edge = "falling", beside = "crank_angle"}
sensor = {sensitivity = 1}
"""


def loaded(folder: Path, *tables: str, overrides: tuple[str, ...] = ()) -> Bench:
    """The virtual loader's bench with further channels."""
    path = folder / "bench.toml"
    text = (CONFIGS / "benches" / "virtual_loader.toml").read_text().replace("../", f"{CONFIGS}/")
    path.write_text(text + "".join(tables))
    return load(CONFIGS / "experiments" / "linkage.toml", overrides, path).bench


def problems(folder: Path, *tables: str, overrides: tuple[str, ...] = ()) -> str:
    return "\n".join(problems_of(loaded, folder, *tables, overrides=overrides))


def test_the_driver_is_given_what_the_bench_file_says(tmp_path: Path) -> None:
    inputs = wiring(loaded(tmp_path, ANGLE, PICKUP)).inputs
    assert inputs[-2] == Counter(
        "crank_angle", "Dev1/ctr0", "encoder", 1024, "x4", "/Dev1/PFI8", "Dev1/PFI10", "Dev1/PFI9", math.radians(30.0), "high_low",
        initial=math.radians(-90.0), filter=1e-6, gain=-1.0,
    )  # fmt: skip
    assert inputs[-1] == Counter("pickup", "Dev1/ctr1", "pickup", index=math.pi, edge="falling", beside="crank_angle")


def test_the_example_of_the_docs_loads(tmp_path: Path) -> None:
    example = (CONFIGS.parent / "docs" / "shafts.md").read_text().partition("```toml")[2].partition("```")[0]
    angle, pickup = wiring(loaded(tmp_path, example)).inputs[-2:]
    assert isinstance(angle, Counter) and angle.pulses == 1024 and angle.index == pytest.approx(math.radians(30.0))
    assert isinstance(pickup, Counter) and pickup.beside == "crank_angle"


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("crank_angle.unit=deg", "expected 'rad' for kind encoder, got 'deg'"),
        ("crank_angle.terminal=Dev1/ai7", "encoder is measured by a counter such as Dev1/ctr0, got 'Dev1/ai7'"),
        ("crank_angle.sensor.sensitivity=2", "expected 1, or -1 where it is mounted reversed; got 2"),
        ("crank_angle.counter.pulses=0", "expected at least 1"),
        ("crank_angle.counter.decoding=x3", "expected one of x1, x2, x4"),
        ("crank_angle.counter.b=/Dev1/pfi8", "'/Dev1/pfi8' is a of the same encoder already"),
        ("crank_angle.counter.index=none", "an index without its angle"),
        ("crank_angle.counter.beside=crank_angle", "crank_angle is no pickup"),
        ("crank_angle.kind=voltage", "belongs to kind encoder or pickup, not to voltage"),
        ("pickup.terminal=/dev1/CTR0", "'/dev1/CTR0' is used by channel crank_angle already"),
        ("pickup.sensor.sensitivity=-1", "it is the pulses that count; got -1"),
        ("pickup.unit=rad", "expected '1' for kind pickup"),
        ("pickup.counter.b=Dev1/PFI0", "belongs to an encoder"),
        ("pickup.counter.beside=stroke", "a pickup stands beside an encoder (crank_angle); got 'stroke'"),
        ("stroke.terminal=Dev1/ctr2", "voltage is measured at an analogue input such as Dev1/ai0, got 'Dev1/ctr2'"),
    ],
)
def test_what_does_not_belong_together_is_said(tmp_path: Path, override: str, words: str) -> None:
    assert words in problems(tmp_path, ANGLE, PICKUP, overrides=(f"bench.channels.{override}",))


def test_a_counter_needs_its_table(tmp_path: Path) -> None:
    bare = ANGLE[: ANGLE.index("[channels.counter]")] + "sensor = {sensitivity = 1}\n"
    assert "missing; expected a table ([channels.counter]) with pulses, the lines of one turn" in problems(tmp_path, bare)


def channel(kind: str) -> InputChannel:
    return InputChannel("angle", "rad", "Dev1/ctr0", Sensor(1.0, capacity=1.0), kind)


def test_a_counter_shows_every_angle_and_is_not_tared() -> None:
    turned = np.linspace(0.0, 500.0, 7)
    np.testing.assert_array_equal(Transfer(channel("encoder"), 1e3).apply(turned), turned)
    assert Transfer(channel("voltage"), 1e3).apply(turned).max() == 10.0
    assert "counted from the start of a test on" in (unfit(channel("encoder")) or "")
    assert unfit(channel("voltage")) is None
