"""What moves the specimen, as the bench worker sees it: a loader behind the command output, or the axes of a motor rig."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rig.plan import Plan
from rig.workers.setpoint import Setpoint

Block = NDArray[np.float64]


class Actuation(Protocol):
    """Order of the calls: `prepare`, `enable` one block after the start, then block by block `attend`; `release` at the end at rest.
    `trip` and `abort` at any time.

    A block of the command is as `Setpoint.next` gives it: (k, columns), the value first.
    """

    loader: Any
    """The loader, where there is one: it may be prepared before a test and unloaded after it."""
    ends_loaded: bool
    """Whether the specimen may still carry load where the command ends."""
    controlled: int | None
    """Measured column that the value is a setpoint of; None: of no channel."""

    def prepare(self, feedback: Mapping[str, float]) -> float:
        """Ready to be enabled; returns the value that the command begins with. feedback: present value of each channel."""

    def enable(self) -> None:
        """From now on it follows the command, which equals what it does already."""

    def volts(self, block: Block) -> Block:
        """What a block of the command is on the analogue output."""

    def rest(self, setpoint: Setpoint, measured: Block, duration: float) -> None:
        """Bring the command to rest within `duration` s; measured (k, channels) is the last block."""

    def abort(self) -> float:
        """Take back what is filled ahead; returns the value that is really out there. `put` goes on from it."""

    def safe_value(self, held: float) -> float:
        """Where `held`, a value that is out there by hand, is to be brought."""

    def put(self, value: float) -> None:
        """One value, now, after `abort`."""

    def trip(self) -> None:
        """Into the safe state at once, whatever is filled ahead."""

    def release(self) -> None:
        """End of a test, at rest."""

    def attend(self) -> str | None:
        """Once a block: signs of life that are due; returns what speaks against going on, in words."""


def create(plan: Plan, daq: Any) -> Actuation:
    """The actuation of a plan's bench."""
    from rig.workers.loader_actuation import LoaderActuation

    return LoaderActuation(plan, daq)
