"""A bench that can be reached, for commands that look at it without running a test."""

from __future__ import annotations

import contextlib
import json
import queue
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from drivers.daq.contract import Daq
from drivers.daq.wiring import Input
from rig.config.bench import Bench, InputChannel
from rig.config.transport import to_json
from rig.config.virtual_ports import fixed, resolved, wanted
from rig.hardware import data_sheets
from rig.hardware.reservation_owner import holder_named
from rig.hardware.taring import Reading
from rig.hardware.wiring import wiring
from rig.host import interruption
from rig.supervision.start_allowance import ComingUp
from rig.supervision.worker_process import Mail, WorkerProcess, virtual_bench_command

END_PATIENCE = 2.0  # s for it to end by itself
REST_RATE = 5000.0  # Hz, about: a reading at rest is averaged over whole periods of the mains


@contextlib.contextmanager
def reachable(bench: Bench, file: Path | None = None) -> Iterator[Bench]:
    """The bench as it can be connected to, serial ports of a virtual one included; simulated hardware runs for as long as this lasts.

    file: that it is described in, which messages then name.
    Raises what `rig.supervision.start_allowance.ComingUp.failed` gives when the simulated hardware does not come up.
    """
    if bench.plant is None or bench.address is not None:
        with interruption.as_keyboard():  # a line or a shunt that was switched is switched back
            yield resolved(bench, fixed(bench))
        return
    with interruption.as_keyboard(), tempfile.TemporaryDirectory(prefix="rig-bench-") as name:
        folder = Path(name)
        sources = {} if file is None else {"bench": str(file)}
        (folder / "plan.json").write_text(json.dumps({"bench": to_json(bench), "sources": sources}), encoding="utf-8")
        log = folder / "virtual_bench.log"
        mail: Mail = queue.SimpleQueue()
        child = WorkerProcess("virtual_bench", virtual_bench_command(folder), log, mail)
        try:
            address = _listening(child, mail, log, wanted(bench))
            yield replace(resolved(bench, child.ports), address=address)
        finally:
            child.end(END_PATIENCE)


@contextlib.contextmanager
def opened(bench: Bench) -> Iterator[Daq]:
    """The DAQ device of a bench, connected, with the sensitivities that sensors tell themselves; closed at the end.

    Raises DriverError, ConfigError.
    """
    # An armed watchdog drops its lines when nobody resets it, which would be an output.
    if any(channel.teds for channel in bench.channels):
        bench, _ = data_sheets.adopt(bench, data_sheets.read(bench))
    daq = bench.daq.unguarded().create(wiring(bench), bench.address)
    try:
        with holder_named():
            daq.connect()
            yield daq
    finally:
        daq.close()


def at_rest(daq: Daq, channels: Sequence[InputChannel], duration: float) -> list[Reading]:
    """Some channels of an opened device for `duration` s, as the bench that it was opened for scales them. Raises DriverError."""
    from drivers.daq.at_rest import read_for
    from drivers.daq.inputs import by_device

    names = [channel.name for channel in channels]
    found: dict[str, Reading] = {}
    for items in by_device([item for item in daq.wiring.inputs if isinstance(item, Input) and item.name in names]).values():
        values = read_for(daq, items, REST_RATE, duration)
        found |= {item.name: Reading.average(values[:, i], duration) for i, item in enumerate(items)}
    return [found[name] for name in names]


def _listening(child: WorkerProcess, mail: Mail, log: Path, lines: set[str]) -> str:
    """Its address, once it listens there and on its serial lines."""
    coming = ComingUp(child, lines)
    while coming.goes_on():
        try:
            _, kind, message = mail.get(timeout=0.1)
        except queue.Empty:
            continue
        child.take(kind, message)
        if coming.address is not None:
            return coming.address
    child.end(END_PATIENCE)
    raise coming.failed(log)
