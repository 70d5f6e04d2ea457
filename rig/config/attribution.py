"""Which override a problem comes from that shows somewhere else: a channel that was renamed, and the limit that names it in the file.

What shows in the overridden value itself is said so by `rig.config.source`. All else is found by trying: the same files are read with one
override less, and what is then no more wrong was that one's doing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from model.errors import ModelError
from rig.config.tree import SAID, Override, parse_override
from rig.errors import ConfigError

T = TypeVar("T")
Overrides = Sequence[str]


def attributed(read: Callable[[Overrides], T], overrides: Overrides, file: Path) -> T:
    """What `read` makes of the overrides. Raises ConfigError: a problem that the files do not have by themselves begins with what made it.

    file: named where a mechanism cannot be made of what was read.
    """
    try:
        return read(overrides)
    except (ConfigError, ModelError) as error:
        found = _problems(error, file)
        if unnamed := [problem for problem in found if not problem.startswith(SAID)]:
            owners = _owners(lambda some: _wrong(read, some, file), overrides, unnamed)
            found = [f"{owners[problem]}: {problem}" if owners.get(problem) else problem for problem in found]
        raise ConfigError(found) from error


def _problems(error: ConfigError | ModelError, file: Path) -> list[str]:
    return error.problems if isinstance(error, ConfigError) else ConfigError(f"{file}: {error}").problems


def _wrong(read: Callable[[Overrides], object], overrides: Overrides, file: Path) -> list[str]:
    try:
        read(overrides)
    except (ConfigError, ModelError) as error:
        return _problems(error, file)
    return []


def _owners(wrong: Callable[[Overrides], list[str]], overrides: Overrides, problems: Sequence[str]) -> dict[str, str]:
    """Problem -> the overrides that it comes from, as messages call them; none of the files' own."""
    own = set(wrong(())) if overrides else set(problems)
    foreign = [problem for problem in problems if problem not in own]
    if not foreign:
        return {}
    given: list[Override] = [parse_override(text) for text in overrides]
    without = [set(wrong([*overrides[:k], *overrides[k + 1 :]])) for k in range(len(overrides))]
    alone = [set(wrong([text])) for text in overrides] if len(overrides) > 1 else []
    return {problem: ", ".join(one.said for one in _makers(problem, given, without, alone)) for problem in foreign}


def _makers(problem: str, given: Sequence[Override], without: Sequence[set[str]], alone: Sequence[set[str]]) -> list[Override]:
    """Those that make it by themselves; else those without which it is not there; else all of them together."""
    by_itself = [one for one, found in zip(given, alone, strict=False) if problem in found]
    needed = [one for one, left in zip(given, without, strict=True) if problem not in left]
    return by_itself or needed or list(given)
