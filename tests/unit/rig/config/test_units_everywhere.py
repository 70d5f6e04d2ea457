"""A number in quotes without a unit is refused wherever a unit is expected: in every key of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rig.config.bench import Bench
from rig.config.conversion import Conversion
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.kinds import choosers, config_class, names
from rig.config.shape import Shape, shapes
from rig.config.units.quantities import QuantityError, to_si


def _numbers(cls: Any, seen: set[Any]) -> Iterator[Shape]:
    if cls in seen:
        return
    seen.add(cls)
    for shape in shapes(cls).values():
        if shape.form == "number":
            yield shape
        elif shape.form == "table":
            yield from _numbers(shape.table, seen)
        elif shape.form == "kind":
            for package in choosers(shape.metadata).values():
                for kind in names(package):
                    yield from _numbers(config_class(package, kind), seen)


def units() -> set[str]:
    """Every unit that a key of an experiment or a bench has, in every mode."""
    seen: set[Any] = set()
    found = [*_numbers(Experiment, seen), *_numbers(Bench, seen)]
    assert len(found) > 300
    given = {str(Conversion(mode).unit(shape, channel)) for shape in found for mode in MODE_UNITS for channel in ("N", "rad", "m/s^2")}
    return given - {"1"}


def test_a_bare_number_is_taken_for_no_unit_at_all() -> None:
    assert {"N", "m", "rad", "rad/s", "Hz", "s", "N/V", "rad/V"} <= units()
    for unit in units():
        with pytest.raises(QuantityError, match="a number without unit"):
            to_si("15", unit)
        assert to_si(f"15 {unit}", unit) == pytest.approx(15.0)


@pytest.mark.parametrize(("text", "value"), [("15", 15.0), ("15 %", 0.15)])
def test_where_no_unit_is_expected_it_is_a_number(text: str, value: float) -> None:
    assert to_si(text, "1") == pytest.approx(value)
