"""What is said to drives before and after a test may take seconds on a slow line; the DAQ device's watchdog waits for nobody."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

Value = TypeVar("Value")


class Watched(Protocol):
    """A device whose watchdog waits for nobody."""

    def reset_watchdog(self) -> None:
        """Tell the hardware that this program lives."""


class CalledOff(Exception):
    """Somebody wants something else than what is waited for; whoever waits lets go of everything."""


EVERY = 0.05
"""s between two resets: a fifth of the shortest time-out that is usual."""


def while_alive(daq: Watched, do: Callable[[], Value]) -> Value:
    """What `do` returns, in a thread, or raises; `daq`, which stays with the caller's, has its watchdog reset meanwhile."""
    return _meanwhile(daq.reset_watchdog, do)


def while_ending(daq: Watched, do: Callable[[], Value]) -> Value:
    """The same once all is over: a watchdog that has expired, or a device that is gone, keeps nothing from its end."""

    def reset() -> None:
        with contextlib.suppress(Exception):  # told by whoever needs the device for more than that
            daq.reset_watchdog()

    return _meanwhile(reset, do)


def _meanwhile(reset: Callable[[], None], do: Callable[[], Value]) -> Value:
    with ThreadPoolExecutor(1, "line") as pool:
        done = pool.submit(do)
        while not wait([done], EVERY).done:
            reset()
        reset()
        return done.result()
