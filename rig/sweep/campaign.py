"""A campaign file: which experiment, what is varied and how, what a task is, and which figures are kept of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from drivers.files.plain_values import Json
from rig.config.source import Source
from rig.config.tree import read
from rig.errors import ConfigError
from rig.sweep.amounts import Amount, in_one_unit

TASKS = ("simulate", "run", "function")
DESIGNS = ("grid", "latin_hypercube", "sobol", "monte_carlo", "saltelli")
DISTRIBUTIONS = ("uniform", "log_uniform", "normal", "lognormal")
OF_MODEL = ("max_abs", "max", "min", "rms", "reversal_peak", "overshoot")
"""Of a channel of the model, from the solver's own extremes."""
OF_EVENTS = ("contacts", "approach_speed")
"""Of the whole motion: how many contacts began, and the largest speed (m/s) at which parts met."""
OF_TEST = ("passed", "criteria_failed")
"""Of a whole test: 1 where its verdict is a pass, else 0; how many criteria fail."""
MOST_TASKS = 2_000_000
AMOUNTS = ("minimum", "maximum", "mean", "deviation")
ANY = "any"


@dataclass(frozen=True)
class Design:
    """How the tasks are spread over what is varied."""

    kind: str = field(default="grid", metadata={"choices": DESIGNS})
    samples: int = field(
        default=256, metadata={"at_least": 1, "at_most": MOST_TASKS, "doc": "of all but a grid; a power of 2 for sobol, saltelli"}
    )
    seed: int = field(default=1, metadata={"at_least": 0})


@dataclass(frozen=True)
class Varied:
    """One key that differs from task to task: over values, or between bounds, or by a distribution."""

    key: str = field(metadata={"doc": "as of `--set`; of a function the name of its argument"})
    also: tuple[str, ...] = field(default=(), metadata={"doc": "keys that get the same value, as bench.plant.clearance"})
    values: tuple[str, ...] = field(default=(), metadata={"doc": "these; each as likely as the others where they are drawn"})
    minimum: str = field(default="", metadata={"doc": 'a quantity, as "0.05 mm"; of normal, lognormal: cut off there'})
    maximum: str = ""
    steps: int = field(default=5, metadata={"at_least": 2, "doc": "of a grid, both ends included"})
    distribution: str = field(
        default="uniform", metadata={"choices": DISTRIBUTIONS, "doc": "log_uniform: evenly in the logarithm, steps too"}
    )
    mean: str = field(default="", metadata={"doc": "of normal, lognormal: of the quantity itself"})
    deviation: str = field(default="", metadata={"doc": "of normal, lognormal: standard deviation of the quantity itself"})

    def __post_init__(self) -> None:
        """Raises ValueError, as "key: what is wrong"."""
        given = [name for name in AMOUNTS if getattr(self, name)]
        if self.values:
            if given:
                raise ValueError(f"values: either these or {', '.join(given)}")
            self.labels  # noqa: B018  # as a mixture of units says
            return
        bell = self.distribution in ("normal", "lognormal")
        if missing := [name for name in (("mean", "deviation") if bell else ("minimum", "maximum")) if name not in given]:
            raise ValueError(
                f"{missing[0]}: missing; distribution {self.distribution} takes {'mean and deviation' if bell else 'minimum and maximum'}"
            )
        if not bell and (foreign := [name for name in ("mean", "deviation") if name in given]):
            raise ValueError(f"{foreign[0]}: belongs to the distributions normal and lognormal")
        amounts = self.amounts
        low, high = amounts.get("minimum"), amounts.get("maximum")
        if low is not None and high is not None and not low.number < high.number:
            raise ValueError(f"maximum: expected more than minimum = {low}, got {high}")
        if bell and amounts["deviation"].number <= 0.0:
            raise ValueError(f"deviation: expected more than 0, got {amounts['deviation']}")
        positive = {"log_uniform": "minimum", "lognormal": "mean"}.get(self.distribution)
        if positive is not None and amounts[positive].number <= 0.0:
            raise ValueError(f"{positive}: {self.distribution} expects more than 0, got {amounts[positive]}")

    @property
    def amounts(self) -> dict[str, Amount]:
        """minimum, maximum, mean and deviation as far as they are given, in the unit of the first of them. Raises ValueError."""
        given = {}
        for name in AMOUNTS:
            if text := getattr(self, name):
                try:
                    given[name] = Amount.parse(text)
                except ValueError as error:
                    raise ValueError(f"{name}: {error}") from None
        try:
            return dict(zip(given, in_one_unit([*given.values()]), strict=True)) if given else {}
        except ValueError as error:
            raise ValueError(f"{next(reversed(given))}: {error}") from None

    @property
    def labels(self) -> tuple[Amount, ...] | None:
        """`values` as amounts in one unit; None where they are words, as contact laws. Raises ValueError."""
        try:
            amounts = [Amount.parse(text) for text in self.values]
        except ValueError:
            return None
        try:
            return tuple(in_one_unit(amounts))
        except ValueError as error:
            raise ValueError(f"values: {error}") from None

    @property
    def unit(self) -> str:
        """SI unit of its column; 1 for words, whose column holds their place in `values`."""
        first = self.labels[0] if self.values and self.labels else next(iter(self.amounts.values()), None)
        return "1" if first is None else first.si_unit


