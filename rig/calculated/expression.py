"""What stands in `expression = "..."`: a closed list of operations and functions over channels and quantities. Nothing is ever executed.

Python's own parser makes a tree of the text (`ast.parse`), of which only what is listed here is taken over; all else is refused by name.
Before that each quantity (`0.2 mm`: a number, blanks, a unit without blanks) and each name in backticks is put aside.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 500
"""Characters of an expression."""
DEEPEST = 30
"""Operations within each other."""
PREDICTED = "predicted."
"""Before the name of a channel: what the model says of it, as its sensor would show it."""
ESTIMATED = "estimated."
"""Before the name of a number that is estimated from cycle to cycle."""
LATER = (PREDICTED, ESTIMATED)
"""What comes from another process, after the sample was measured."""
BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
ARITY = {
    "abs": (1, 1), "sqrt": (1, 1), "exp": (1, 1), "log": (1, 1), "hypot": (2, 2),
    "sin": (1, 1), "cos": (1, 1), "tan": (1, 1), "asin": (1, 1), "acos": (1, 1), "atan": (1, 1), "atan2": (2, 2),
    "min": (2, 8), "max": (2, 8),
    "rate": (1, 1), "mean": (1, 2), "rms": (1, 2),
    "peak": (1, 1), "valley": (1, 1), "amplitude": (1, 1), "fundamental": (1, 1), "phase": (1, 1),
    "stiffness": (2, 2), "play": (2, 2), "loaded_stiffness": (2, 2), "damage": (3, 3),
}  # fmt: skip
"""Function -> fewest and most arguments."""
CONSTANT_FROM = {"mean": 1, "rms": 1, "damage": 1}
"""Function -> argument from which on only numbers may stand."""
_QUANTITY = re.compile(r"(?<![\w.])((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?) +([^\W\d_%][\w/*^.·°²³¹⁻-]*|[%°][\w/*^.·-]*)")
_QUOTED = re.compile(r"`([^`]*)`")
_WORDS = {"and", "or", "if", "else", "in", "is", "not", "for", "lambda"}


class WrongExpression(ValueError):
    """An expression that cannot be taken; says what was expected and what stands there."""


@dataclass(frozen=True)
class Number:
    """`value` of `unit`; empty: a plain number."""

    value: float
    unit: str = ""


@dataclass(frozen=True)
class Channel:
    """A measured or calculated channel, `command`, `predicted.NAME` or `estimated.NAME`."""

    name: str


@dataclass(frozen=True)
class Operation:
    """`sign` is one of + - * / **, or `neg` of one part."""

    sign: str
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Call:
    """A function of `ARITY`."""

    function: str
    parts: tuple[Node, ...]


Node = Number | Channel | Operation | Call


def parse(text: str) -> Node:
    """The tree of an expression. Raises WrongExpression."""
    if len(text) > LONGEST:
        raise WrongExpression(f"expected at most {LONGEST} characters, got {len(text)}")
    aside: dict[str, Node] = {}
    prefix = "q"
    while prefix in text:
        prefix += "q"

    def put_aside(node: Node) -> str:
        name = f"{prefix}{len(aside)}"
        aside[name] = node
        return name

    plain = _QUOTED.sub(lambda found: put_aside(Channel(found[1])), text)
    plain = _QUANTITY.sub(lambda f: f[0] if f[2] in _WORDS else put_aside(Number(float(f[1]), f[2])), plain)
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise WrongExpression(f"{_short(text)!r} is no expression such as (stroke - 0.2 mm) / length") from None
    return _node(tree, aside, 0)


def _node(tree: ast.expr, aside: dict[str, Node], depth: int) -> Node:
    if depth > DEEPEST:
        raise WrongExpression(f"expected at most {DEEPEST} operations within each other")
    match tree:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as value) if math.isfinite(number := _float(value)):
            return Number(number)
        case ast.Name(id=name):
            return aside.get(name, Channel(name))
        case ast.Attribute(value=ast.Name(id=before), attr=name) if f"{before}." in LATER:
            of = aside.get(name, Channel(name))
            if isinstance(of, Channel):
                return Channel(f"{before}.{of.name}")
        case ast.UnaryOp(op=ast.UAdd(), operand=part):
            return _node(part, aside, depth + 1)
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return Operation("neg", (_node(part, aside, depth + 1),))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return Operation(BINARY[type(op)], (_node(left, aside, depth + 1), _node(right, aside, depth + 1)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _call(name, tuple(_node(one, aside, depth + 1) for one in args))
        case _:
            pass
    raise WrongExpression(f"{_said(tree, aside)!r} cannot stand in an expression; there are numbers, channels, + - * / ** and functions")


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _call(name: str, parts: tuple[Node, ...]) -> Call:
    if name not in ARITY:
        raise WrongExpression(f"there is no function {name!r}; there are {', '.join(ARITY)}")
    fewest, most = ARITY[name]
    if not fewest <= len(parts) <= most:
        many = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise WrongExpression(f"{name}: expected {many} argument{'s' if most > 1 else ''}, got {len(parts)}")
    for number, part in enumerate(parts[CONSTANT_FROM.get(name, most) :], CONSTANT_FROM.get(name, most) + 1):
        if any(True for _ in channels(part)):
            raise WrongExpression(f"{name}: argument {number} has to be a number, got {written(part)}")
    return Call(name, parts)


def channels(node: Node) -> Iterator[str]:
    """Names of the channels in it, in order, as often as they stand there."""
    if isinstance(node, Channel):
        yield node.name
    elif isinstance(node, (Operation, Call)):
        for part in node.parts:
            yield from channels(part)


def written(node: Node) -> str:
    """A text that `parse` makes the same tree of."""
    match node:
        case Number(value, unit):
            return f"{value!r} {unit}".strip()
        case Channel(name):
            before = next((one for one in LATER if name.startswith(one)), "")
            bare = name.removeprefix(before)
            return before + (bare if bare.isidentifier() and bare.isascii() else f"`{bare}`")
        case Operation("neg", (part,)):
            return f"(-{written(part)})"
        case Operation(sign, (left, right)):
            return f"({written(left)} {sign} {written(right)})"
        case Call(function, parts):
            return f"{function}({', '.join(map(written, parts))})"
    raise AssertionError(node)


def _said(tree: ast.expr, aside: dict[str, Node]) -> str:
    """The part of the text, with what was put aside where it stood."""
    text = ast.unparse(tree)
    for name, node in reversed(aside.items()):
        text = text.replace(name, written(node))
    return _short(text)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}..."
