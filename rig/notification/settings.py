"""One program that is to be told of a test, as a bench file has it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from rig.notification.kinds import NAMES, USUAL

INPUTS = ("json", "mail", "none")


@dataclass(frozen=True)
class Notifier:
    """A program with its arguments; no shell is between. It stands in the bench file alone, which stays on the computer of the bench."""

    program: tuple[str, ...] = field(
        metadata={"doc": "file and arguments, one text each; a name without a folder is looked for on the PATH"}
    )
    on: tuple[str, ...] = field(default=USUAL, metadata={"choices": NAMES, "doc": "notices that it gets"})
    input: str = field(
        default="json",
        metadata={"choices": INPUTS, "doc": "what it gets on its standard input: one JSON object, a mail with its head, nothing"},
    )
    time_limit: float = field(
        default=10.0, metadata={"unit": "s", "over": 0.0, "at_most": 60.0, "doc": "then it is ended, with all that it has started"}
    )
    every: float = field(
        default=60.0,
        metadata={"unit": "s", "at_least": 0.0, "doc": "of one kind of notice, one at most in this time; the others are counted"},
    )

    def __post_init__(self) -> None:
        if not self.program or not all(self.program):
            raise ValueError(f'program: expected a file and its arguments, as ["/usr/bin/logger", "-t", "rig"], got {list(self.program)}')
        if any("\0" in word for word in self.program):
            raise ValueError("program: a word holds a NUL character, which no program can be given")
        if not Path(self.program[0]).is_absolute() and {"/", os.sep} & {*self.program[0]}:
            raise ValueError(f"program: expected a whole path, or a name that is looked for on the PATH, got {self.program[0]}")
        if not self.on or len({*self.on}) < len(self.on):
            raise ValueError(f"on: expected at least one notice, and none twice, got {list(self.on)}")

    @property
    def called(self) -> str:
        """Its file, without the folder."""
        return Path(self.program[0]).name
