"""A mechanism in motion: input samples in, output samples out, at any block size with the same result."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model.compiled import direct
from model.compiled.pinned import Pinned, entry
from model.compiled.signatures import CHANNELS, GUARDS, LAW, RHS, SWITCH, Compiled
from model.errors import InconsistentStart, ModelError, NotConverged
from model.floats import Floats
from model.integrators import by_address
from model.integrators.kernels import Direct
from model.integrators.kernels import Kernels as Kernels
from model.integrators.memory import (
    ACCEPTED,
    BEGAN,
    EVALUATIONS,
    EVENTS,
    EVENTS_FULL,
    LIMIT,
    OK,
    REASONS,
    REJECTED,
    TIME,
    Y_NEW,
    memory,
    method,
)
from model.integrators.repeated import repeat
from model.integrators.tableau import Tableau
from model.stepping import inputs
from model.stepping.contract import Event, checked_rate
from model.stepping.interruptible import Watched

EVENT_ROOM = 4096  # events taken from the kernel at a time


@dataclass(frozen=True)
class Motion:
    """What the solver needs of a mechanism."""

    kernels: Kernels | Direct
    parameters: Floats
    scale: Floats  # (states,) small but usual size of each state, its own unit
    guards: int
    channels: int  # written by the kernel; those after `published` are for their extremes only
    published: int
    reach: float  # s, how far beyond the present time the mechanism reads its input
    advance: Compiled[..., int] = (
        by_address.advance
    )  # the solver's loop: that for all mechanisms, or one with this one's functions built in
    begin: Compiled[..., int] = by_address.begin
    repeat: Compiled[..., int] = repeat
    most: Floats | None = None  # (states,) beyond which a state has diverged; none: a million usual sizes
    divides: bool = True  # ways to the ends of contacts, see `model.integrators.graded`; not where so many end that it costs more


def pinned(kernels: Kernels | Direct) -> Kernels | Direct:
    """The same with their addresses looked up."""
    law = Pinned(kernels.law, LAW)
    if isinstance(kernels, Direct):
        return Direct._make([
            Pinned(kernels.rhs, direct.RHS), Pinned(kernels.guards, direct.GUARDS), Pinned(kernels.switch, direct.SWITCH),
            Pinned(kernels.channels, direct.CHANNELS), law,
        ])  # fmt: skip
    return Kernels._make([
        Pinned(kernels.rhs, RHS), Pinned(kernels.guards, GUARDS), Pinned(kernels.switch, SWITCH), Pinned(kernels.channels, CHANNELS), law,
    ])  # fmt: skip


def taken(events: Floats, clock: Floats, place: int) -> list[Event]:
    """The events that a kernel has noted, as many as it says at that place of its clock; it may then note others."""
    found = [Event(t, int(guard), noted) for t, guard, noted in events[: int(clock[place])].tolist()]
    clock[place] = 0.0
    return found


class Stepper(Watched):
    """Predicts sample after sample. `lookahead`: input samples needed beyond the last output sample."""

    def __init__(
        self,
        motion: Motion,
        tableau: Tableau,
        tolerance: float,
        longest: float,
        rate: float,
        rest: Callable[[Floats], tuple[Floats, Floats]],
    ) -> None:
        """rest(inputs) -> (y, s): state and discrete state at t = 0. Raises ModelError for a rate that is not positive."""
        self.rate, self._motion, self._rest, self._tableau = checked_rate(rate), motion, rest, tableau
        self._kernels = pinned(motion.kernels)
        self.lookahead = max(4, math.ceil((longest + motion.reach) * rate) + 2)
        self._entry = entry(motion.advance)
        self._method = method(tableau, tolerance, longest, motion.divides)
        self._events = np.zeros((EVENT_ROOM, 3))

    def start(self, samples: Floats, state: Floats | None = None) -> None:
        """Put it at rest at sample 0, given the first `lookahead` input samples; or into `state` with every contact open.

        Raises InconsistentStart when samples are missing or not finite.
        """
        if len(samples) != self.lookahead or not np.all(np.isfinite(samples)):
            raise InconsistentStart(f"start: expected the first {self.lookahead} input samples, all finite; got {len(samples)}")
        self._window = inputs.begun(self.rate, samples)
        y, s = self._rest(samples)
        self._y, self._s = (y if state is None else np.array(state, dtype=np.float64)), s
        self._memory = memory(self._tableau, self._motion.scale, len(s), self._motion.guards, self._motion.channels)
        self._next = 0
        self.events: list[Event] = []
        k, m = self._kernels, self._motion
        if m.most is not None:
            self._memory.states[LIMIT] = m.most
        status = entry(m.begin)(*k, self._method, self._memory, self._y, m.parameters, self._s, self._window, self._events)
        self.events += taken(self._events, self._memory.clock, EVENTS)
        self._raise(status)

    def advance(self, samples: Floats) -> Floats:
        """The next output samples (k, channels), for the next k input samples (k,); the input runs `lookahead` ahead.

        Raises NotConverged with time and reason when the motion diverges, ModelError for input that is not finite.
        """
        return self._advance(samples, watched=False)[0]

    def advance_with_extremes(self, samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest): as `advance`, with the solver's own extremes since the sample before, of all kernel channels."""
        return self._advance(samples, watched=True)

    def _advance(self, samples: Floats, watched: bool) -> tuple[Floats, Floats, Floats]:
        if not np.all(np.isfinite(samples)):
            raise ModelError(f"input sample {self._next + self.lookahead + int(np.argmin(np.isfinite(samples)))} is not finite")
        self._window = np.concatenate([self._window, samples])
        out = np.empty((len(samples), self._motion.published))
        low, high = (np.empty((len(samples) if watched else 0, self._motion.channels)) for _ in range(2))
        status = EVENTS_FULL
        while status == EVENTS_FULL:
            status = self._entry(
                *self._kernels, self._method, self._memory, self._motion.parameters, self._s, self._window,
                self._next, out, low, high, self._events,
            )  # fmt: skip
            self.events += taken(self._events, self._memory.clock, EVENTS)
            self._looked_at()
        self._raise(status)
        self._next += len(samples)
        self._forget()
        return out, low, high

    @property
    def time(self) -> float:
        """Time that the solver has reached, s; up to the longest step beyond the last output sample."""
        return float(self._memory.clock[TIME])

    @property
    def state(self) -> Floats:
        """State of the mechanism at `time`, in the order of its kernel."""
        return np.array(self._memory.states[Y_NEW])

    @property
    def usual(self) -> Floats:
        """Small but usual size of each state."""
        return np.array(self._motion.scale)

    @property
    def work(self) -> dict[str, int]:
        """Accepted and rejected steps and evaluations of the equations of motion since the start."""
        clock = self._memory.clock
        return {"accepted": int(clock[ACCEPTED]), "rejected": int(clock[REJECTED]), "evaluations": int(clock[EVALUATIONS])}

    def evaluate(self, count: int) -> None:
        """Evaluate the equations of motion `count` times where the solver is, to no end but to be timed."""
        k, y, s = self._kernels, np.array(self._memory.states[Y_NEW]), np.array(self._s)
        self._motion.repeat(k.rhs, k.law, count, self.time, y, np.empty_like(y), self._motion.parameters, s, self._window)

    def _raise(self, status: int) -> None:
        if status != OK:
            raise NotConverged(f"stopped at {self.time:.6g} s: {REASONS[status]}")

    def _forget(self) -> None:
        """Drop the input before the last step, which may still be read."""
        oldest = math.floor(self._memory.clock[BEGAN] * self.rate) - 2
        drop = oldest - int(self._window[inputs.FIRST])
        if drop > 0:
            self._window = inputs.window(oldest, self.rate, self._window[inputs.HEADER + drop :])
