"""What `rig check` asks of drives on serial lines: who they are and what they have against a test; nothing is set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drivers.axes.axis import AxisBase
from drivers.axes.odrive import Config
from drivers.errors import BadReply, NotConnected
from drivers.instruments import force_gauge
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.instruments.force_gauge import ForceGauge
from drivers.simulated.plant.shaft import SmallShaft
from drivers.simulated.serial.serial_side import SerialSide
from rig.commands.bench import check
from rig.config import load, load_bench
from rig.config.bench import Axis, Bench, Instrument
from rig.config.experiment import Limit
from rig.hardware.identities import ask, in_lines, read
from tests.unit.rig.hardware.still_bench import CONFIGS


def bench(port: str) -> Bench:
    loaded, _ = load_bench(CONFIGS / "benches" / "virtual_slider_crank.toml")
    return replace(loaded, axes=(*loaded.axes, Axis("crank", Config(port, reply_timeout=1.0))))


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


def test_a_line_that_is_too_slow_is_told_before_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all axes that share it: each of these two would have its setpoints alone."""
    device, seconds = ODrive(SmallShaft(), SmallShaft()), 0.01
    monkeypatch.setattr(AxisBase, "cycle_time", lambda self: seconds)  # as measured: a busy computer takes longer now and then
    rate = 0.7 / seconds
    with SerialSide(device) as side:
        alone = bench(side.url)
        alone = replace(alone, axes=(*alone.axes[:-1], replace(alone.axes[-1], rate=rate)))
        both = replace(alone, axes=(*alone.axes, Axis("other", Config(side.url, axis=1, reply_timeout=1.0), rate=rate)))
        (told,) = ask(alone)
        twice = ask(both)
    assert told["slow"] is None and "TOO SLOW" not in in_lines([told], [])[0]
    assert [f"{2.0 * rate:g} are wanted: raise the baud rate, or stream fewer" in one["slow"] for one in twice] == [True, True]
    assert in_lines(twice, [])[0] == "axis crank: ODrive axis 0, firmware 0.5.6, TOO SLOW"


def test_one_that_is_not_there_is_named() -> None:
    with pytest.raises(NotConnected, match="crank"):
        ask(bench("socket://127.0.0.1:9"))


def test_an_instrument_beside_the_device_is_read_once() -> None:
    loaded, _ = load_bench(CONFIGS / "benches" / "virtual_slider_crank.toml")
    gauge = ForceGauge()
    gauge.force = 12.5
    with SerialSide(gauge) as side:
        side.update(1.0)
        gauged = replace(loaded, instruments=(Instrument("gauge", force_gauge.Config(side.url, timeout=1.0)),))
        (told,) = read(gauged)
    assert told == {"instrument": "gauge", "identity": "force gauge to 500 N, shows 12.50 N", "value": 12.5, "unit": "N"}
    assert in_lines([], [told]) == ["instrument gauge: 12.5 N; force gauge to 500 N, shows 12.50 N"]
    with pytest.raises(NotConnected, match="gauge"):
        read(gauged)


def test_a_reading_outside_its_limit_is_told_before_the_test() -> None:
    experiment = load(CONFIGS / "experiments" / "slider_crank_rig.toml").experiment
    limited = replace(experiment, limits=(Limit("gauge", maximum=10.0, action="stop"), Limit("oil", minimum=280.0)))
    read = [{"instrument": "gauge", "value": 12.5, "unit": "N"}, {"instrument": "oil", "value": 300.0, "unit": "K"}]
    assert check._beyond(limited, read) == ["gauge: 12.5 N is outside its stop limit already"]


@pytest.mark.parametrize("value", ["12", None, float("nan")])
def test_a_reading_that_is_no_number_is_told_by_the_check(monkeypatch: pytest.MonkeyPatch, value: object) -> None:
    loaded, _ = load_bench(CONFIGS / "benches" / "virtual_slider_crank.toml")
    monkeypatch.setattr(force_gauge.ForceGauge, "read", lambda self: value)
    with SerialSide(ForceGauge()) as side:
        gauged = replace(loaded, instruments=(Instrument("gauge", force_gauge.Config(side.url, timeout=1.0)),))
        with pytest.raises(BadReply, match="gauge: expected a finite number in N, its driver gave"):
            read(gauged)
