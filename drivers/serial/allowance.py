"""How long the waiting on a line may take in all, where much is asked one after the other: a bound of the whole, whatever the number of
retries and of time-outs in it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Concatenate, ParamSpec, Protocol, TypeVar

CONNECTING = 5.0
"""s of waiting in which a drive is reached, or is told not to be there."""
PREPARING = 10.0
"""s of waiting in which it is set up."""
STOPPING = 6.0
"""s of waiting from a trip on: what was being asked, the quick stop, and looks at how it brakes."""
ENDING = 4.0
"""s of waiting in which it is told to let go."""

Given = ParamSpec("Given")
Value = TypeVar("Value")


class Allowance:
    """`seconds` for `doing`, counted as time-outs are: what the computer stands still does not count. Lines may share one."""

    def __init__(self, seconds: float, doing: str) -> None:
        self.seconds, self.doing = seconds, doing
        self._left = seconds

    @property
    def spent(self) -> bool:
        """Whether nothing is left of it. What is still to be said is said, and hardly waited for."""
        return self._left <= 0.0

    def spend(self, seconds: float) -> None:
        """So much has been waited."""
        self._left -= seconds


class _Line(Protocol):
    def within(self, allowance: Allowance) -> AbstractContextManager[object]: ...


class _HasLine(Protocol):
    @property
    def line(self) -> _Line: ...


Instrument = TypeVar("Instrument", bound=_HasLine)


def allowed(
    seconds: float, doing: str
) -> Callable[[Callable[Concatenate[Instrument, Given], Value]], Callable[Concatenate[Instrument, Given], Value]]:
    """For a method of an instrument with a `line`: all that it waits for there takes `seconds` at the most."""

    def decorate(method: Callable[Concatenate[Instrument, Given], Value]) -> Callable[Concatenate[Instrument, Given], Value]:
        def bounded(self: Instrument, /, *args: Given.args, **given: Given.kwargs) -> Value:
            with self.line.within(Allowance(seconds, doing)):
                return method(self, *args, **given)

        functools.update_wrapper(bounded, method)
        return bounded

    return decorate
