"""Rows of the tables that a mechanism is made of, as the kernels read them (model.assembly.layout)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from model.assembly import layout as at
from model.assembly.elements import Actuator, Constraint, Curve, End, Load, Rub, Spring, Touch
from model.assembly.functions.function import Function
from model.compiled.parameters import Places, packed
from model.floats import Floats


class Functions:
    """The numbers of all functions one after the other, behind the header, and where each begins in p."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self.numbers: list[float] = []
        self.depth = max((one.depth for one in functions), default=0)
        self._places: dict[Function, int] = {}
        for one in functions:
            if one not in self._places:
                self._places[one] = at.HEADER + len(self.numbers)
                self.numbers += one.numbers

    def place(self, function: Function | None) -> int:
        """0 for none."""
        return 0 if function is None else self._places[function]


def needed(one: Load | Actuator | Touch) -> list[Function]:
    """The functions that it reads."""
    if isinstance(one, Touch):
        return list(one.functions)
    found = (one.factor, one.way) if isinstance(one, Load) else (one.function,)
    return [function for function in found if function is not None]


def pose(header: Floats, body: int) -> int:
    """Place of a body's pose in s; the ground's is the last."""
    return int(header[at.S_POSES]) + at.POSE_COLUMNS * body


def end(header: Floats, one: End) -> dict[int, ArrayLike]:
    """Columns of a point."""
    return {at.L_POSE: pose(header, one.body), at.L_BODY: 3 * one.body, at.L_POINT: (one.x, one.y)}


def ends(header: Floats, i: End, j: End) -> dict[int, ArrayLike]:
    """Columns of two points."""
    return {
        at.C_POSE_I: pose(header, i.body), at.C_POSE_J: pose(header, j.body), at.C_BODY_I: 3 * i.body, at.C_BODY_J: 3 * j.body,
        at.C_S_I: (i.x, i.y), at.C_S_J: (j.x, j.y),
    }  # fmt: skip


def contact(header: Floats, c: Touch, functions: Functions) -> Floats:
    """Row of a contact."""
    own: dict[int, ArrayLike] = {at.C_KIND: c.kind, at.C_FLOOR: c.floor}
    if c.functions:
        own[at.C_FUNCTIONS] = [functions.place(f) for f in (*c.functions, None)][:2]
    return packed(at.C_COLUMNS, ends(header, c.i, c.j) | own | c.columns)


def spring(header: Floats, c: Spring) -> Floats:
    """Row of a spring."""
    own: dict[int, ArrayLike] = {
        at.STIFFNESS: c.stiffness, at.DAMPING: c.damping, at.LENGTH: c.length, at.WAY: c.way, at.S_E: c.e, at.PRELOAD: c.preload,
        at.SIDE: c.side, at.BY_RATE: c.by_rate, at.GIVEN: c.given, at.POINTS: len(c.curve), at.CURVE: _points(c.curve),
    }  # fmt: skip
    return packed(at.SPRING_COLUMNS, ends(header, c.i, c.j) | own)


def load(header: Floats, c: Load, functions: Functions) -> Floats:
    """Row of a load."""
    own: dict[int, ArrayLike] = {
        at.L_FORCE: c.force, at.L_TORQUE: c.torque, at.L_POINTS: len(c.curve), at.L_CURVE: _points(c.curve), at.L_ALONG: c.along,
        at.L_FACTOR: functions.place(c.factor), at.L_WAY: functions.place(c.way), at.L_TURNS: c.turns,
    }  # fmt: skip
    return packed(at.LOAD_COLUMNS, end(header, c.on) | own)


def actuators(header: Floats, actuators: Sequence[Actuator], functions: Functions) -> list[Floats]:
    """Rows of the motors, whose own states follow each other."""
    table, own = [], 0
    for one in actuators:
        parameters = np.zeros(at.MOST_PARAMETERS)
        parameters[: len(one.parameters)] = packed(len(one.parameters), one.parameters)
        table.append(packed(at.ACTUATOR_COLUMNS, {
            at.M_POSE_I: pose(header, one.i.body), at.M_POSE_J: pose(header, one.j.body), at.M_BODY_I: 3 * one.i.body,
            at.M_BODY_J: 3 * one.j.body, at.M_KIND: one.kind, at.M_OWN: own, at.M_FUNCTION: functions.place(one.function),
            at.M_PARAMETERS: parameters,
        }))  # fmt: skip
        own += len(one.own)
    return table


def _points(curve: Curve) -> Floats:
    values = np.zeros(2 * at.MOST_POINTS)
    values[: 2 * len(curve)] = np.array(curve, dtype=np.float64).ravel()
    return values


def row(i: int, j: int, first: int, diagonal: int) -> Floats:
    """Row of an equation: its bodies, where it stands in the skyline."""
    return packed(at.ROW_COLUMNS, {at.VELOCITY_I: 3 * i, at.VELOCITY_J: 3 * j, at.FIRST_COLUMN: first, at.DIAGONAL: diagonal})


def output(code: int, first: int, second: int) -> Floats:
    """Row of what is put out."""
    return packed(at.OUTPUT_COLUMNS, {at.CODE: code, at.FIRST: first, at.SECOND: second})


def constraints(header: Floats, chain: Sequence[Constraint], functions: Functions) -> list[Floats]:
    """Rows of the constraints, whose equations follow each other."""
    table, row = [], 0
    for c in chain:
        first, second = (*c.functions, None, None)[:2]
        places: Places = {
            at.TYPE: c.kind, at.ROW: row, at.POSE_I: pose(header, c.i.body), at.POSE_J: pose(header, c.j.body),
            at.S_I: (c.i.x, c.i.y), at.S_J: (c.j.x, c.j.y), at.E: c.e, at.VALUE: c.value, at.RATE: c.rate, at.STICKS: c.sticks,
            at.FUNCTION: functions.place(first), at.SECOND_FUNCTION: functions.place(second),
        }  # fmt: skip
        table.append(packed(at.CONSTRAINT_COLUMNS, places))
        row += c.rows
    return table


def numbered(rub: Rub, contacts: Sequence[Touch]) -> Rub:
    """With the number of its contact as the value of the row that holds it, if a journal's contact presses."""
    if isinstance(rub.pressed, Constraint) or rub.stuck.kind != at.GRIP:
        return rub
    return replace(rub, stuck=replace(rub.stuck, value=float(_number(rub.pressed[0], contacts))))


def _number(touch: Touch, contacts: Sequence[Touch]) -> int:
    return next(n for n, one in enumerate(contacts) if one is touch)


def _pressed(rub: Rub, first: Mapping[Constraint, int], contacts: Sequence[Touch]) -> dict[int, ArrayLike]:
    if not isinstance(rub.pressed, Constraint):
        return {at.R_PRESSED: _number(rub.pressed[0], contacts), at.R_ROWS: -len(rub.pressed)}
    return {at.R_PRESSED: first[rub.pressed], at.R_ROWS: rub.pressed.rows}


def rubs(chain: Sequence[Constraint], rubs: Sequence[Rub], contacts: Sequence[Touch]) -> list[Floats]:
    """Rows of what rubs."""
    first = {c: sum(before.rows for before in chain[:k]) for k, c in enumerate(chain)}
    rows = sum(c.rows for c in chain)
    return [
        packed(at.RUB_COLUMNS, {
            at.R_ROW: rows + n, at.R_SLIDING: rub.coefficient * rub.arm, at.R_STATIC: rub.static * rub.arm,
            at.R_WHOLE: rub.whole, **_pressed(rub, first, contacts),
        })
        for n, rub in enumerate(rubs)
    ]  # fmt: skip
