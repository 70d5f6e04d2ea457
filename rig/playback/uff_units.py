"""Units of a function of a universal file: by the label of its axis, its data type with exponents, and dataset 164.

The label is what the writer said in words. The data type is a dimension, whose unit is SI, or what dataset 164 says of the whole file (to
SI it is divided by its factors). Where both are there they must agree. Source: Universal Dataset Numbers 58 (addendum A) and 164, SDRC.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from rig.formats.uff_file import Dataset
from rig.formats.uff_header import Axis, Function
from rig.playback.units import factor, not_a_time, not_a_unit, seconds

GENERAL, UNKNOWN, TIME = 1, 0, 17
NAMES = {2: "stress", 3: "strain", 5: "temperature", 6: "heat flux", 8: "displacement", 9: "reaction force", 11: "velocity"} | {
    12: "acceleration", 13: "excitation force", 15: "pressure", 16: "mass", 17: "time", 18: "frequency", 19: "rpm", 20: "order"
}  # fmt: skip
PLAYED = {8: "m", 9: "N", 13: "N", 12: "m/s^2"}
EXPONENTS = {8: (1, 0, 0), 9: (0, 1, 0), 13: (0, 1, 0), 12: (1, 0, 0)}  # of a translation, addendum A
BY_CODE = {1: (1.0, 1.0), 2: (1 / 0.3048, 1 / 4.4482216152605), 3: (1.0, 1 / 9.80665), 4: (1 / 0.3048, 1 / 0.138254954376)} | {
    5: (1e3, 1e3), 6: (1e2, 1e2), 7: (1 / 0.0254, 1 / 4.4482216152605), 8: (1e3, 1 / 9.80665), 10: (1e3, 1.0)
}  # fmt: skip
"""Units code of dataset 164 -> factors of length and force; 9 is the user's own."""
SAME = 1e-5


@dataclass(frozen=True)
class System:
    """Dataset 164: what values are divided by for SI."""

    code: int
    length: float
    force: float

    def factor(self, unit: str) -> float:
        """Factor to SI of a value whose SI unit is N, m or m/s^2. Raises ValueError where code and factor contradict each other."""
        which = 1 if unit == "N" else 0
        by = (self.length, self.force)[which]
        known = BY_CODE.get(self.code)
        if known and abs(by / known[which] - 1.0) > SAME:
            what = ("length", "force")[which]
            raise ValueError(
                f"dataset 164 has units code {self.code}, whose factor of {what} is {known[which]:.9g}, but says {by:.9g}; correct it"
            )
        return 1.0 / by


@dataclass(frozen=True)
class Said:
    """What a file says of the units of a function: the system in front of it, others directly in front of that one, and one behind it.

    A dataset 164 applies to what follows it. Two that follow each other, and one behind, are of writers who thought otherwise.
    """

    system: System | None = None
    before: tuple[System, ...] = ()
    behind: System | None = None

    def ambiguous(self, unit: str) -> bool:
        """Whether there are several in front, which differ."""
        return self.system is not None and any(abs(one.factor(unit) / self.system.factor(unit) - 1.0) > SAME for one in self.before)

    def factor(self, unit: str, label: str) -> float | None:
        """Factor to SI where the file says one. Raises ValueError for what can be meant in two ways, if no label says which."""
        if self.system is not None:
            if self.ambiguous(unit):
                factors = " and ".join(f"{1 / one.factor(unit):.6g}" for one in (*self.before, self.system))
                raise ValueError(
                    f"several datasets 164 (units) stand in front of it, with the factors {factors}; leave the wrong ones out, "
                    "or say its unit with `unit`"
                )
            return self.system.factor(unit)
        if self.behind is not None and not label and abs(self.behind.factor(unit) - 1.0) > SAME:
            raise ValueError(
                f"no label says its unit, and dataset 164 (units), with the factor {1 / self.behind.factor(unit):.6g}, stands behind it, "
                "where it speaks of what follows; put it in front, or say the unit with `unit`"
            )
        return None


def system(dataset: Dataset) -> System:
    """Of dataset 164. Raises ValueError for one that cannot be read."""
    code = re.match(r" *(\d+)", dataset.lines[0][:10])
    factors = [_factor(text) for text in " ".join(dataset.lines[1:2]).split()[:2]]
    if not code or len(factors) < 2 or not all(math.isfinite(by) and 1e-12 < by < 1e12 for by in factors):
        raise ValueError(f"dataset 164 (units) cannot be read: {dataset.lines[0].rstrip()!r}, {dataset.lines[1].rstrip()!r}")
    return System(int(code[1]), *factors)


def _factor(text: str) -> float:
    try:
        return float(text.upper().replace("D", "E"))
    except ValueError:
        return math.nan


