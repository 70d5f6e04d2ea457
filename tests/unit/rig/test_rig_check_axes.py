"""What `rig check` asks of drives on serial lines: who they are and what they have against a test; nothing is set."""

from __future__ import annotations

from dataclasses import replace

import pytest
from still_bench import CONFIGS

from drivers.errors import NotConnected
from drivers.odrive import Config
from drivers.simulated.odrive import ODrive
from drivers.simulated.serial_side import SerialSide
from drivers.simulated.shaft import SmallShaft
from rig.commands.axes import ask, in_lines
from rig.config import load_bench
from rig.config.bench import Axis, Bench


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
    assert ("FAULT" in in_lines([told])[0]) == fails
    changed = {key for key, value in device.axes[0].values.items() if value != before[key]}
    assert changed <= {"encoder.pos_estimate", "encoder.vel_estimate"}


def test_one_that_is_not_there_is_named() -> None:
    with pytest.raises(NotConnected, match="crank"):
        ask(bench("socket://127.0.0.1:9"))
