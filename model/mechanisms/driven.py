"""What a mechanism says that motors move on a test rig: its course, its drives, the samples that it can follow.

The command of such a rig is one number, the course s, and everything that moves follows from it: how far a crank or a bar has turned since
the start (rad), or how far a path has been gone along (s, the path's own time). A stepper that is created with a source is fed with
samples of s, `lookahead` of them first; between them s is a cubic (model.inputs), which gives its first and second derivative in time. It
starts at the first sample, at rest as gravity and friction have it where s rests.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from model.errors import ModelError

Floats = NDArray[np.float64]


class Driven(Protocol):
    """Module of a driven mechanism."""

    COURSE: str
    """Unit of s: rad or s."""
    DRIVES: tuple[tuple[str, str], ...]
    """Name and unit of each drive's setpoint."""
    DRIVEN: tuple[str, ...]
    """Samples that may move it: `command`, which is s, and perhaps the measured angle turned, with the same zero."""

    def drives(self, config: Any, s: Floats, path: Any = None) -> tuple[Floats, Floats]:
        """(setpoints (N, drives), their derivatives by s (N, drives)) for s (N,); `path`: what the mechanism follows (model.paths).

        Raises ModelError where it cannot be.
        """


def refuse_other(mechanism: str, source: str, driven: tuple[str, ...]) -> None:
    """Raise ModelError for a source that is neither empty (its own drive) nor one that the mechanism can follow."""
    if source and source not in driven:
        expected = f"one of {', '.join(driven)}, or none" if driven else "none"
        raise ModelError(f"unknown input {source!r} of the {mechanism}; expected {expected}, with which it drives itself")
