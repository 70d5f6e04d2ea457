"""Channels are told in the units that their bench file is written in; JSON stays SI."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.config.bench import InputChannel, Sensor
from rig.hardware.shown_units import of_bench, of_unit


@pytest.mark.parametrize(
    ("unit", "record", "told", "value", "text"),
    [
        ("N", 'sensitivity = "25 kN/V"', "kN", 12_340.0, "12.34 kN"),
        ("N", 'sensitivity = "12.5 MN/V"\ncapacity = "250 kN"', "kN", 12_340.0, "12.34 kN"),
        ("N", 'sensitivity = "40 uV/N"', "N", 12.0, "12 N"),
        ("m", 'sensitivity = "5 mm/V"', "mm", 0.0015, "1.5 mm"),
        ("m", 'sensitivity = "0.1 inch/V"', "inch", 0.0254, "1 inch"),
        ("m/s^2", 'sensitivity = "100 mV/g"', "g", 9.80665, "1 g"),  # standard gravity, BIPM
        ("rad", 'sensitivity = "36 deg/V"', "deg", 3.141592653589793, "180 deg"),
        ("N*m", 'sensitivity = "2 N*m/V"', "N*m", 1.5, "1.5 N*m"),
        ("V", "sensitivity = 1.0", "V", 2.5, "2.5 V"),
        ("m", "sensitivity = 0.005", "mm", 0.0015, "1.5 mm"),
        ("K", 'sensitivity = "10 degC/V"', "K", 293.15, "293.15 K"),  # a scale with a zero of its own is no factor
    ],
)  # fmt: skip
def test_the_unit_of_the_file(unit: str, record: str, told: str, value: float, text: str, tmp_path: Path) -> None:
    path = tmp_path / "bench.toml"
    path.write_text(f'[[channels]]\nname = "one"\n[channels.sensor]\n{record}\n', encoding="utf-8")
    channel = InputChannel("one", unit, "Dev1/ai0", Sensor(1.0))
    shown = of_bench([channel], path)["one"]
    assert (shown.unit, shown.text(value)) == (told, text)


def test_the_unit_of_a_sensors_own_file(tmp_path: Path) -> None:
    (tmp_path / "cell.toml").write_text('sensitivity = "200 kgf/V"\n', encoding="utf-8")
    path = tmp_path / "bench.toml"
    path.write_text('[[channels]]\nname = "one"\nsensor = "cell.toml"\n', encoding="utf-8")
    (shown,) = of_bench([InputChannel("one", "N", "Dev1/ai0", Sensor(1.0))], path).values()
    assert shown.text(980.665) == "100 kgf"


def test_without_a_file_it_is_what_prints_well() -> None:
    assert of_unit("N").text(1500.0) == "1.5 kN"
    assert of_unit("degree_Celsius").text(20.0) == "20 degree_Celsius"
