"""For what another thread or process does in its own time: the machines that tests run on are shared, so patience is generous."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 30.0  # s by the clock on the wall


def comes_true(true: Callable[[], bool], patience: float = PATIENCE, look_every: float = 0.005) -> bool:
    """Wait until it is; False when it is not within `patience` s."""
    deadline = time.monotonic() + patience
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(look_every)
    return True


def until(true: Callable[[], bool], what: str = "what is waited for", patience: float = PATIENCE) -> None:
    """The same, for who cannot go on without it."""
    assert comes_true(true, patience), f"{what}: not within {patience:g} s"
