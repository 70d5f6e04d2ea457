"""Which routes there can be: between terminals of one device, and from one device to another.

"Device Routing in MAX" (NI-DAQmx Help): timebases, counter outputs and events of a device are sources only; analogue trigger terminals
carry no digital signal. Another device is reached over the trigger lines of a PXI chassis or within a CompactDAQ chassis; no RTSI cable is
registered here. "DAQmxTristateOutputTerm" (C reference): fails for a terminal in an active route.
"""

from __future__ import annotations

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.products import BACKPLANE

NOT_FOUND_SOURCE, NOT_FOUND_DESTINATION, NO_LINE, SAME, UNSUPPORTED, IN_USE, IN_USE_IN_TASK = (
    -89120, -89121, -89125, -89131, -89136, -89137, -89138,
)  # fmt: skip
TRISTATE_BUSY, NO_TRISTATE = -89127, -89128
EMPTY = -200797
_OF_ITS_CLOCK = (
    "/sampleclock", "/sampleclocktimebase", "/convertclock", "/convertclocktimebase", "/holdcompleteevent", "/referencetrigger",
    "/pausetrigger",
)  # fmt: skip
"""Signals of a task's part of a device that are there only because it runs."""
_SOURCES_ONLY = ("timebase", "refclock", "event", "internaloutput", "frequencyoutput", "pairedctroutputpulse", "pxi_clk10", "pxie_clk100")
_OUTSIDE = ("pfi", "rtsi", "pxi_trig", "pxi_star", "pxie_dstar")


def split(bench: Bench, text: str, device: str = "") -> tuple[str, str] | None:
    """Device as configured and the rest of a terminal in lower case; None where there is no such terminal."""
    full = bench.routes.full(text, device)
    head, _, rest = full.partition("/")
    for name, product in bench.devices.items():
        if terminal(name) == head and rest in {t.lower() for t in product.terminals}:
            return name, rest
    return None


def impossible(bench: Bench, source: tuple[str, str], destination: tuple[str, str]) -> int:
    """Error of a route between two terminals that there are (device, rest), 0 for one that can be made."""
    if source == destination:
        return SAME
    if destination[1] == "none" or destination[1].startswith("apfi") or source[1].startswith("apfi"):
        return UNSUPPORTED
    if destination[1].endswith(_SOURCES_ONLY) and not destination[1].endswith("sampleclocktimebase"):
        return UNSUPPORTED
    return NO_LINE if source[0] != destination[0] and not joined(bench, source[0], destination[0]) else 0


def home(bench: Bench, device: str) -> str:
    """The chassis of a module, else the device itself."""
    return bench.entries[device].chassis or device


def joined(bench: Bench, one: str, other: str) -> bool:
    """Whether trigger lines run between two devices."""
    return home(bench, one) == home(bench, other) or {bench.devices[one].bus, bench.devices[other].bus} <= set(BACKPLANE)


def check_source(bench: Bench, task: Task, text: str, name: str, own: str) -> None:
    """Check where a task's clock or trigger comes from; `own`: the terminal that it would be if it were the task's own.

    Raises DaqmxError -89120 (no such terminal), -200220 (no such device), -89125, -89131 (its own), -89136.
    """
    if terminal(text) in ("", "onboardclock"):
        return
    source = split(bench, text, task.device)
    device, shown = shown_as(bench, text, task.device)
    if source is None:
        if device not in bench.devices:
            raise task.fail(-200220, Property=name, Device_Specified=device)
        raise task.fail(NOT_FOUND_SOURCE, Property=name, Source_Device=device, Source_Terminal=shown)
    full = bench.routes.full(text, task.device)
    barred = source[1].startswith("apfi") or _barred(bench, task, source, name)
    code = SAME if full == terminal(own) else UNSUPPORTED if barred else 0
    if code:
        raise task.fail(code, Property=name, Source_Device=device, Source_Terminal=shown)
    if not joined(bench, source[0], task.device):
        raise task.fail(NO_LINE, Property=name, Source_Device=source[0], Destination_Device=task.device)


def _barred(bench: Bench, task: Task, source: tuple[str, str], name: str) -> bool:
    """Whether a pin of the task's own device carries no clock, or nothing but clocks."""
    pins = bench.devices[task.device].clocks_from
    if not pins or source[0] != task.device or not source[1].startswith(_OUTSIDE):
        return False
    if name == "SAMP_CLK_SRC":
        return (task.part, source[1]) not in pins
    return not source[1].startswith("pfi") and source[1] in {pin for _, pin in pins}


def check_trigger(bench: Bench, task: Task, text: str, name: str, own: str) -> None:
    """Check where a digital trigger of a task comes from: nothing that its own clock makes starts, ends or pauses it.

    Raises DaqmxError -200797 (no terminal named) and -89136, and as `check_source` does; -89120 for `OnboardClock`, which is a clock.
    """
    if not terminal(text):
        raise task.fail(EMPTY, Property=name)
    if terminal(text) == "onboardclock":
        raise task.fail(NOT_FOUND_SOURCE, Property=name, Source_Device=task.device, Source_Terminal=text.strip("/"))
    check_source(bench, task, text, name, own)
    full = bench.routes.full(text, task.device)
    if full.startswith(terminal(f"{task.owner}/{task.part}/")) and full.endswith(_OF_ITS_CLOCK):
        device, shown = shown_as(bench, text, task.device)
        raise task.fail(UNSUPPORTED, Property=name, Source_Device=device, Source_Terminal=shown)


def shown_as(bench: Bench, text: str, device: str = "") -> tuple[str, str]:
    """Device and the rest of a terminal, written as the driver does where there are such: `Dev1`, `ai/SampleClock`."""
    head, _, rest = bench.routes.full(text, device).partition("/")
    owner = next((name for name in bench.devices if terminal(name) == head), None)
    plain = text.strip().lstrip("/")
    if owner is None:
        return plain.partition("/")[0], plain.partition("/")[2]
    typed = plain.partition("/")[2] if terminal(plain).startswith(f"{head}/") else plain
    return owner, next((name for name in bench.devices[owner].terminals if name.lower() == rest), typed)


def barred_export(bench: Bench, task: Task, signal: str, place: tuple[str, str]) -> int:
    """Error of a sample clock that its device does not put out at a terminal, else 0."""
    pins = bench.devices[task.device].clocks_to
    return UNSUPPORTED if pins and signal == "SampleClock" and (task.part, place[1]) not in pins else 0


def can_tristate(rest: str) -> bool:
    """Whether a terminal goes out of its device."""
    return rest.startswith(_OUTSIDE)
