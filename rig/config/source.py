"""One configuration file on its way to a checked configuration: its tree, its text, and what is put over its values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from drivers.files.plain_values import Json
from rig.config.conversion import Conversion
from rig.config.effective import HEADING, as_run
from rig.config.named_files import NamedFiles
from rig.config.schema import build
from rig.config.tree import Override, Path_, Problem, dotted, named
from rig.errors import ConfigError

T = TypeVar("T")


@dataclass
class Source:
    """`prefix`: how its keys begin on the command line. `put`: each override by the place in the tree that it went to."""

    path: Path
    tree: dict[str, Json]
    text: str
    overrides: Sequence[Override]
    prefix: str = ""
    named: NamedFiles = field(default_factory=NamedFiles)
    put: dict[Path_, Override] = field(default_factory=dict)
    misplaced: list[str] = field(default_factory=list)

    def built(self, cls: type[T], faults: Callable[[T], Sequence[Problem]] = lambda _: ()) -> T:
        """What the file says, for a file that stands by itself. faults: what is wrong with it as a whole. Raises ConfigError with every
        problem."""
        conversion = Conversion(folder=self.path.parent)
        made = build(cls, self.tree, conversion)
        problems = conversion.problems if made is None or conversion.problems else faults(made)
        if messages := self.messages(problems):
            raise ConfigError(list(dict.fromkeys(messages)))
        assert made is not None
        return made

    def messages(self, problems: Sequence[Problem]) -> list[str]:
        """All that is wrong with the file and with what was to be put over it."""
        return self.misplaced + [self._message(problem) for problem in problems]

    def _message(self, problem: Problem) -> str:
        """`file: key: what is wrong`, with the name behind the key of what is one of a list; the override instead of the file where that
        is where the value comes from."""
        if (told := self.named.unchanged(problem.path, self.tree)) is not None:
            return f"{told[0]}: {dotted(told[1])}: {self._text(problem, len(problem.path) - len(told[1]))}"
        for at, override in self.put.items():
            made_by_it = bool(problem.path) and at[: len(problem.path)] == problem.path and problem.text.startswith("unknown key")
            if problem.path[: len(at)] == at or made_by_it:
                deeper = f"{self.prefix}{dotted(problem.path)}: {self._text(problem, len(at))}"
                if override in self.named.laid_over:  # which is said by file and key
                    return f"{override.said.rpartition(': ')[0]}: {dotted(problem.path)}: {self._text(problem, len(at))}"
                return f"{override.said}: {problem.text if problem.path == at else deeper}"
        if not problem.path:
            return f"{self.path}: {problem.text}"
        if (owner := self.named.owner(problem.path)) is not None:
            return f"{owner[0]}: {dotted(owner[1]) or dotted(problem.path)}: {self._text(problem, len(problem.path) - len(owner[1]))}"
        return f"{self.path}: {dotted(problem.path)}: {self._text(problem)}"

    def _text(self, problem: Problem, known: int = 0) -> str:
        """What is wrong, with the name of what it is wrong with."""
        name = named(self.tree, problem.path, known)
        return f"{name}: {problem.text}" if name and not problem.text.startswith((f"{name}: ", f"{name} ")) else problem.text

    def as_run(self, tree: dict[str, Json], also: Sequence[str] = ()) -> str:
        """The text with the values of `tree`; what else there is to know, and where other values came from, follow as comments."""
        remarks = [*self.named.remarks(), *also]
        if over := [*self.named.chosen, *self.overrides]:
            remarks += [HEADING, *(f"  {override.said}" for override in over)]
        return as_run(self.text, tree, remarks)
