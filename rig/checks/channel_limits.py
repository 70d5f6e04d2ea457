"""Calculated channels, and all limits on them and on the channels that they come from (pure functions of arrays and state)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

from rig.calculated.evaluation import Evaluation
from rig.calculated.expression import parse
from rig.calculated.rows import Floats, Rows
from rig.checks.derived_limits import Derived, DerivedLimits
from rig.checks.learned_state import LearnedState
from rig.checks.limits import Moment, Passed, in_order
from rig.checks.tared_limits import TaredLimitCheck
from rig.checks.trends import Trend


class Definition(Protocol):
    """Of a calculated channel (`rig.config.experiment.Calculated`), with SI numbers in its expression."""

    @property
    def name(self) -> str: ...
    @property
    def expression(self) -> str: ...


class Memory(TypedDict):
    """See `Evaluation.memory` and `DerivedLimits.memory`."""

    damage: list[list[float | None]]
    learned: dict[str, list[float]]


class ChannelLimits:
    """Takes blocks in order. names: channels that are given; rate in Hz; tares: channel -> gross minus net; ends: what each can show."""

    def __init__(
        self,
        definitions: Sequence[Definition],
        limits: Sequence[Derived],
        names: Sequence[str],
        rate: float,
        tares: Mapping[str, float],
        ends: Mapping[str, tuple[float, float]],
    ) -> None:
        self._evaluation = Evaluation([(one.name, parse(one.expression)) for one in definitions], rate)
        self._names = tuple(names)
        sampled = [one for one in limits if (one.minimum, one.maximum, one.rate) != (None, None, None)]
        self._sampled = TaredLimitCheck(sampled, [*names, *self._evaluation.names], rate, tares, ends)
        self._derived = DerivedLimits(limits, rate)

    def memory(self) -> Memory:
        """What another session of the test is to go on with."""
        return {"damage": self._evaluation.memory(), "learned": self._derived.memory()}

    def recall(self, memory: Memory) -> None:
        """Go on with it."""
        self._evaluation.recall(memory["damage"])
        self._derived.recall(memory["learned"])

    def states(self) -> list[tuple[Trend, LearnedState]]:
        """Of each limit that judges by what it has learned."""
        return self._derived.states()

    def learn_anew(self, limits: Sequence[Trend], sample: int) -> None:
        """See `DerivedLimits.learn_anew`."""
        self._derived.learn_anew(limits, sample)

    def check(
        self,
        first: int,
        values: Mapping[str, Floats],
        phase: Floats,
        cycle: Floats,
        state: str,
        given: Mapping[str, int | None] = MappingProxyType({}),
    ) -> tuple[NDArray[np.float64], list[Passed]]:
        """The next k samples, from `first` on: values (k,) by name, phase (k,) in rad and cycle (k,) of the command, state of the bench;
        given: of names that have no value from the first sample on the one from which they have (None: not yet).

        Returns (calculated channels (k, definitions), limits passed, the most severe first).
        """
        calculated = self._evaluation.take(Rows(values, phase, cycle), given)
        begun = dict(zip(self._evaluation.names, self._evaluation.begun, strict=True))
        moment = Moment(state, phase, {**begun, **given})
        every = {**values, **dict(zip(begun, calculated.T, strict=True))}
        passed = self._sampled.check(first, np.column_stack([every[name] for name in (*self._names, *begun)]), moment)
        return calculated, in_order([*passed, *self._derived.check(first, Rows(every, phase, cycle), moment)])
