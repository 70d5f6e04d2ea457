"""The tasks of a campaign: points of a grid, or points of the unit cube turned into what is varied by the inverse distribution.

Latin hypercube and Sobol sequence: scipy.stats.qmc. Saltelli: the scheme of Saltelli et al. 2010 (Comput. Phys. Commun. 181,
259-270) without second-order terms, from SALib: N (k + 2) tasks for N samples of k keys.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rig.errors import ConfigError
from rig.sweep.amounts import Amount
from rig.sweep.campaign import MOST_TASKS, Campaign, Varied

Floats = NDArray[np.float64]
TINY = 1e-12  # of the unit interval: its ends would be infinite in a distribution without bounds


@dataclass(frozen=True)
class Points:
    """numbers: (tasks, keys), each in the unit of its key as it was written; of words the place in `values`."""

    vary: tuple[Varied, ...]
    numbers: Floats

    @property
    def si(self) -> Floats:
        """(tasks, keys) in SI units."""
        return np.column_stack([column * _unit(one).si for one, column in zip(self.vary, self.numbers.T, strict=True)])

    @property
    def units(self) -> tuple[str, ...]:
        """As the keys were written; empty for plain numbers and words."""
        return tuple(_unit(one).unit for one in self.vary)

    def settings(self, task: int) -> list[str]:
        """ "KEY=VALUE" of one task."""
        row = zip(self.vary, self.numbers[task].tolist(), strict=True)
        return [f"{key}={_value(one, number)}" for one, number in row for key in (one.key, *one.also)]

    def arguments(self, task: int) -> dict[str, float | str]:
        """The same for a function: numbers in SI units, and words."""
        row = zip(self.vary, self.numbers[task].tolist(), strict=True)
        return {one.key: one.values[int(number)] if _words(one) else number * _unit(one).si for one, number in row}


def points(campaign: Campaign) -> Points:
    """Every task, the same each time. Raises ConfigError for too many."""
    design, vary = campaign.design, campaign.vary
    count = math.prod(len(one.values) or one.steps for one in vary) if design.kind == "grid" else design.samples
    count *= len(vary) + 2 if design.kind == "saltelli" else 1
    if count > MOST_TASKS:
        raise ConfigError(f"design: {count} tasks, expected at most {MOST_TASKS}; take fewer steps or samples")
    if design.kind == "grid":
        return Points(vary, np.array([*itertools.product(*map(_steps, vary))], dtype=np.float64))
    cube = np.clip(_cube(design.kind, design.samples, len(vary), design.seed), TINY, 1.0 - TINY)
    return Points(vary, np.column_stack([_quantile(one, column) for one, column in zip(vary, cube.T, strict=True)]))


def _cube(kind: str, samples: int, keys: int, seed: int) -> Floats:
    from scipy.stats import qmc

    if kind == "monte_carlo":
        return np.random.default_rng(seed).random((samples, keys))
    if kind == "latin_hypercube":
        return np.asarray(qmc.LatinHypercube(keys, rng=seed).random(samples))
    if kind == "sobol":
        return np.asarray(qmc.Sobol(keys, rng=seed).random(samples))
    from SALib.sample import sobol

    return np.asarray(sobol.sample(problem([str(i) for i in range(keys)]), samples, calc_second_order=False, seed=seed))


def problem(names: list[str]) -> dict[str, object]:
    """The unit cube, as SALib has it."""
    return {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}


def _steps(one: Varied) -> list[float]:
    if one.values:
        return [float(i) for i in range(len(one.values))] if _words(one) else [amount.number for amount in one.labels or ()]
    low, high = (one.amounts[name].number for name in ("minimum", "maximum"))
    spaced = np.geomspace if one.distribution == "log_uniform" else np.linspace
    return [float(number) for number in spaced(low, high, one.steps)]


def _quantile(one: Varied, share: Floats) -> Floats:
    """The inverse distribution at `share` of the unit interval."""
    from scipy.special import ndtr, ndtri

    if one.values:
        place = np.minimum((share * len(one.values)).astype(int), len(one.values) - 1)
        return np.asarray(np.array(_steps(one))[place])
    number = {name: amount.number for name, amount in one.amounts.items()}
    low, high = number.get("minimum", -math.inf), number.get("maximum", math.inf)
    if one.distribution == "uniform":
        return np.asarray(low + share * (high - low))
    if one.distribution == "log_uniform":
        return np.asarray(low * (high / low) ** share)
    mean, deviation = number["mean"], number["deviation"]
    if one.distribution == "normal":
        below, above = float(ndtr((low - mean) / deviation)), float(ndtr((high - mean) / deviation))
        return np.asarray(np.clip(mean + deviation * ndtri(below + share * (above - below)), low, high))
    width = math.sqrt(math.log1p((deviation / mean) ** 2))
    centre = math.log(mean) - 0.5 * width**2
    below = float(ndtr((math.log(low) - centre) / width)) if low > 0.0 else 0.0
    above = float(ndtr((math.log(high) - centre) / width)) if 0.0 < high < math.inf else 1.0
    return np.asarray(np.clip(np.exp(centre + width * ndtri(below + share * (above - below))), low, high))


@cache
def _words(one: Varied) -> bool:
    return bool(one.values) and one.labels is None


@cache
def _unit(one: Varied) -> Amount:
    if _words(one):
        return Amount(1.0, "")
    first = one.labels[0] if one.values and one.labels else next(iter(one.amounts.values()))
    return Amount(1.0, first.unit)


def _value(one: Varied, number: float) -> str:
    return one.values[int(number)] if _words(one) else str(Amount(number, _unit(one).unit))