def to_seconds(axis: Axis) -> float:
    """Factor of the abscissa. Raises ValueError for one that is not time."""
    if axis.kind not in (TIME, GENERAL, UNKNOWN) or (axis.kind != TIME and not axis.label):
        raise ValueError(f"is not over time (abscissa of type {axis.kind}{_title(axis.kind)}, expected {TIME})")
    if not axis.label:
        return 1.0
    if (by := seconds(axis.label)) is None:
        raise not_a_time("its abscissa", axis.label)
    return by


def unit_of(name: str, found: Function, units: Said, asked: str | None) -> tuple[str, float]:
    """(unit that `rig.playback.units` knows, factor before it) of the ordinate. Raises ValueError for what is missing or contradictory.

    asked: the key `unit`. It says what the file does not, and decides where label and dataset 164 disagree.
    """
    _refuse_ratio(found.denominator)
    label, typed = found.ordinate.label, _dimension(found, asked or found.ordinate.label)
    for text in (label, asked):
        if text and (known := factor(text)) is None:
            raise not_a_unit(name, text)
        if text and known and typed and known[0] != typed:
            kind = f"its data type {found.ordinate.kind}{_title(found.ordinate.kind)}"
            raise ValueError(f"column {name!r} is in {text}, but by {kind} in {typed}; correct one of them")
    said = {text: known for text in (label,) if text and (known := factor(text))}
    if typed and not (asked and units.ambiguous(typed)) and (by := units.factor(typed, label or asked or "")) is not None:
        said |= {"the units of dataset 164": (typed, by)}
    if asked and (given := factor(asked)) and (not said or any(_same(given, one) for one in said.values())):
        return asked, 1.0
    if asked and said:
        raise ValueError(
            f"column {name!r} is in {_spoken(said)} by the file, but `unit` says {asked}; leave `unit` out, or correct the file"
        )
    if len(said) == 2 and not _same(*said.values()):
        raise ValueError(f"column {name!r} is in {_spoken(said)}, which contradict each other; correct the file, or decide with `unit`")
    if not said and not typed:
        raise not_a_unit(name, "")
    return next(iter(said.values()), (typed, 1.0))


def _dimension(found: Function, said: str) -> str:
    """SI unit by data type and exponents; "" where they do not tell. Raises ValueError for what is never played."""
    axis, turning = found.ordinate, abs(found.direction) in (4, 5, 6)
    if axis.kind == UNKNOWN and not any(axis.exponents):
        return ""
    if axis.kind in (GENERAL, UNKNOWN):
        return _general(axis, said)
    if axis.kind not in PLAYED:
        raise ValueError(f"its ordinate is of type {axis.kind}{_title(axis.kind)}, expected a displacement, a force or an acceleration")
    if turning:
        raise ValueError(f"its ordinate turns (direction {found.direction}): an angle or a moment, expected a length or a force")
    if any(axis.exponents) and axis.exponents != EXPONENTS[axis.kind]:
        raise ValueError(f"its ordinate is of type {axis.kind}{_title(axis.kind)}, but has the exponents {_exponents(axis)}; correct one")
    return PLAYED[axis.kind]


def _general(axis: Axis, said: str) -> str:
    if not any(axis.exponents):
        return ""
    if axis.exponents == (0, 1, 0):
        return "N"
    if axis.exponents == (1, 0, 0):  # a velocity has these, too
        by = factor(said) if said else None
        if by is None:
            raise ValueError("its ordinate is a length by any power of time (exponent 1); `unit` says which, a length or an acceleration")
        return by[0] if by[0] != "N" else "m"
    raise ValueError(f"its ordinate has the exponents {_exponents(axis)}, expected those of a length or a force")


def _refuse_ratio(denominator: Axis) -> None:
    if denominator.kind not in (UNKNOWN, GENERAL) or any(denominator.exponents) or denominator.label:
        per = denominator.label or f"type {denominator.kind}{_title(denominator.kind)}"
        raise ValueError(f"its ordinate is a ratio (its denominator is {per}), expected a force, a length or an acceleration")


def _same(one: tuple[str, float], other: tuple[str, float]) -> bool:
    return one[0] == other[0] and abs(one[1] / other[1] - 1.0) < SAME


def _spoken(said: dict[str, tuple[str, float]]) -> str:
    return " and ".join(text if text in ("N", "m") else f"{text} ({by:.6g} {si})" for text, (si, by) in said.items())


def _title(kind: int) -> str:
    return f" ({NAMES[kind]})" if kind in NAMES else ""


def _exponents(axis: Axis) -> str:
    return "length {}, force {}, temperature {}".format(*axis.exponents)