@dataclass(frozen=True)
class Kept:
    """One figure that is kept of every task.

    Of a simulation max_abs, max, min, rms, reversal_peak or overshoot of a channel, or contacts, approach_speed; of a run passed,
    criteria_failed or a figure of its agreement; of a function a name in what it returns.
    """

    figure: str = "max_abs"
    channel: str = ""
    criterion: str = field(default="", metadata={"doc": "of a run: error of this criterion of the channel, instead of `figure`"})
    name: str = field(default="", metadata={"doc": "of its column (default: channel and figure)"})

    @property
    def column(self) -> str:
        """Name of its column."""
        return self.name or "_".join(part for part in (self.channel, self.criterion or self.figure) if part)


@dataclass(frozen=True)
class Campaign:
    """Campaign file; the experiment's path is relative to it."""

    title: str
    vary: tuple[Varied, ...]
    keep: tuple[Kept, ...]
    task: str = field(
        default="simulate", metadata={"choices": TASKS, "doc": "the model alone, a whole test in lockstep, or a function of one's own"}
    )
    experiment: str = field(default="", metadata={"doc": "of simulate and run"})
    function: str = field(default="", metadata={"doc": 'of function: "module:name", or "file.py:name" beside the campaign file'})
    set: tuple[str, ...] = field(default=(), metadata={"doc": '"KEY=VALUE" for every task'})
    after: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0, "doc": "of simulate: figures from this time on"})
    time_limit: float = field(default=600.0, metadata={"unit": "s", "over": 0.0, "doc": "of one task; it has failed beyond"})
    deaths: int = field(default=2, metadata={"at_least": 0, "doc": "of its process that a task may cause before it has failed"})
    design: Design = Design()


def load(path: Path) -> Campaign:
    """Raises ConfigError with every problem."""
    tree, text = read(path, "campaign")
    _written(tree)
    made = Source(path, tree, text, ()).built(Campaign)
    if wrong := [f"{path}: {problem}" for problem in _problems(made)]:
        raise ConfigError(wrong)
    return made


def _written(tree: dict[str, Json]) -> None:
    """A plain number among amounts is one without a unit."""
    vary = tree.get("vary")
    for one in vary if isinstance(vary, list) else []:
        if isinstance(one, dict):
            for name in AMOUNTS:
                one.update({name: _text(one[name])} if name in one else {})
            if isinstance(values := one.get("values"), list):
                one["values"] = [_text(value) for value in values]


def _text(value: Json) -> Json:
    return repr(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _problems(made: Campaign) -> list[str]:
    needs, other = ("function", "experiment") if made.task == "function" else ("experiment", "function")
    found = [] if getattr(made, needs) else [f'{needs}: missing; task = "{made.task}" needs it']
    found += [f'{other}: task = "{made.task}" takes none'] if getattr(made, other) else []
    found += [f"{name}: expected at least one table ([[{name}]])" for name in ("vary", "keep") if not getattr(made, name)]
    found += [f"vary: two tables of the key {key}" for key in _twice([key for one in made.vary for key in (one.key, *one.also)])]
    columns = [one.column for one in made.keep]
    found += [f"keep: two figures of the name {name!r}; give one of them another `name`" for name in _twice(columns)]
    found += [
        f"keep: the name {name!r} is taken by something else" for name in columns if name in {one.key for one in made.vary} | RESERVED
    ]
    if made.design.kind == "grid":
        found += [f"vary {one.key}: a grid takes values, or minimum and maximum; no distribution {one.distribution}" for one in made.vary
                  if not one.values and one.distribution in ("normal", "lognormal")]  # fmt: skip
    if made.design.kind in ("sobol", "saltelli") and (made.design.samples & (made.design.samples - 1)):
        found.append(f"design.samples: {made.design.kind} expects a power of 2, got {made.design.samples}")
    return found


RESERVED = frozenset({"task", "state", "reason", "wall_s", "cpu_s"})


def _twice(names: Sequence[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]
