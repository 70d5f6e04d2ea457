"""Amounts as a campaign file gives them: a number with the unit that it was written in, and the same in SI."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rig.config.units.quantities import registry

WHOLE = 2.0**53
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")


@dataclass(frozen=True)
class Amount:
    """`number` of `unit`, which is empty for a plain number."""

    number: float
    unit: str

    @classmethod
    def parse(cls, text: str) -> Amount:
        """Raises ValueError for what is no number with a unit that there is."""
        found = _NUMBER.fullmatch(text)
        if found is None or not math.isfinite(float(found[1])):
            raise ValueError(f'expected a number with its unit, as "0.2 mm"; got "{text}"')
        one = cls(float(found[1]), found[2])
        try:
            _ = one.si
        except Exception as error:  # pint knows more kinds of error than it documents
            raise ValueError(f'expected a number with its unit, as "0.2 mm"; got "{text}" ({error})') from None
        return one

    @property
    def si(self) -> float:
        """In the base unit of its dimension."""
        return _factor(self.unit) * self.number

    @property
    def si_unit(self) -> str:
        """The base unit, as m or m/s; 1 for a plain number."""
        if not self.unit:
            return "1"
        return f"{registry().Quantity(1.0, registry().parse_units(self.unit)).to_base_units().units:~C}".replace("**", "^") or "1"

    def in_unit(self, unit: str) -> Amount:
        """The same amount in another unit. Raises ValueError where it has another dimension."""
        if unit == self.unit:
            return self
        other = Amount(1.0, unit)
        if other.si_unit != self.si_unit:
            raise ValueError(f"{self} and an amount in {unit or 'no unit'} cannot stand for the same key")
        return Amount(self.si / other.si, unit)

    def __str__(self) -> str:
        """As `--set` takes it."""
        if not self.unit and self.number.is_integer() and abs(self.number) < WHOLE:
            return str(int(self.number))  # of a key that counts something, too
        return f"{self.number!r} {self.unit}".rstrip()


def in_one_unit(amounts: Sequence[Amount]) -> list[Amount]:
    """All of them in the unit of the first. Raises ValueError."""
    return [amount.in_unit(amounts[0].unit) for amount in amounts]


@cache
def _factor(unit: str) -> float:
    if not unit:
        return 1.0
    return float(registry().Quantity(1.0, registry().parse_units(unit)).to_base_units().magnitude)
