"""Units as recordings have them."""

from __future__ import annotations

import pytest

from rig.exchange.si import NoUnit, si
from tests.each_row import each_row


@each_row(
    ("unit", "expected"),
    [
        ("kN", ("N", 1000.0, 0.0)), ("mm", ("m", 1e-3, 0.0)), ("g", ("m/s^2", 9.80665, 0.0)), ("m/s²", ("m/s^2", 1.0, 0.0)),
        ("Nm", ("N*m", 1.0, 0.0)), ("nm", ("m", 1e-9, 0.0)), ("kNm", ("N*m", 1e3, 0.0)), ("°C", ("K", 1.0, 273.15)), ("K", ("K", 1.0, 0.0)),
        ("bar", ("Pa", 1e5, 0.0)), ("MPa", ("Pa", 1e6, 0.0)), ("deg", ("rad", 0.017453292519943295, 0.0)), ("rad", ("rad", 1.0, 0.0)),
        ("", ("1", 1.0, 0.0)), ("-", ("1", 1.0, 0.0)), ("%", ("1", 0.01, 0.0)), ("µm/m", ("1", 1e-6, 0.0)), ("V", ("V", 1.0, 0.0)),
        ("rad/s", ("rad/s", 1.0, 0.0)), ("deg/s", ("rad/s", 0.017453292519943295, 0.0)), ("Hz", ("Hz", 1.0, 0.0)),
        ("1/s", ("Hz", 1.0, 0.0)),
        ("N/mm", ("N/m", 1e3, 0.0)), ("N*m/deg", ("N*m/rad", 57.29577951308232, 0.0)), ("mV", ("V", 1e-3, 0.0)),
        ("m/s", ("m/s", 1.0, 0.0)), ("rpm", ("rad/s", 0.10471975511965977, 0.0)), ("lbf", ("N", 4.4482216152605, 0.0)),
        ("in", ("m", 0.0254, 0.0)),
        ("m/s^2", ("m/s^2", 1.0, 0.0)), ("ms", ("s", 1e-3, 0.0)), ("kg", ("kg", 1.0, 0.0)), ("W", ("W", 1.0, 0.0)),
    ],
)  # fmt: skip
def test_in_si(unit: str, expected: tuple[str, float, float]) -> None:
    name, factor, zero = si(unit)
    assert name == expected[0]
    assert (factor, zero) == pytest.approx(expected[1:], rel=1e-12)


@pytest.mark.parametrize("unit", ["foo", "kN,", "N+m", "2 mm", "m^9^9", "x" * 100])
def test_what_is_no_unit(unit: str) -> None:
    with pytest.raises(NoUnit, match="is not a unit"):
        si(unit)
