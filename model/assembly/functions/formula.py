"""A formula as text, parsed and never run as Python: numbers, one variable, + - * / ^, and the functions that are known."""

from __future__ import annotations

import ast
import math
from functools import lru_cache

from model.assembly.functions import operations as do
from model.assembly.functions.function import Function
from model.assembly.functions.numbering import PROGRAM

CONSTANTS = {"pi": math.pi, "deg": math.pi / 180.0, "mm": 1e-3, "rpm": math.pi / 30.0}
OF_TWO = {ast.Add: do.ADD, ast.Sub: do.SUBTRACT, ast.Mult: do.MULTIPLY, ast.Div: do.DIVIDE}
LONGEST, MOST_STEPS = 500, 200
Step = tuple[int, float]


@lru_cache(maxsize=256)
def formula(text: str, key: str, variable: str = "t") -> Function:
    """The function that the text says, of the variable, in SI. Raises ValueError, beginning with the key, for what is no formula."""
    try:
        if len(text) > LONGEST:
            raise ValueError(f"expected at most {LONGEST} characters, got {len(text)}")
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
        steps, depth = _steps(tree, variable)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{key}: expected a formula such as 0.5*sin(2*pi*3*{variable}), got {text!r}") from None
    except ValueError as error:
        raise ValueError(f"{key}: {error}; in {text!r}") from None
    if len(steps) > MOST_STEPS:
        raise ValueError(f"{key}: expected a formula of at most {MOST_STEPS} operations, got {len(steps)}")
    made = Function((float(PROGRAM), float(len(steps)), *(number for step in steps for number in step)), depth)
    if not all(math.isfinite(one) for one in made(0.0)):
        raise ValueError(f"{key}: {text!r} has no value, speed and acceleration at {variable} = 0")
    return made


def _steps(node: ast.expr, variable: str) -> tuple[list[Step], int]:
    """(program, depth of its stack) of one node. Raises ValueError for what a formula cannot be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return [(do.NUMBER, float(node.value))], 1
    if isinstance(node, ast.Name):
        return [_named(node.id, variable)], 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        steps, depth = _steps(node.operand, variable)
        return ([*steps, (do.MINUS, 0.0)] if isinstance(node.op, ast.USub) else steps), depth
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        steps, depth = _steps(node.left, variable)
        return [*steps, (do.POWER, _number(node.right, variable))], depth
    if isinstance(node, ast.BinOp) and type(node.op) in OF_TWO:
        (left, one), (right, other) = _steps(node.left, variable), _steps(node.right, variable)
        return [*left, *right, (OF_TWO[type(node.op)], 0.0)], max(one, other + 1)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _called(node.func.id, node.args, variable)
    raise ValueError(f"expected numbers, {variable}, + - * / ^ and functions, got {ast.unparse(node)!r}")


def _named(name: str, variable: str) -> Step:
    if name == variable:
        return do.VARIABLE, 0.0
    if name in CONSTANTS:
        return do.NUMBER, CONSTANTS[name]
    raise ValueError(f"there is no {name!r}; there are {', '.join((variable, *CONSTANTS))} and {', '.join(do.OF_ONE)}")


def _called(name: str, arguments: list[ast.expr], variable: str) -> tuple[list[Step], int]:
    if name not in do.OF_ONE:
        raise ValueError(f"there is no function {name!r}; there are {', '.join(do.OF_ONE)}")
    if len(arguments) != 1:
        raise ValueError(f"{name}: expected one argument, got {len(arguments)}")
    steps, depth = _steps(arguments[0], variable)
    return [*steps, (do.OF_ONE[name], 0.0)], depth


def _number(node: ast.expr, variable: str) -> float:
    """An exponent, which does not vary."""
    steps, depth = _steps(node, variable)
    if any(what == do.VARIABLE for what, _ in steps):
        raise ValueError(f"expected a number as exponent, got {ast.unparse(node)!r}; write exp(...) for one that varies")
    return Function((float(PROGRAM), float(len(steps)), *(number for step in steps for number in step)), depth)(0.0)[0]
