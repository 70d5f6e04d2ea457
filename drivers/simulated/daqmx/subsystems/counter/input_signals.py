"""What counters take in, as it is at their own terminals while their task runs: `/Dev1/Ctr0Source`, `Gate`, `Aux`, `A`, `B`, `Z`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.edges import Edges, TimeSlice
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.subsystems.counter import usages as cu
from drivers.simulated.daqmx.subsystems.counter.terminals import NAMES, used

Drive = Callable[[TimeSlice], Edges]


def inputs(bench: Bench, channel: CounterChannel, timebase: str) -> dict[str, Drive]:
    """Signals by terminal; `timebase`: the canonical terminal of what the counter counts or times by."""
    own = f"{terminal(channel.device)}/ctr{channel.number}"
    names = {name: _name(name, which) for name, which in used(channel).items() if which != cu.OUT}
    found = {f"{own}source": timebase} if channel.number >= 0 and timebase else {}
    found |= {own + name: bench.routes.canonical(str(channel.attributes[term]), channel.device) for term, name in names.items()}
    return {end: partial(TimeSlice.edges, terminal=source) for end, source in found.items()}


def _name(term: str, which: str) -> str:
    if which != cu.PHASE:
        return NAMES[which].lower()
    return next((letter for letter in "abz" if f"_{letter.upper()}_INPUT" in term), "b")
