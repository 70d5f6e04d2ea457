"""Digital channels: one a line, or one for all lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from drivers.simulated.daqmx import channel_names, creating
from drivers.simulated.daqmx import channels as ch
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.tasks import Task

CHAN_PER_LINE, CHAN_FOR_ALL_LINES = 0, 1
DMA, NOT_EMPTY, LESS_THAN_FULL = 10054, 10241, 10242
ACTIVE_DRIVE = 12573
DEFAULTS: dict[int, dict[str, Any]] = {
    ch.DIGITAL_INPUT: {
        "DI_INVERT_LINES": False, "DI_DIG_FLTR_ENABLE": False, "DI_DIG_FLTR_MIN_PULSE_WIDTH": 0.0, "DI_TRISTATE": True,
        "DI_DATA_XFER_MECH": DMA, "DI_DATA_XFER_REQ_COND": NOT_EMPTY, "DI_MEM_MAP_ENABLE": False,
    },
    ch.DIGITAL_OUTPUT: {
        "DO_INVERT_LINES": False, "DO_TRISTATE": False, "DO_OUTPUT_DRIVE_TYPE": ACTIVE_DRIVE, "DO_DATA_XFER_MECH": DMA,
        "DO_DATA_XFER_REQ_COND": LESS_THAN_FULL, "DO_MEM_MAP_ENABLE": False, "DO_USE_ONLY_ON_BRD_MEM": False,
    },
}  # fmt: skip


def add_lines(engine: Engine, task: Task, kind: int, request: Mapping[str, Any]) -> None:
    """Add digital channels, one a line or one for all lines. Raises DaqmxError."""
    with engine.lock:
        creating.open_for(task, kind)
        texts = creating.physical_names(task, request["lines"])
        grouping = request["line_grouping"]
        if grouping not in (CHAN_PER_LINE, CHAN_FOR_ALL_LINES):
            raise task.fail(-200528)
        located = [creating.locate(engine, task, full) for full in texts]
        if grouping == CHAN_PER_LINE and any("/line" not in channel for _, _, channel in located):
            raise task.fail(-200528)
        lines = [(device, line) for device, product, channel in located for line in lines_of(task, device, product, channel)]
        given = request["name_to_assign_to_lines"]
        if grouping == CHAN_PER_LINE:
            names = channel_names.assigned([line for _, line in lines], given)
            made = [_channel(n, kind, device, [line]) for n, (device, line) in zip(names, lines, strict=True)]
        else:
            whole = f"{located[0][0]}/{located[0][2]}"
            name = channel_names.first(given) or (whole if len(texts) == 1 else f"{whole}...")
            made = [_channel(name, kind, lines[0][0], [line for _, line in lines])]
            made[0].columns = _columns([(len(lines_of(task, *where)), "/line" not in where[2]) for where in located])
        creating.append(engine, task, made)


def lines_of(task: Task, device: str, product: Product, channel: str) -> list[str]:
    """Lines of a port, or the one line. Raises DaqmxError -200170."""
    for port, count in enumerate(product.ports):
        if channel == f"port{port}":
            return [f"{device}/port{port}/line{n}" for n in range(count)]
        head = f"port{port}/line"
        if channel.startswith(head) and channel[len(head) :].isdigit() and int(channel[len(head) :]) < count:
            return [f"{device}/{channel}"]
    raise creating.missing(task, device, channel)


def _channel(name: str, kind: int, device: str, lines: Sequence[str]) -> ch.LineChannel:
    ports = {line.rpartition("/line")[0] for line in lines}
    # Numbers are port-aligned; only a channel over several ports is packed in the order of its lines.
    shifts = tuple(int(line.rpartition("line")[2]) for line in lines) if len(ports) == 1 else tuple(range(len(lines)))
    made = ch.LineChannel(name, ", ".join(lines), device, kind, dict(DEFAULTS[kind]), dict(DEFAULTS[kind]))
    made.lines, made.shifts, made.columns = tuple(terminal(line) for line in lines), shifts, tuple(range(len(lines)))
    return made


def _columns(parts: Sequence[tuple[int, bool]]) -> tuple[int, ...]:
    """Order of the lines in waveforms, of parts (lines, whether they were named as a port): a port has its highest line first."""
    order: list[int] = []
    for count, port in parts:
        part = range(len(order), len(order) + count)
        order += reversed(part) if port else part
    return tuple(order)
