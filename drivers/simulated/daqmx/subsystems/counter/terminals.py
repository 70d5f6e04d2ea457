"""Terminals of counters: those that the driver chooses, and whether a signal gets to where a channel wants it.

Default terminals: "X Series User Manual", Default Counter/Timer Pinouts; "NI-DAQmx Help", Counter Signal Connections for CompactDAQ (the
eight lines of an NI 9401); "NI-9361 Getting Started", Default Routing for Counter Signals (DI0 to DI7 are its PFI terminals). Routes:
`routes.py`.
"""

from __future__ import annotations

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import as_int
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.products.product import C_SERIES_MODULE
from drivers.simulated.daqmx.routing.route_rules import home, joined, shown_as
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter import meters as cm
from drivers.simulated.daqmx.subsystems.counter import routes
from drivers.simulated.daqmx.subsystems.counter import usages as cu

_X_SERIES = (
    {cu.SOURCE: 8, cu.GATE: 9, cu.AUX: 10, cu.OUT: 12}, {cu.SOURCE: 3, cu.GATE: 4, cu.AUX: 11, cu.OUT: 13},
    {cu.SOURCE: 0, cu.GATE: 1, cu.AUX: 2, cu.OUT: 14}, {cu.SOURCE: 5, cu.GATE: 6, cu.AUX: 7, cu.OUT: 15},
)  # fmt: skip
_LINES = (
    {cu.SOURCE: 0, cu.GATE: 1, cu.AUX: 2}, {cu.SOURCE: 4, cu.GATE: 5, cu.AUX: 6}, {cu.SOURCE: 3, cu.GATE: 2, cu.AUX: 0},
    {cu.SOURCE: 7, cu.GATE: 6, cu.AUX: 4},
)  # fmt: skip
_OPPOSITE, _MIRRORED, _NEAR = (4, 5, 6, 7, 0, 1, 2, 3), (7, 6, 5, 4, 3, 2, 1, 0), (3, 2, 1, 0, 7, 6, 5, 4)
_MODULE = {
    "CI_COUNT_EDGES_COUNT_RESET_TERM": _OPPOSITE, "CI_COUNT_EDGES_DIR_TERM": _MIRRORED, "CI_COUNT_EDGES_GATE_TERM": _NEAR,
    "CI_TWO_EDGE_SEP_SECOND_TERM": _OPPOSITE, "CI_ENCODER_B_INPUT_TERM": _OPPOSITE, "CI_ENCODER_Z_INPUT_TERM": _MIRRORED,
    "CI_VELOCITY_ENCODER_B_INPUT_TERM": _OPPOSITE,
}  # fmt: skip
"""Lines of the counters 0 to 7 of a counter module, for the inputs that are not the counter's own line."""

NAMES = {cu.SOURCE: "Source", cu.GATE: "Gate", cu.AUX: "Aux", cu.PHASE: "A", cu.OUT: "InternalOutput"}
_PHASES = ("CI_ENCODER_A_INPUT_TERM", "CI_ENCODER_B_INPUT_TERM", "CI_ENCODER_Z_INPUT_TERM", "CI_COUNT_EDGES_DIR_TERM",
           "CI_VELOCITY_ENCODER_A_INPUT_TERM", "CI_VELOCITY_ENCODER_B_INPUT_TERM")  # fmt: skip


def pin(product: Product, channel: ch.CounterChannel, which: str, name: str = "") -> str:
    """Terminal that an input (of the property `name`) or the output of the counter is connected to by default."""
    if channel.number < 0:
        return f"/{channel.device}/{'FrequencyOutput' if product.category == C_SERIES_MODULE else 'PFI14'}"
    if product.counting is not None and product.counting.hidden and which == cu.OUT:
        return f"/{channel.device}/Ctr{channel.number}InternalOutput"
    table = _X_SERIES
    if product.category == C_SERIES_MODULE:
        if which == cu.OUT:
            return f"/{channel.device}/Ctr{channel.number}InternalOutput"
        if product.counting is not None and not product.counting.outputs:
            return f"/{channel.device}/PFI{_MODULE.get(name, range(8))[channel.number]}"
        table = _LINES
    return f"/{channel.device}/PFI{table[channel.number % len(table)][which]}"


def qualified(channel: ch.Channel, text: str) -> str:
    """A terminal with its device: as given where it has one."""
    text = text.strip()
    if not text or text.startswith("/"):
        return text
    return f"/{text}" if "/" in text and text.partition("/")[0].lower() == channel.device.lower() else f"/{channel.device}/{text}"


