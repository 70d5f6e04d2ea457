"""A recorder that keeps its record in parts, in a process of its own that is killed; ramps tell which sample is where."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from rig.recorder.description import Event
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.rotation import Rotation
from tests.unit.rig.recorder.recorder_rig import BLOCK, NAMES, description, samples, shape

PART = 0.05  # s: five blocks
STREAMS = list(NAMES)


def begun(folder: Path, rotation: Rotation | None = None, patience: float = 10.0) -> PartedRecording:
    """One with all streams declared."""
    made = PartedRecording(folder, description(), rotation or Rotation(PART, 0.0), patience)
    for name in STREAMS:
        made.stream(shape(name))
    return made


def step(made: PartedRecording, number: int) -> None:
    """Block `number` of every stream; those of the model come one, two blocks late."""
    for late, name in enumerate(STREAMS):
        if (block := number - max(0, late - 1)) >= 0:
            made.append(name, BLOCK * block, samples(name, BLOCK * block, BLOCK))
    if number % 7 == 3:
        made.event(Event(BLOCK * number, None, "bench", "mark", f"block {number}"))
    made.keep()


def main(folder: Path, seed: int) -> None:
    """Record until a random place in the middle of a block, then die as by kill -9."""
    dice = random.Random(seed)
    made, number = begun(folder), 0
    until = dice.randrange(20, 150)
    while number < until:
        step(made, number)
        number += 1
        (folder / "promised").write_text(str(number))
    fatal = dice.randrange(4)
    if fatal == 1:  # the journal has it, the record has not
        made._journal.samples("command", BLOCK * number, samples("command", BLOCK * number, BLOCK))
    if fatal == 2:  # in the middle of a rotation: a new journal, and no part yet
        made._journal = made._begin_journal(made._record.number + 1, BLOCK * number)
    if fatal == 3:  # a part is closed and not sealed
        made._rotate(BLOCK * number)
        made._record.close()
    os.kill(os.getpid(), 9)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
