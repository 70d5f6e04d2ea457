"""Quantities as an engineer writes them, turned to SI once: "0.2 mm", "10 kN", "25 kN/V", "100 mV/g"."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rig.config.angles import wrong_angle

if TYPE_CHECKING:  # loading it takes a while
    from pint import Unit, UnitRegistry

# Words and an example for units that often stand in files; everything else is described by its unit.
WORDS = {
    "m": ("a length", "0.2 mm"),
    "N": ("a force", "10 kN"),
    "Hz": ("a frequency", "51.2 kHz"),
    "s": ("a time", "10 ms"),
    "V": ("a voltage", "5 V"),
    "A": ("a current", "4 mA"),
    "kg": ("a mass", "60 kg"),
    "m/s": ("a speed", "0.2 m/s"),
    "m/s^2": ("an acceleration", "9.81 m/s^2"),
    "N/m": ("a stiffness", "150 kN/mm"),
    "N/s": ("a force rate", "250 kN/s"),
    "ohm": ("a resistance", "350 ohm"),
    "rad": ("an angle", "30 deg"),
    "B": ("a size", "2 GB"),
    "1": ("a plain number", "0.7"),
    "N/V": ("a force per volt", "25 kN/V"),
    "m/V": ("a length per volt", "5 mm/V"),
    "m/s^2/V": ("an acceleration per volt", "100 mV/g"),
}
MORE_SI = ("K", "Pa", "N*m", "rad/s", "rad/s^2", "kg*m^2")
_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*")
_GRAVITY = re.compile(r"\bg\b")
_SAME_SIGNS = str.maketrans({"\u03bc": "\u00b5", "\u2126": "\u03a9"})  # two code points for micro, and for ohm: keyboards give either
_STRAY = re.compile(r"[^\w\s/*^.·()%°²³¹⁻+-]|_{2}")  # pint takes a `#` for a comment, and passes over a `;`
_POWER = re.compile(r"(?:\^|\*\*)\s*(?:[-+]?\d{1,2}(?:\.\d{1,3})?|\([-+]?\d{1,2}(?:\.\d{1,3})?\))(?![\d.]|\s*(?:\^|\*\*))")
_FIGURE = re.compile(r"(?<![\w.])(?!1\s*/)\.?\d")  # a number by itself, but for 1/s
_LONGEST, _LONGEST_TEXT = 80, 400  # characters of a unit, and of a quantity


class QuantityError(ValueError):
    """A text that is not the quantity that was expected; says what was expected and what was given."""


def described(unit: str) -> str:
    """What is expected, in words with an example: `a length such as "0.2 mm"`."""
    word, example = WORDS.get(unit, (f"a quantity in {unit}", f"1 {unit}"))
    return f'{word} such as "{example}"'


@lru_cache(maxsize=4096)
def to_si(text: str, unit: str) -> float:
    """The number of `unit` (SI) that `text` stands for. Raises QuantityError.

    `g` is standard gravity where an acceleration is meant. A sensitivity may be given the way a calibration sheet does, upside down:
    "100 mV/g" for a unit of m/s^2/V.
    """
    expected = described(unit)
    found = _NUMBER.fullmatch(same_signs(text)) if len(text) <= _LONGEST_TEXT else None
    number = float(found[1]) if found else math.nan
    if found is None or not math.isfinite(number):
        raise QuantityError(f'expected {expected}, got "{_shown(text)}", which is not a number with a unit')
    if not found[2] and unit not in ("", "1"):  # pint takes a number for an angle
        raise QuantityError(f'expected {expected}, got "{text}" (a number without unit)')
    wanted = registry().parse_units(_pint(unit))
    given = _parse(found[2], text, expected)
    try:
        if wrong := wrong_angle(given, wanted) if found[2] else "":
            raise QuantityError(f'expected {expected}, got "{text}", {wrong}')
        value = _converted(number, (given, _parse(_GRAVITY.sub("standard_gravity", found[2]), text, expected)), wanted, unit)
    except QuantityError:
        raise
    except Exception as error:  # a temperature with a zero of its own, a number too large; pint knows more kinds of error than it documents
        raise QuantityError(f'expected {expected}, got "{_shown(text)}", which cannot be converted ({error})') from None
    if value is None:
        raise QuantityError(f'expected {expected}, got "{text}" ({dimension(given) if found[2] else "a number without unit"})')
    return value


def in_unit_of(text: str, unit: str, value: float) -> str:
    """`value` of `unit` (SI), with the unit that `text` has, as "10 kN" for "9 kN"; in SI where that has a zero of its own."""
    found = _NUMBER.fullmatch(same_signs(text))
    name = found[2].strip() if found and found[2] else ""
    size = to_si(f"1 {name}", unit) if name else 1.0
    if not size > 0.0 or (name and to_si(f"0 {name}", unit) != 0.0):
        return f"{value:.9g} {unit}".strip()
    return f"{value / size:.9g} {name}".strip()


def _converted(number: float, given: Sequence[Unit], wanted: Unit, unit: str) -> float | None:
    """In the unit that is wanted, by the first of the given ones of its dimension; None where there is none."""
    for of in given:
        candidate = registry().Quantity(number, of)  # not a product, which a scale with a zero of its own (degC) does not have
        for value in (candidate, 1 / candidate if unit.endswith("/V") and number else candidate):
            if value.is_compatible_with(wanted):
                return float(value.to(wanted).magnitude)
    return None


def is_unit(text: str) -> bool:
    """Whether a text is the name of a unit, or "1"."""
    try:
        return text == "1" or (text == text.strip() and not no_unit(text) and registry().parse_units(_pint(text)) is not None)
    except Exception:  # see `_parse`
        return False


def not_si(unit: str) -> str:
    """Why a unit is none of SI, with the one that is, in words; empty where it is one. unit: one that `is_unit` takes."""
    one = registry().Quantity(1.0, registry().parse_units(_pint(unit)))
    base = one.to_base_units()
    if base.magnitude == 1.0:
        return ""
    names = [name for name in (*WORDS, *MORE_SI) if base.units == registry().Quantity(1.0, _pint(name)).to_base_units().units]
    return f"expected {' or '.join(names[:2]) or f'{base.units:~C}'}"


def same_unit(unit: str, other: str) -> bool:
    """Whether two names, that `is_unit` takes, are those of one unit."""
    one, two = (registry().Quantity(1.0, registry().parse_units(_pint(name))).to_base_units() for name in (unit, other))
    return bool(one.units == two.units and one.magnitude == two.magnitude)


def same_signs(text: str) -> str:
    """A unit with one code point for each sign that has two: the micro and the ohm."""
    return text.translate(_SAME_SIGNS)


def _parse(unit: str, text: str, expected: str) -> Unit:
    import pint

    if wrong := no_unit(unit):
        raise QuantityError(f'expected {expected}, got "{_shown(text)}", which is not a quantity ({wrong})')
    try:
        return registry().parse_units(unit or "dimensionless")
    except pint.UndefinedUnitError as error:
        names = ", ".join([error.unit_names] if isinstance(error.unit_names, str) else error.unit_names)
        raise QuantityError(f'expected {expected}, got "{text}": unit {names} is not known') from None
    except Exception as error:  # pint's own parser lets through whatever Python's tokenizer raises
        raise QuantityError(f'expected {expected}, got "{text}", which is not a quantity ({type(error).__name__})') from None


def no_unit(unit: str) -> str:
    """Why a text cannot be a unit, before pint works it out: it reckons a tower of powers for ever."""
    if len(unit) > _LONGEST:
        return f"a unit of {len(unit)} characters"
    if stray := _STRAY.search(unit):
        return "decimals behind a point, not a comma" if stray[0] == "," else f"{stray[0]!r} stands in no unit"
    rest = _POWER.sub(" ", unit)
    if any(sign in rest for sign in ("^", "**")):
        return "powers are written as in m^2"
    if any(sign in rest for sign in "+-"):
        return "+ and - stand in no unit; products are written as in N*m, powers as in s^-2"
    if _FIGURE.search(rest):
        return "one number stands before its unit, and none in it"
    return ""


def _shown(text: str) -> str:
    """As much of a text as a line takes, whatever characters it has."""
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return short if short.isprintable() else short.encode("unicode_escape").decode("ascii")


def dimension(given: Unit) -> str:
    """In words, as `a force`."""
    for unit, (word, _) in WORDS.items():
        if unit != "1" and given.is_compatible_with(registry().parse_units(_pint(unit))):
            return word if not given.dimensionless else "without dimension"
    return f"in {(1 * given).to_base_units().units:~C}"


def _pint(unit: str) -> str:
    return "dimensionless" if unit in ("", "1") else unit


@cache
def registry() -> UnitRegistry:
    """All units that there are."""
    import pint

    # The user's own folder or none: what is read back is a pickle, so nobody else may be able to put one there.
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:  # reading pint's definitions costs 0.13 s, reading them back from a folder 0.02 s
        return pint.UnitRegistry(cache_folder=folder / "clearance-rig" / "pint")
    except OSError:
        return pint.UnitRegistry()
