"""Generated equations beside the tables' (absolute coordinates, constraints with multipliers): every channel, every acceleration."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.assembly import layout as at
from model.equations import absolute
from model.equations.plan import Plan
from model.equations.source import Source, written
from model.equations.tree import COURSE, TURNS, Tree
from model.integrators import dop853
from model.joints.contact import EACH
from model.mechanisms.planar import Config, generated, kernel
from model.mechanisms.planar import stepper as tables
from model.mechanisms.planar.lead import Lead
from model.mechanisms.planar.outputs import _available
from model.stepping import inputs

Floats = NDArray[np.float64]
SAMPLES = 1e4  # Hz, of a course that leads


def read(source: Source) -> dict[str, Callable[..., Any]]:
    """The functions of generated source as plain Python: nothing is compiled, what is checked is what stands there."""
    plain = re.sub(r"^@compiled.*$", "", source.text, flags=re.MULTILINE)
    space: dict[str, Any] = {}
    exec(compile(plain, "generated", "exec"), space)
    space["view"] = lambda array, size: array
    space["sincos"] = lambda angle: (math.sin(angle), math.cos(angle))
    return space


def all_channels(config: Config) -> Config:
    """The mechanism with every channel that it can have."""
    usual, others = _available(config)
    return replace(config, outputs=tuple(output.name for output in (*usual, *others)))


@dataclass
class Beside:
    """Both formulations of one mechanism."""

    config: Config
    lead: Lead = Lead.NONE

    def __post_init__(self) -> None:
        self.led = self.lead is Lead.WAY
        self.config = all_channels(self.config)
        self.tables = tables.stepper(self.config, dop853.Config(), SAMPLES, self.lead)
        self.plan: Plan = generated.plan_of(self.config, self.tables, self.lead)
        self.source = written(self.plan)
        self.functions = read(self.source)
        self.names = [name for name, _ in self.config.channels]

    def state(self, rng: np.random.Generator, spread: float) -> tuple[float, Floats, Floats, Floats]:
        """(t, y, s, u): anywhere near the start, each contact closed or not."""
        tree = self.plan.tree
        count = len(tree.coordinates)
        u = np.concatenate([[-1.0, SAMPLES], 0.01 * np.cumsum(rng.normal(size=12))])
        y = np.concatenate([self._rest + spread * rng.normal(size=count), rng.normal(size=count)])
        s = self.tables.system.s.copy()
        for number in range(len(self.plan.contacts)):
            s[EACH * number + EACH - 1] = rng.choice([0.0, 1.3])
        return rng.uniform(2.0, 6.0) / SAMPLES, y, s, u

    @cached_property
    def _rest(self) -> Floats:
        """Coordinates at the start; where it is pushed it takes seconds to find them."""
        count = len(self.plan.tree.coordinates)
        if self.led:
            return np.zeros(count)
        return absolute.coordinates(self.plan.tree, self.tables.rest(np.zeros(self.tables.lookahead))[0])[:count]

    def course(self, t: float, u: Floats) -> tuple[float, float, float]:
        return inputs.course(u, t) if self.led else (t, 1.0, 0.0)

    def singular(self) -> bool:
        """Whether it starts near a singular pose, where both formulations solve softly, each in its own way."""
        return bool(self.tables.system.s[int(self.tables.system.p[at.S_PIVOT])] < 1e-3)

    def by_tables(self, t: float, y: Floats, s: Floats, u: Floats) -> tuple[Floats, Floats]:
        """(channels, accelerations of the bodies)."""
        state = absolute.bodies(self.plan.tree, y, self.course(t, u))
        p, values, rates = self.tables.parameters, np.zeros(len(self.names)), np.zeros_like(state)
        kernel.channels(t, state, values, p, s.copy(), u, self.tables.law)
        kernel.rhs(t, state, rates, p, s.copy(), u, self.tables.law)
        return values, rates[len(state) // 2 :]

    def by_source(self, t: float, y: Floats, s: Floats, u: Floats) -> tuple[Floats, Floats]:
        values, rates, p = np.zeros(len(self.names)), np.zeros_like(y), self.source.parameters
        s = np.concatenate([s[: self.plan.room], np.zeros(self.plan.discrete)])
        self.functions["channels"](t, y, values, p, s, u, len(u))
        self.functions["rhs"](t, y, rates, p, s, u, len(u))
        assert np.array_equal(rates[: len(y) // 2], y[len(y) // 2 :])
        return values, accelerations(self.plan.tree, y, rates[len(y) // 2 :], self.course(t, u))

    def off(self, rng: np.random.Generator, spread: float) -> float:
        """Largest difference at a state, as a share of the largest of its unit, or of a thousandth of the largest of all.

        The tables' rounding goes with their forces, also where these leave nothing.
        """
        at_state = self.state(rng, spread)
        worst = 0.0
        (expected, expected_rates), (found, found_rates) = self.by_tables(*at_state), self.by_source(*at_state)
        units = np.array([unit for _, unit in self.config.channels])
        groups = [(expected[units == unit], found[units == unit]) for unit in set(units)]
        for one, other in (*groups, (expected_rates, found_rates)):
            scale = max(1.0, float(np.max(np.abs(one), initial=0.0)), 1e-3 * float(np.max(np.abs(expected))))
            worst = max(worst, float(np.max(np.abs(one - other), initial=0.0)) / scale)
        return worst

    def off_guards(self, rng: np.random.Generator, spread: float) -> float:
        """The same of the guards and of what switches note."""
        t, y, s, u = self.state(rng, spread)
        state, p = absolute.bodies(self.plan.tree, y, self.course(t, u)), self.tables._motion.parameters
        count = len(self.plan.contacts) + 1
        (g, g_rate), (own, own_rate) = np.zeros((2, count)), np.zeros((2, count))
        kernel.guards(t, state, g, g_rate, p, s.copy(), u)
        self.functions["guards"](t, y, own, own_rate, self.source.parameters, s, u, len(u))
        worst = float(np.max(np.abs(np.array([g - own, g_rate - own_rate])) / (1.0 + np.abs(np.array([g, g_rate])))))
        for k in range(count - 1):
            one, other = s.copy(), s.copy()
            noted = kernel.switch(k, t, state, p, one, u), self.functions["switch"](k, t, y, self.source.parameters, other, u, len(u))
            assert (one[EACH * k + EACH - 1] > 0.0) == (other[EACH * k + EACH - 1] > 0.0)
            worst = max(worst, abs(noted[0] - noted[1]) / (1.0 + abs(noted[0])))
        return worst


def accelerations(tree: Tree, y: Floats, rates: Floats, course: tuple[float, float, float]) -> Floats:
    """Of the bodies (3 bodies,), from those of the coordinates."""
    u, v = np.split(y, 2)
    found = []
    for group, _, arms in tree.bodies[:-1]:
        total = 0j
        for (carrier, scalar), a in arms.items():
            theta, omega, alpha = turned(tree, carrier, u, v, rates, course)
            c, c1, c2 = (1.0, 0.0, 0.0) if scalar is None else course if scalar == COURSE else (u[scalar], v[scalar], rates[scalar])
            total += (c2 + 2j * omega * c1 + 1j * alpha * c - omega**2 * c) * np.exp(1j * theta) * a
        found += [total.real, total.imag, turned(tree, group, u, v, rates, course)[2]]
    return np.array(found)


def turned(tree: Tree, number: int, u: Floats, v: Floats, rates: Floats, course: tuple[float, float, float]) -> tuple[float, float, float]:
    group = tree.groups[number]
    own = (0.0, 0.0, 0.0) if group.coordinate is None else (u[group.coordinate], v[group.coordinate], rates[group.coordinate])
    assert group.coordinate is None or tree.coordinates[group.coordinate].kind == TURNS
    return own[0] + group.value + group.rate * course[0], own[1] + group.rate * course[1], own[2] + group.rate * course[2]