def measured(method: int) -> str:
    """Which input of a counter the frequency goes to: with one counter the gate, with two the source."""
    return cu.GATE if method in (cu.LOW_FREQUENCY, cu.DYNAMIC) else cu.SOURCE


def used(channel: ch.CounterChannel) -> dict[str, str]:
    """The terminal properties that matter to the channel as it is configured, and where their signals go."""
    a = channel.attributes
    family = "CO" if channel.kind == ch.COUNTER_OUTPUT else "CI"
    own = str(a[f"{family}_CTR_TIMEBASE_SRC"]).lower() not in cu.ONBOARD and channel.number >= 0
    found = {f"{family}_CTR_TIMEBASE_SRC": cu.SOURCE} if own else {}
    if family == "CO":
        return found | {"CO_PULSE_TERM": cu.OUT}
    found |= {name: _input_of(channel, name) for name in cm.terms_of(channel)}
    for enable, term in (
        ("CI_COUNT_EDGES_COUNT_RESET_ENABLE", "CI_COUNT_EDGES_COUNT_RESET_TERM"),
        ("CI_COUNT_EDGES_GATE_ENABLE", "CI_COUNT_EDGES_GATE_TERM"),
        ("CI_ENCODER_Z_INDEX_ENABLE", "CI_ENCODER_Z_INPUT_TERM"),
    ):
        if a.get(enable):
            found[term] = _input_of(channel, term)
    if a.get("CI_COUNT_EDGES_DIR") == cu.EXTERNAL:
        found["CI_COUNT_EDGES_DIR_TERM"] = cu.PHASE
    return found


def _input_of(channel: ch.CounterChannel, name: str) -> str:
    if name in _PHASES:
        return cu.PHASE
    if name in ("CI_FREQ_TERM", "CI_PERIOD_TERM"):
        return measured(as_int(channel.attributes[name.replace("_TERM", "_MEAS_METH")]))
    return {"CI_COUNT_EDGES_TERM": cu.SOURCE, "CI_TWO_EDGE_SEP_FIRST_TERM": cu.AUX}.get(name, cu.GATE)


def check(bench: Bench, task: Task, channel: ch.CounterChannel) -> None:
    """Raise DaqmxError for a terminal that there is not, or from which no route leads to the counter."""
    for name, which in used(channel).items():
        text = str(channel.attributes[name])
        if text.rpartition("/")[2].lower() == "onboardclock":
            raise task.fail(-200814, Property=c_name(name), Channel_Name=channel.name)
        head, _, rest = terminal(text).partition("/")
        device = next((known for known in bench.devices if known.lower() == head), None)
        if device is None:
            raise task.fail(-200220, Property=c_name(name), Device_Specified=head, Channel_Name=channel.name)
        if rest not in _terminals(bench, device):
            raise task.fail(-200254, Property=c_name(name), Terminal=text, Device=device, Channel_Name=channel.name)
        _check_route(bench, task, channel, (name, which), (device, rest))


def _terminals(bench: Bench, device: str) -> set[str]:
    return {name.lower() for place in (device, home(bench, device)) for name in bench.devices[place].terminals}


def _check_route(
    bench: Bench, task: Task, channel: ch.CounterChannel, where: tuple[str, str], what: tuple[str, str]
) -> None:  # fmt: skip
    (name, which), (device, rest) = where, what
    if not joined(bench, device, channel.device):
        raise task.fail(-89125, Property=c_name(name), Source_Device=device, Destination_Device=channel.device)
    here = home(bench, device) == home(bench, channel.device)
    if here and which != cu.OUT and rest == f"ctr{channel.number}{NAMES[which]}".lower():
        raise task.fail(-89131, Property=c_name(name), Source_Terminal=channel.attributes[name], Channel_Name=channel.name)
    if not routes.leads(bench.devices[channel.device].counting, channel.number if here else -1, which, rest):
        ends = (shown_as(bench, f"/{device}/{rest}"), (channel.device, f"Ctr{channel.number}{NAMES[which]}"))
        source, destination = ends if which != cu.OUT else ends[::-1]
        raise task.fail(
            -89136, Property=c_name(name), Source_Device=source[0], Source_Terminal=source[1], Destination_Device=destination[0],
            Destination_Terminal=destination[1], Channel_Name=channel.name,
        )  # fmt: skip


def check_name(name: str, value: object) -> None:
    """Raise DaqmxError -200797 for an empty name of a terminal that no driver would choose."""
    if name.endswith("_TERM") and not str(value).strip():
        raise DaqmxError(-200797, Property=c_name(name))
