"""Expressions at work: one small object a node, which takes blocks in order and keeps what the next one needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rig.calculated import cycles
from rig.calculated.damage import Damage
from rig.calculated.expression import Call, Channel, Node, Number, Operation
from rig.calculated.rows import Floats, Rows
from rig.calculated.windows import Rate, Window

POINTWISE: dict[str, Callable[..., Floats]] = {
    "neg": np.negative, "+": np.add, "-": np.subtract, "*": np.multiply, "**": np.power,
    "abs": np.abs, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "hypot": np.hypot,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
}  # fmt: skip
OF_CYCLES = {
    "mean": cycles.mean, "rms": cycles.rms, "peak": cycles.peak, "valley": cycles.valley, "amplitude": cycles.amplitude,
    "fundamental": cycles.fundamental, "phase": cycles.phase, "stiffness": cycles.stiffness,
    "play": cycles.play, "loaded_stiffness": cycles.loaded_stiffness,
}  # fmt: skip


class Evaluated(Protocol):
    """One node. `begun`: sample from which on it has a value; None while it has none."""

    @property
    def begun(self) -> int | None: ...

    def take(self, rows: Rows) -> Floats:
        """(k,) of the next samples."""


class Evaluation:
    """Named expressions, each of which may use those before it.

    definitions: (name, tree); numbers in it are SI. rate in Hz. Results are the same bits for any division into blocks, so a channel that
    is computed again from a record is what was computed live.
    """

    def __init__(self, definitions: Iterable[tuple[str, Node]], rate: float) -> None:
        self._named: dict[str, Evaluated] = {}
        self._start: dict[str, int | None] = {}
        for name, node in definitions:
            self._named[name] = _made(node, rate, self._start)
            self._start[name] = None

    @property
    def names(self) -> tuple[str, ...]:
        """In order."""
        return tuple(self._named)

    @property
    def begun(self) -> tuple[int | None, ...]:
        """Sample from which on each has a value; None while it has none."""
        return tuple(one.begun for one in self._named.values())

    def memory(self) -> list[list[float | None]]:
        """What another session of the test is to go on with: damage, in order. Windows and cycles begin anew."""
        return [one.memory() for one in self._damages()]

    def recall(self, memory: Sequence[Sequence[float | None]]) -> None:
        """Go on with it. Raises ValueError for that of other definitions."""
        for one, said in zip(self._damages(), memory, strict=True):
            one.recall(said)

    def _damages(self) -> list[Damage]:
        return [found for one in self._named.values() for found in _damages(one)]

    def take(self, rows: Rows, begun: Mapping[str, int | None] = MappingProxyType({})) -> Floats:
        """(k, names) of the next samples. NaN where there is no value yet, and where there is no finite one, as of a division by zero.

        begun: sample from which on channels of `rows` have a value that have none from the first one on; None: not yet.
        """
        self._start.update((name, start) for name, start in begun.items() if name not in self._named)
        values = dict(rows.values)
        more = Rows(values, rows.phase, rows.cycle)
        out = np.empty((len(rows), len(self._named)))
        with np.errstate(all="ignore"):
            for column, (name, one) in enumerate(self._named.items()):
                found = one.take(more)
                values[name] = out[:, column] = np.where(np.isfinite(found), found, np.nan)
                self._start[name] = one.begun
        return out


def recomputed(definitions: Sequence[tuple[str, Node]], rate: float, rows: Rows) -> Floats:
    """(N, names) of a whole record at once: the bits that were computed live."""
    return Evaluation(definitions, rate).take(rows)


class _Constant:
    begun: int | None = 0

    def __init__(self, value: float) -> None:
        self._value = value

    def take(self, rows: Rows) -> Floats:
        return np.full(len(rows), self._value)


class _Named:
    def __init__(self, name: str, start: dict[str, int | None]) -> None:
        self._name, self._start = name, start

    @property
    def begun(self) -> int | None:
        return self._start.get(self._name, 0)

    def take(self, rows: Rows) -> Floats:
        return np.asarray(rows.values[self._name], dtype=np.float64)


class _Pointwise:
    def __init__(self, function: Callable[..., Floats], parts: Sequence[Evaluated]) -> None:
        self._function, self._parts = function, parts

    @property
    def begun(self) -> int | None:
        return _latest(self._parts)

    def take(self, rows: Rows) -> Floats:
        return self._function(*(part.take(rows) for part in self._parts))


class _Sample(Protocol):
    def take(self, x: Floats) -> Floats: ...


class _Running:
    """What goes on from sample to sample (a window, a rate, damage), from the first sample on at which its argument has a value."""

    def __init__(self, state: _Sample, part: Evaluated) -> None:
        self._state, self._part = state, part
        self._seen = 0

    @property
    def begun(self) -> int | None:
        own = getattr(self._state, "begun", 0)
        return None if own is None or self._part.begun is None else self._part.begun + own

    def take(self, rows: Rows) -> Floats:
        x = self._part.take(rows)
        begun = self._part.begun
        first = len(x) if begun is None else min(len(x), max(0, begun - self._seen))
        self._seen += len(x)
        return x if first == len(x) else np.concatenate([np.full(first, np.nan), self._state.take(x[first:])])


class _OfCycle:
    def __init__(self, state: cycles.CycleValue, parts: Sequence[Evaluated]) -> None:
        self._state, self._parts = state, parts

    @property
    def begun(self) -> int | None:
        inner = _latest(self._parts)
        return None if self._state.begun is None or inner is None else max(self._state.begun, inner)

    def take(self, rows: Rows) -> Floats:
        columns = [part.take(rows) for part in self._parts]
        return self._state.take(columns, rows, _latest(self._parts))


def _damages(one: Evaluated) -> Iterator[Damage]:
    """Those within one node."""
    if isinstance(one, _Running):
        if isinstance(one._state, Damage):
            yield one._state
        yield from _damages(one._part)
    elif isinstance(one, (_Pointwise, _OfCycle)):
        for part in one._parts:
            yield from _damages(part)


def _latest(parts: Sequence[Evaluated]) -> int | None:
    begins = [part.begun for part in parts]
    known = [one for one in begins if one is not None]
    return max(known, default=0) if len(known) == len(begins) else None


def _made(node: Node, rate: float, start: dict[str, int | None]) -> Evaluated:
    match node:
        case Number(value, _):
            return _Constant(value)
        case Channel(name):
            return _Named(name, start)
        case Operation("/", (left, right)):
            return _Pointwise(_divided, [_made(left, rate, start), _made(right, rate, start)])
        case Operation(sign, parts):
            return _Pointwise(POINTWISE[sign], [_made(part, rate, start) for part in parts])
        case Call(function, parts):
            return _function(function, parts, rate, start)
    raise AssertionError(node)


def _function(function: str, parts: Sequence[Node], rate: float, start: dict[str, int | None]) -> Evaluated:
    if function in ("mean", "rms") and len(parts) == 2:
        return _Running(Window(constant(parts[1]), rate, function == "rms"), _made(parts[0], rate, start))
    if function == "damage":
        return _Running(Damage(constant(parts[1]), constant(parts[2])), _made(parts[0], rate, start))
    made = [_made(part, rate, start) for part in parts]
    if function in ("min", "max"):
        chosen = np.minimum if function == "min" else np.maximum
        return _Pointwise(lambda *values: reduce(chosen, values), made)
    if function == "rate":
        return _Running(Rate(rate), made[0])
    if function in OF_CYCLES:
        return _OfCycle(OF_CYCLES[function](), made)
    return _Pointwise(POINTWISE[function], made)


def constant(node: Node) -> float:
    """Value of an expression without channels; NaN where it has none."""
    row = Rows({}, np.zeros(1), np.zeros(1))
    with np.errstate(all="ignore"):
        return float(_made(node, 1.0, {}).take(row)[0])


def _divided(left: NDArray[np.float64], right: NDArray[np.float64]) -> Floats:
    """NaN, not infinity, where the divisor is 0: a NaN is inside no limit, and minus infinity is below any maximum."""
    return np.where(right == 0.0, np.nan, left / right)
