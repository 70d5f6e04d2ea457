"""What is said to drives before a test may take seconds on a slow line; the DAQ device's watchdog waits for nobody."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, TypeVar

Value = TypeVar("Value")

EVERY = 0.05
"""s between two resets: a fifth of the shortest time-out that is usual."""


def while_alive(daq: Any, do: Callable[[], Value]) -> Value:
    """What `do` returns, in a thread, or raises; `daq`, which stays with the caller's, has its watchdog reset meanwhile."""
    with ThreadPoolExecutor(1, "line") as pool:
        done = pool.submit(do)
        while not wait([done], EVERY).done:
            daq.reset_watchdog()
        daq.reset_watchdog()
        return done.result()
