"""What the serial axes of a motor rig said last, out of their stream: one row an exchange with one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rig.display.sources.source import Axis, Floats

LATELY = 64  # exchanges that are looked through for the last one of each axis
OWN = 3  # columns of the command before those of the drives: value, phase, cycle


def drives_of(columns: Sequence[str]) -> tuple[str, ...]:
    """Names of the drives, from the columns of the command: setpoint and rate of each."""
    return tuple(columns[OWN::2])


def spoken(names: Sequence[str], columns: Sequence[str], rows: Floats) -> tuple[Axis, ...]:
    """The last of rows (k, columns) of each axis, in the order of `names`; an axis that has not spoken is left out."""
    places = {name: columns.index(name) for name in ("axis", "setpoint", "position", "velocity")}
    found = []
    for number, name in enumerate(names):
        mine = np.flatnonzero(rows[:, places["axis"]] == number)
        if len(mine):
            found.append(Axis(name, *(float(rows[mine[-1], places[key]]) for key in ("setpoint", "position", "velocity"))))
    return tuple(found)
