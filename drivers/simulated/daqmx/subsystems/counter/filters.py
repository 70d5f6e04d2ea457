"""Digital filters at the inputs of counters (`core/digital_filter.py`). Signals from inside the device have no filter (-201367)."""

from __future__ import annotations

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.channel import CounterChannel
from drivers.simulated.daqmx.core.digital_filter import CLOCKS_KEPT, OUTSIDE, Filter, inner_rate, whole
from drivers.simulated.daqmx.core.edges import Edges, TimeSlice
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import as_float
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter.terminals import used


def prefix_of(term: str) -> str:
    """Head of the filter properties of a terminal property."""
    names = {"CI_COUNT_EDGES_DIR_TERM": "CI_COUNT_EDGES_COUNT_DIR"}
    return names.get(term, term.removesuffix("_TERM").removesuffix("_SRC"))


def width_of(channel: CounterChannel, prefix: str) -> float:
    """Minimum pulse width (s) as the filter has it: whole cycles of its clock."""
    asked = as_float(channel.attributes[f"{prefix}_DIG_FLTR_MIN_PULSE_WIDTH"])
    return whole(asked, clock_rate(channel, prefix))


def clock_rate(channel: CounterChannel, prefix: str) -> float:
    """Frequency (Hz) of the filter clock: that of the internal timebase which was chosen, else as it was told."""
    inside = inner_rate(str(channel.attributes[f"{prefix}_DIG_FLTR_TIMEBASE_SRC"]))
    return inside or as_float(channel.attributes[f"{prefix}_DIG_FLTR_TIMEBASE_RATE"])


def check(bench: Bench, task: Task, channel: CounterChannel) -> None:
    """Raise DaqmxError for filters that the terminals of the channel cannot have."""
    widths: dict[str, float] = {}
    a = channel.attributes
    for term in used(channel):
        prefix = prefix_of(term)
        filtered, synchronised = a.get(f"{prefix}_DIG_FLTR_ENABLE", False), a.get(f"{prefix}_DIG_SYNC_ENABLE", False)
        details = {"Property": c_name(f"{prefix}_DIG_FLTR_ENABLE"), "Channel_Name": channel.name}
        if filtered and synchronised:
            raise task.fail(-200770, 0, **details)
        if (filtered or synchronised) and not OUTSIDE.fullmatch(terminal(str(a[term])).partition("/")[2]):
            raise task.fail(-201367, 0, **details, Terminal=a[term])
        if synchronised:
            raise NotServed(f"{prefix}_DIG_SYNC_ENABLE")
        if not filtered:
            continue
        width, most = width_of(channel, prefix), CLOCKS_KEPT / clock_rate(channel, prefix)
        if not width:
            raise task.fail(-200771, 0, **details)
        if width > most:
            details["Property"] = c_name(f"{prefix}_DIG_FLTR_MIN_PULSE_WIDTH")
            raise task.fail(-200077, 0, **details, Requested_Value=width, Maximum_Value=most)
        pin = bench.routes.canonical(str(a[term]), channel.device)
        if widths.setdefault(pin, width) != width:
            raise task.fail(-200774, 0, **details, Terminal=a[term])


class Filters:
    """The signals that one counter sees, by the terminals of its channel."""

    def __init__(self, bench: Bench, channel: CounterChannel) -> None:
        self._pins: dict[str, str] = {}
        self._filters: dict[str, Filter] = {}
        self._seen: dict[str, tuple[TimeSlice, Edges]] = {}
        for term in used(channel):
            self._pins[term] = bench.routes.canonical(str(channel.attributes[term]), channel.device)
            if channel.attributes.get(f"{prefix_of(term)}_DIG_FLTR_ENABLE"):
                self._filters[term] = Filter(width_of(channel, prefix_of(term)))

    def edges(self, piece: TimeSlice, term: str) -> Edges:
        """The signal at the terminal of a property."""
        if term not in self._filters:
            return piece.edges(self._pins[term])
        known = self._seen.get(term)
        if known is None or known[0] is not piece:
            known = self._seen[term] = (piece, self._filters[term].through(piece, piece.edges(self._pins[term])))
        return known[1]
