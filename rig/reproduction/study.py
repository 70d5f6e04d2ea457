"""Experiments as the computations of a paper want them: a file of configs/, the statement's own conditions, the user's settings last."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from drivers.files.plain_values import Json
from rig import config
from rig.config.experiment import Experiment
from rig.errors import ConfigError
from rig.examples import tree
from rig.prediction.simulation import Simulated, simulate
from rig.reproduction.values import Value

FINER = 1e-2  # of the tolerance, in a check of convergence
HALVED = 0.5  # of a fixed step
FINEST = 1e-13
UNKNOWN = "unknown key"
Floats = NDArray[np.float64]
Tables = tuple[Floats, Floats, Floats]
Conditions = Mapping[str, Json]


class Panel(TypedDict):
    """Of a picture: what stands at its axes, and the lines in it with their labels."""

    title: str
    x: str
    y: str
    lines: Sequence[tuple[str, Floats, Floats]]


@dataclass(frozen=True)
class Computed:
    """What came out for a statement, and under which conditions (SI)."""

    value: Value
    conditions: Conditions = field(default_factory=dict)
    remark: str = ""


Statement = Callable[["Study"], Computed]
Outcome = tuple[Computed, str]  # what a statement gave, and why it did not get there


@dataclass
class Study:
    """`overrides`: the user's, laid over every experiment; `full`: not in the short form; `fine`: as a check of convergence."""

    overrides: Sequence[str] = ()
    full: bool = False
    fine: bool = False
    unused: set[str] = field(default_factory=set)
    """Of the user's settings, those that no experiment of the study has known so far."""
    given_up: Event = field(default_factory=Event)
    """Set by whoever does not want its results any more: nothing further is simulated."""
    _known: dict[str, list[str]] = field(default_factory=dict)
    _experiments: dict[tuple[str, ...], Experiment] = field(default_factory=dict)
    _runs: dict[tuple[str, ...], Simulated] = field(default_factory=dict)
    _tables: dict[tuple[str, ...], Tables] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.unused = set(self.overrides)

    def finer(self) -> Study:
        """The same study with the tolerances a hundredth, fixed steps a half: what moves was not converged."""
        return Study(self.overrides, self.full, fine=True, given_up=self.given_up)

    def with_setting(self, setting: str) -> Study:
        """The same study with a setting ("KEY=VALUE") of the paper's, to which the user's own of that key is preferred."""
        return Study((setting, *self.overrides), self.full, given_up=self.given_up)

    def sets(self, key: str) -> bool:
        """Whether the user has set that key."""
        return any(override.partition("=")[0].strip() == key for override in self.overrides)

    def experiment(self, name: str, *conditions: str) -> Experiment:
        """The experiment of that file with `conditions` ("KEY=VALUE"), then the user's settings. Raises ConfigError."""
        key = (name, *conditions)
        if key not in self._experiments:
            made = config.load_experiment(tree.experiment(name), [*conditions, *self._own(name)]).experiment
            self._experiments[key] = replace(made, integrator=made.integrator.finer(HALVED, FINER, FINEST)) if self.fine else made
        return self._experiments[key]

    def simulated(self, name: str, *conditions: str) -> Simulated:
        """`experiment`, simulated; once for the same conditions. Raises ConfigError, NotConverged; CancelledError once given up."""
        if self.given_up.is_set():
            raise CancelledError
        key = (name, *conditions)
        if key not in self._runs:
            self._runs[key] = simulate(self.experiment(name, *conditions))
        return self._runs[key]

    def _own(self, name: str) -> list[str]:
        """The user's settings that this experiment knows; a paper may need several mechanisms. Raises ConfigError for a bad value."""
        if name not in self._known:
            self._known[name] = [override for override in self.overrides if _knows(name, override)]
            self.unused -= set(self._known[name])
        return self._known[name]

    def once(self, make: Callable[[], Tables], *key: str) -> Tables:
        """make(), kept under the key."""
        if key not in self._tables:
            self._tables[key] = make()
        return self._tables[key]


def _knows(name: str, override: str) -> bool:
    try:
        config.load_experiment(tree.experiment(name), [override])
    except ConfigError as error:
        if all(UNKNOWN in problem for problem in error.problems):
            return False
        raise
    return True


def digits(value: float, count: int = 6) -> float:
    """`value` with so many digits: what is tabled is not more than what is known."""
    return float(f"{value:.{count}g}") if math.isfinite(value) else math.nan
