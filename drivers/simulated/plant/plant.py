"""What a simulated device has behind its terminals."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Plant(Protocol):
    """Physics behind a set of simulated devices. It sees volts and lines, and nothing else; time is the bench clock in seconds.

    One may be a `CoupledSource` and an `EdgeSource` besides.
    """

    analogue_inputs: tuple[str, ...]
    """Signals driven by analogue outputs of the devices (V)."""
    analogue_outputs: tuple[str, ...]
    """Signals that analogue inputs of the devices sample (V)."""
    digital_inputs: tuple[str, ...]
    """Lines driven by digital outputs of the devices."""
    digital_outputs: tuple[str, ...]
    """Lines that digital inputs of the devices read."""

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Go on from the present time to `times[-1]`.

        times: (m,) increasing, none before the present time. volts: (m, inputs), row i holds from the previous instant (the present
        time for i = 0) until times[i]. lines: (digital inputs,), constant over the call.
        Returns (m, analogue outputs) in V at `times`.
        """

    def read_lines(self) -> NDArray[np.bool_]:
        """State of the digital outputs now, (digital outputs,)."""

    def take_events(self) -> list[tuple[float, str, str]]:
        """Events since the last call: (bench time in s, source, text)."""


@runtime_checkable
class CoupledSource(Protocol):
    """A plant with signals that have been through AC coupling."""

    alternating: tuple[str, ...]
    """Those of its `analogue_outputs`; inputs add no coupling of theirs."""


@runtime_checkable
class EdgeSource(Protocol):
    """A plant that has signals with edges at exact times (an encoder's, a pickup's), which counters and digital inputs see."""

    edge_outputs: tuple[str, ...]
    """Their names."""
    edge_levels: tuple[bool, ...]
    """Their levels at time 0."""

    def take_edges(self) -> list[NDArray[np.float64]]:
        """Called after each `advance`: for each of them the times (k,) in s, increasing and up to the last of the advance, of the edges
        since the last call; each edge is a change of the level."""


class NoPlant:
    """Nothing wired."""

    analogue_inputs: tuple[str, ...] = ()
    analogue_outputs: tuple[str, ...] = ()
    digital_inputs: tuple[str, ...] = ()
    digital_outputs: tuple[str, ...] = ()

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return (m, 0)."""
        return np.empty((len(times), 0))

    def read_lines(self) -> NDArray[np.bool_]:
        """Return an empty array."""
        return np.empty(0, dtype=np.bool_)

    def take_events(self) -> list[tuple[float, str, str]]:
        """Return no events."""
        return []
