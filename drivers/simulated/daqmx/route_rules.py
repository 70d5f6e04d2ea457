"""Which routes there can be: between terminals of one device, and from one device to another.

"Device Routing in MAX" (NI-DAQmx Help): timebases, counter outputs and events of a device are sources only; analogue trigger terminals
carry no digital signal. Another device is reached over the trigger lines of a PXI chassis or within a CompactDAQ chassis; no RTSI cable is
registered here. "DAQmxTristateOutputTerm" (C reference): fails for a terminal in an active route.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.products import BACKPLANE

if TYPE_CHECKING:
    from drivers.simulated.daqmx.engine import Engine
    from drivers.simulated.daqmx.tasks import Task

NOT_FOUND_SOURCE, NOT_FOUND_DESTINATION, NO_LINE, SAME, UNSUPPORTED, IN_USE, IN_USE_IN_TASK = (
    -89120, -89121, -89125, -89131, -89136, -89137, -89138,
)  # fmt: skip
TRISTATE_BUSY, NO_TRISTATE = -89127, -89128
_SOURCES_ONLY = ("timebase", "refclock", "event", "internaloutput", "frequencyoutput", "pairedctroutputpulse", "pxi_clk10", "pxie_clk100")
_OUTSIDE = ("pfi", "rtsi", "pxi_trig", "pxi_star", "pxie_dstar")
BACKPLANE_LINES = "backplane"


def split(engine: Engine, text: str, device: str = "") -> tuple[str, str] | None:
    """Device as configured and the rest of a terminal in lower case; None where there is no such terminal."""
    full = engine.routes.full(text, device)
    head, _, rest = full.partition("/")
    for name, product in engine.devices.items():
        if terminal(name) == head and rest in {t.lower() for t in product.terminals}:
            return name, rest
    return None


def impossible(engine: Engine, source: tuple[str, str], destination: tuple[str, str]) -> int:
    """Error of a route between two terminals that there are (device, rest), 0 for one that can be made."""
    if source == destination:
        return SAME
    if destination[1] == "none" or destination[1].startswith("apfi") or source[1].startswith("apfi"):
        return UNSUPPORTED
    if destination[1].endswith(_SOURCES_ONLY) and not destination[1].endswith("sampleclocktimebase"):
        return UNSUPPORTED
    return NO_LINE if source[0] != destination[0] and not joined(engine, source[0], destination[0]) else 0


def home(engine: Engine, device: str) -> str:
    """The chassis of a module, else the device itself."""
    return engine.entries[device].chassis or device


def joined(engine: Engine, one: str, other: str) -> bool:
    """Whether trigger lines run between two devices."""
    return home(engine, one) == home(engine, other) or {engine.devices[one].bus, engine.devices[other].bus} <= set(BACKPLANE)


def check_source(engine: Engine, task: Task, text: str, name: str, own: str) -> None:
    """Check where a task's clock or trigger comes from; `own`: the terminal that it would be if it were the task's own.

    Raises DaqmxError -89120 (no such terminal), -200220 (no such device), -89125, -89131 (its own), -89136.
    """
    if terminal(text) in ("", "onboardclock"):
        return
    source = split(engine, text, task.device)
    full = engine.routes.full(text, task.device)
    if source is None:
        device = full.partition("/")[0]
        if device not in map(terminal, engine.devices):
            raise task.fail(-200220, Property=name, Device_Specified=device)
        raise task.fail(NOT_FOUND_SOURCE, Property=name, Source_Device=device, Source_Terminal=full.partition("/")[2])
    code = SAME if full == terminal(own) else UNSUPPORTED if source[1].startswith("apfi") else 0
    if code:
        raise task.fail(code, Property=name, Source_Device=source[0], Source_Terminal=source[1])
    if not joined(engine, source[0], task.device):
        raise task.fail(NO_LINE, Property=name, Source_Device=source[0], Destination_Device=task.device)


def can_tristate(rest: str) -> bool:
    """Whether a terminal goes out of its device."""
    return rest.startswith(_OUTSIDE)
