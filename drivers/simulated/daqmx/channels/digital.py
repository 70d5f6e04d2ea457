"""Digital channels: one a line, or one for all lines."""

from __future__ import annotations

from collections.abc import Sequence

from nidaqmx import constants as ni

from drivers.simulated.daqmx.channels import creation
from drivers.simulated.daqmx.channels import names as channel_names
from drivers.simulated.daqmx.configuration.device_settings import DMA, USB_BULK
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.names import terminal, unpadded
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.products.product import USB
from drivers.simulated.daqmx.routing import pins

CHAN_PER_LINE, CHAN_FOR_ALL_LINES = 0, 1
NOT_EMPTY, LESS_THAN_FULL = (
    ni.InputDataTransferCondition.ON_BOARD_MEMORY_NOT_EMPTY.value, ni.OutputDataTransferCondition.ON_BOARD_MEMORY_LESS_THAN_FULL.value,
)  # fmt: skip
ACTIVE_DRIVE = ni.DigitalDriveType.ACTIVE_DRIVE.value
ONLY_OTHERS = {ch.DIGITAL_INPUT: "output", ch.DIGITAL_OUTPUT: "input"}
"""Direction of lines that can be no channel of a kind."""
DEFAULTS: dict[int, dict[str, Value]] = {
    ch.DIGITAL_INPUT: {
        "DI_INVERT_LINES": False, "DI_DIG_FLTR_ENABLE": False, "DI_DIG_FLTR_MIN_PULSE_WIDTH": 0.0, "DI_TRISTATE": True,
        "DI_DATA_XFER_MECH": DMA, "DI_DATA_XFER_REQ_COND": NOT_EMPTY, "DI_MEM_MAP_ENABLE": False,
    },
    ch.DIGITAL_OUTPUT: {
        "DO_INVERT_LINES": False, "DO_TRISTATE": False, "DO_OUTPUT_DRIVE_TYPE": ACTIVE_DRIVE, "DO_DATA_XFER_MECH": DMA,
        "DO_DATA_XFER_REQ_COND": LESS_THAN_FULL, "DO_MEM_MAP_ENABLE": False, "DO_USE_ONLY_ON_BRD_MEM": False,
    },
}  # fmt: skip


def add_lines(engine: Engine, task: Task, kind: int, request: Fields) -> None:
    """Add digital channels, one a line or one for all lines. Raises DaqmxError."""
    with engine.lock:
        creation.open_for(task, kind)
        texts = creation.physical_names(task, str(request["lines"]))
        grouping = request["line_grouping"]
        if grouping not in (CHAN_PER_LINE, CHAN_FOR_ALL_LINES):
            raise task.fail(-200528)
        located = [_located(engine, task, full) for full in texts]
        found = [lines_of(engine, task, *where) for where in located]
        for device, product, channel in located:
            if product.digital.direction == ONLY_OTHERS[kind]:
                raise task.fail(-200430, Device=device, Physical_Channel_Name=channel)
        for text, (_, _, channel) in zip(texts, located, strict=True):
            if grouping == CHAN_PER_LINE and "/line" not in channel:
                raise task.fail(-200376, Physical_Channel_Name=text)
        lines = [(where[0], line) for where, of in zip(located, found, strict=True) for line in of]
        given = str(request["name_to_assign_to_lines"])
        asked = [_shown(where[0], full) for where, full in zip(located, texts, strict=True)]
        named = [name for shown, of in zip(asked, found, strict=True) for name in ([shown] if "/PFI" in shown else of)]
        if grouping == CHAN_PER_LINE:
            names = channel_names.assigned(asked, given)
            made = [_channel(n, kind, engine.devices[device], device, [line]) for n, (device, line) in zip(names, lines, strict=True)]
            places = [[place] for place in named]
        else:
            name = channel_names.first(given) or (asked[0] if len(texts) == 1 else f"{asked[0]}...")
            made = [_channel(name, kind, located[0][1], lines[0][0], [line for _, line in lines])]
            made[0].columns = _columns([(len(of), "/line" not in where[2]) for where, of in zip(located, found, strict=True)])
            places = [named]
        for one, place in zip(made, places, strict=True):
            one.physical = ", ".join(place)
        creation.append(engine, task, made)


def _located(engine: Engine, task: Task, full: str) -> tuple[str, Product, str]:
    """Device, product and channel: a line by whatever name as one of its port."""
    device, product, channel = creation.locate(engine, task, full)
    return device, product, pins.line_of(product, channel)


def _shown(device: str, full: str) -> str:
    """A physical channel as it is shown where it was named so: a pin that was named PFI0 is not renamed."""
    channel = unpadded(full.strip("/").partition("/")[2].lower())
    return f"{device}/{channel.upper() if channel.startswith('pfi') else channel}"


def lines_of(engine: Engine, task: Task, device: str, product: Product, channel: str) -> list[str]:
    """Lines of a port, or the one line. Raises DaqmxError -200170, -200430."""
    for port, count in enumerate(product.ports):
        if channel == f"port{port}":
            return [f"{device}/port{port}/line{n}" for n in range(count)]
        head = f"port{port}/line"
        if channel.startswith(head) and channel[len(head) :].isdigit() and int(channel[len(head) :]) < count:
            return [f"{device}/{channel}"]
    raise creation.missing(engine, task, device, channel)


def _channel(name: str, kind: int, product: Product, device: str, lines: Sequence[str]) -> ch.LineChannel:
    ports = {line.rpartition("/line")[0] for line in lines}
    # Numbers are port-aligned; only a channel over several ports is packed in the order of its lines.
    shifts = tuple(int(line.rpartition("line")[2]) for line in lines) if len(ports) == 1 else tuple(range(len(lines)))
    defaults = {key: value if value != DMA or product.bus != USB else USB_BULK for key, value in DEFAULTS[kind].items()}
    made = ch.LineChannel(name, ", ".join(lines), device, kind, dict(defaults), defaults)
    made.lines, made.shifts, made.columns = tuple(terminal(line) for line in lines), shifts, tuple(range(len(lines)))
    return made


def _columns(parts: Sequence[tuple[int, bool]]) -> tuple[int, ...]:
    """Order of the lines in waveforms, of parts (lines, whether they were named as a port): a port has its highest line first."""
    order: list[int] = []
    for count, port in parts:
        part = range(len(order), len(order) + count)
        order += reversed(part) if port else part
    return tuple(order)
