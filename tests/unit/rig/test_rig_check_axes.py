"""What `rig check` asks of drives on serial lines: who they are and what they have against a test; nothing is set."""

from __future__ import annotations

from dataclasses import replace

import pytest
from still_bench import CONFIGS

from drivers import force_gauge
from drivers.errors import NotConnected
from drivers.odrive import Config
from drivers.simulated.force_gauge import ForceGauge
from drivers.simulated.odrive import ODrive
from drivers.simulated.serial_side import SerialSide
from drivers.simulated.shaft import SmallShaft
from rig.commands.axes import ask, in_lines, read
from rig.config import load_bench
from rig.config.bench import Axis, Bench, Instrument


def bench(port: str) -> Bench:
    loaded, _ = load_bench(CONFIGS / "benches" / "virtual_slider_crank.toml")
    return replace(loaded, axes=(*loaded.axes, Axis("crank", Config(port))))


@pytest.mark.parametrize("fails", [False, True])
def test_a_drive_tells_who_it_is_and_its_fault(fails: bool) -> None:
    device = ODrive(SmallShaft())
    if fails:
        device.axes[0].fail(0x200)
    before = dict(device.axes[0].values)
    with SerialSide(device) as side:
        (told,) = ask(bench(side.url))
    assert told["identity"] == "ODrive axis 0, firmware 0.5.6"
    assert (told["fault"] is not None) == fails
    assert ("FAULT" in in_lines([told], [])[0]) == fails
    changed = {key for key, value in device.axes[0].values.items() if value != before[key]}
    assert changed <= {"encoder.pos_estimate", "encoder.vel_estimate"}


def test_one_that_is_not_there_is_named() -> None:
    with pytest.raises(NotConnected, match="crank"):
        ask(bench("socket://127.0.0.1:9"))


def test_an_instrument_beside_the_device_is_read_once() -> None:
    loaded, _ = load_bench(CONFIGS / "benches" / "virtual_slider_crank.toml")
    gauge = ForceGauge()
    gauge.force = 12.5
    with SerialSide(gauge) as side:
        side.update(1.0)
        gauged = replace(loaded, instruments=(Instrument("gauge", force_gauge.Config(side.url)),))
        (told,) = read(gauged)
    assert told == {"instrument": "gauge", "identity": "force gauge to 500 N, shows 12.50 N", "value": 12.5, "unit": "N"}
    assert in_lines([], [told]) == ["instrument gauge: 12.5 N; force gauge to 500 N, shows 12.50 N"]
    with pytest.raises(NotConnected, match="gauge"):
        read(gauged)
