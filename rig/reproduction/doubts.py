"""What a paper leaves open or prints doubtfully, with bounds and their reason, as doubtful/PAPER.toml states them before any search."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import cast

import numpy as np

from rig.errors import ConfigError
from rig.reproduction.claims import claims

Point = float | str
STEPS = 5  # of a grid over the bounds
SCALES = ("linear", "log")


@dataclass(frozen=True)
class Doubt:
    """One of them. low, high: bounds in `unit`, or `choices` where it is a word; assumed: what the experiment has, which a statement of its
    own conditions may differ from. claims: the ids of the statements that it is tried for.
    """

    key: str
    reason: str
    claims: tuple[str, ...]
    assumed: Point
    unit: str = "1"
    low: float | None = None
    high: float | None = None
    scale: str = "linear"
    steps: int = STEPS
    choices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The key without the mechanism's own name before it."""
        return self.key.removeprefix("mechanism.")

    def setting(self, value: Point) -> str:
        """The override that gives it this value."""
        if isinstance(value, str):
            return f"{self.key}={value}"
        return f"{self.key}={float(value)!r}" + ("" if self.unit == "1" else f" {self.unit}")

    def bounds(self) -> tuple[float, float]:
        """Of a number. Raises ValueError for one of words."""
        if self.low is None or self.high is None:
            raise ValueError(f"{self.key} is one of {', '.join(self.choices)}")
        return self.low, self.high

    def grid(self) -> tuple[Point, ...]:
        """Values over the bounds, both ends among them; of words all."""
        if self.choices:
            return self.choices
        low, high = self.bounds()
        made = np.geomspace(low, high, self.steps) if self.scale == "log" else np.linspace(low, high, self.steps)
        return (low, *(float(value) for value in made[1:-1]), high)

    def between(self, one: float, other: float, share: float = 0.5) -> float:
        """A value between two, in the scale of the bounds."""
        if self.scale == "log":
            return float(one ** (1.0 - share) * other**share)
        return one + share * (other - one)


@cache
def doubts(paper: str) -> tuple[Doubt, ...]:
    """Of a paper, in the order of its file. Raises ConfigError for a file that contradicts itself or the paper's statements."""
    text = files("rig.reproduction").joinpath("doubtful", f"{paper}.toml").read_text(encoding="utf-8")
    return tuple(doubt_of(paper, entry) for entry in tomllib.loads(text).get("doubtful", []))


def doubt_of(paper: str, entry: Mapping[str, object]) -> Doubt:
    """One of the file's tables. Raises ConfigError."""
    given = dict(entry)
    patterns, without = cast(list[str], given.pop("claims")), cast(list[str], given.pop("except", []))
    known = [claim.id for claim in claims(paper) if not claim.lost]
    where = f"doubtful/{paper}.toml, {given.get('key')}"
    if unmatched := [one for one in (*patterns, *without) if not any(fnmatchcase(name, one) for name in known)]:
        raise ConfigError(f"{where}: no statement of {paper} that can be checked is called {', '.join(unmatched)}")
    chosen = tuple(name for name in known if _any(name, patterns) and not _any(name, without))
    made = Doubt(**{**given, "claims": chosen, "choices": tuple(cast(list[str], given.get("choices", [])))})  # type: ignore[arg-type]
    if made.choices:
        if made.assumed not in made.choices:
            raise ConfigError(f"{where}: assumed {made.assumed!r} is none of {', '.join(made.choices)}")
        return made
    if made.low is None or made.high is None or isinstance(made.assumed, str):
        raise ConfigError(f"{where}: expected numbers as low, high and assumed, or choices")
    if not made.low <= made.assumed <= made.high or made.low == made.high:
        raise ConfigError(f"{where}: expected low <= assumed <= high and low < high; got {made.low}, {made.assumed}, {made.high}")
    if made.scale not in SCALES or (made.scale == "log" and made.low <= 0.0):
        raise ConfigError(f"{where}: expected scale linear, or log with a low above 0; got {made.scale} from {made.low}")
    return made


def _any(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, one) for one in patterns)
