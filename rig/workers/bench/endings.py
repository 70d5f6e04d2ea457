"""The end of what a bench has, whatever goes wrong with a part of it: what one ending raises keeps no other from being made, and is told.

Several drives are told to let go at the same time, those on one pair of wires one after the other within one allowance. So it takes as long
as the slowest line, and a line that says nothing, or nonsense, takes no longer for having many drives on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol

from drivers.errors import DriverError
from drivers.serial.allowance import ENDING, STOPPING, Allowance
from drivers.serial.serial_line import SerialLine


class OnLine(Protocol):
    """A driver with a serial line."""

    name: str
    line: SerialLine


def hurry(drivers: Mapping[int, OnLine]) -> None:
    """They have been tripped: whatever is still asked of them takes a bounded time, what is being asked just now included."""
    for together in _by_port(drivers).values():
        allowance = Allowance(STOPPING, "stopping it")
        for k in together:
            drivers[k].line.limit(allowance)


def attempt(what: str, end: Callable[[], object]) -> list[str]:
    """What went wrong, in words, with `end()` of `what`, which returns a list of that, or raises it."""
    try:
        said = end()
        return said if isinstance(said, list) else []
    except DriverError as error:
        return [str(error)]
    except OSError as error:  # of a port or a server, which its driver has not put into words
        return [f"{what}: {error.strerror or error}"]
    except Exception as error:  # a fault in the middle of an end is none for the others to suffer
        return [f"{what}: {type(error).__name__}: {error}; this is a fault of its driver, report it"]


def end_all(drivers: Mapping[int, OnLine], end: Callable[[int], list[str]]) -> list[str]:
    """`end(k)` of each driver; returns what went wrong, in words and in the order of the drivers."""

    def end_those(together: list[int]) -> dict[int, list[str]]:
        allowance, said = Allowance(ENDING, "letting go of it"), dict[int, list[str]]()
        for k in together:
            drivers[k].line.limit(allowance)
            said[k] = attempt(drivers[k].name, partial(end, k))
        return said

    groups = list(_by_port(drivers).values())
    if not groups:
        return []
    with ThreadPoolExecutor(len(groups), "ending") as pool:
        said = {k: words for one in pool.map(end_those, groups) for k, words in one.items()}
    return [text for k in drivers for text in said[k]]


def _by_port(drivers: Mapping[int, OnLine]) -> dict[str, list[int]]:
    """Drivers on the same line, in order."""
    ports: dict[str, list[int]] = {}
    for k, driver in drivers.items():
        ports.setdefault(driver.line.settings.port, []).append(k)
    return ports
