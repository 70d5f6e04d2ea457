"""Units of an expression, by pint: what each function takes and gives. Its quantities become SI numbers here, once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from rig.calculated.expression import CONSTANT_FROM, Call, Channel, Node, Number, Operation, WrongExpression, written
from rig.config.pairing import meant
from rig.config.units.quantities import dimension, no_unit, registry

if TYPE_CHECKING:  # loading it takes a while
    from pint import Unit

PLAIN = ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log")
"""Take a plain number or an angle, give a plain number or an angle: to pint both are without dimension."""
SAME = ("abs", "mean", "rms", "peak", "valley", "amplitude", "fundamental")
ALIKE = ("min", "max", "hypot", "atan2")


def unit_of(node: Node, units: Mapping[str, str]) -> Unit:
    """Unit of an expression over channels, whose own are `units`. Raises WrongExpression."""
    match node:
        case Number(_, unit):
            return registry().parse_units(unit or "dimensionless")
        case Channel(name):
            if name not in units:
                raise WrongExpression(f"there is no channel {name!r} before this one; there are {', '.join(units)}{meant(name, units)}")
            return registry().parse_units(units[name] if units[name] not in ("", "1") else "dimensionless")
        case Operation(sign, parts):
            return _operated(sign, parts, units)
        case Call(function, parts):
            return _called(function, parts, units)
    raise AssertionError(node)


def need(node: Node, expected: Unit, units: Mapping[str, str], where: str) -> None:
    """Raises WrongExpression where an expression has another dimension than the one expected."""
    got = unit_of(node, units)
    if got.dimensionality != expected.dimensionality:
        raise WrongExpression(f"{where}: expected {_words(expected)}, got {_words(got)} ({written(node)})")


def in_si(node: Node) -> Node:
    """The tree with plain SI numbers in place of quantities. Raises WrongExpression for a unit that is not known."""
    match node:
        case Number(value, unit) if unit:
            return Number(_si(value, unit))
        case Operation(sign, parts):
            return Operation(sign, tuple(in_si(part) for part in parts))
        case Call(function, parts):
            return Call(function, tuple(in_si(part) for part in parts))
    return node


def _si(value: float, unit: str) -> float:
    why = no_unit(unit)
    try:
        if not why:
            return float(registry().Quantity(value, unit).to_base_units().magnitude)
    except Exception as error:  # pint's own parser lets through whatever Python's tokenizer raises
        why = f"{type(error).__name__}: {error}"
    raise WrongExpression(
        f"{value:g} {unit}: {unit!r} is not a unit ({why}); a unit has no blanks in it, / and * between quantities have them"
    )


def _operated(sign: str, parts: tuple[Node, ...], units: Mapping[str, str]) -> Unit:
    first = unit_of(parts[0], units)
    if sign == "neg":
        return first
    if sign == "**":
        return _power(parts, first, units)
    if sign in "+-":
        need(parts[1], first, units, f"{written(parts[0])} {sign} {written(parts[1])}")
        return first
    other = unit_of(parts[1], units)
    return _unit(first * other if sign == "*" else first / other)


def _power(parts: tuple[Node, ...], first: Unit, units: Mapping[str, str]) -> Unit:
    need(parts[1], _unit(registry().dimensionless), units, f"exponent of {written(parts[0])}")
    if first.dimensionless:
        return first
    exponent = parts[1].parts[0] if isinstance(parts[1], Operation) and parts[1].sign == "neg" else parts[1]
    if not isinstance(exponent, Number):
        raise WrongExpression(f"exponent of {written(parts[0])}, {_words(first)}: expected a number, got {written(parts[1])}")
    return _unit(first ** (exponent.value if exponent is parts[1] else -exponent.value))


def _called(function: str, parts: tuple[Node, ...], units: Mapping[str, str]) -> Unit:
    first, none = unit_of(parts[0], units), _unit(registry().dimensionless)
    if function in PLAIN:
        need(parts[0], none, units, function)
        return _unit(registry().radian) if function in ("asin", "acos", "atan") else none
    if function in ALIKE:
        for part in parts[1:]:
            need(part, first, units, function)
        return _unit(registry().radian) if function == "atan2" else first
    if function in SAME:
        for part in parts[CONSTANT_FROM.get(function, 9) :]:
            need(part, _unit(registry().second), units, f"{function}, its window")
        return first
    if function == "damage":
        need(parts[1], none, units, "damage, its slope")
        need(parts[2], first, units, "damage, its reference")
        return none
    if function in ("stiffness", "loaded_stiffness"):
        return _unit(first / unit_of(parts[1], units))
    if function == "play":
        unit_of(parts[1], units)
        return first
    if function == "phase":
        return _unit(registry().radian)
    return _unit(first**0.5 if function == "sqrt" else first / registry().second)


def _words(unit: Unit) -> str:
    return "a plain number" if unit.dimensionless else dimension(unit)


def _unit(one: object) -> Unit:
    """What pint's arithmetic gives, whose types are its own."""
    return cast("Unit", one)
