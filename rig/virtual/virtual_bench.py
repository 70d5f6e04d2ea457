"""Simulated hardware as a program of its own: a plant behind simulated devices, served to any client of the instruments' protocols.

`python -m rig.virtual.virtual_bench --plan RUN_DIR` is how a run starts it; `rig virtual-bench` is the same by hand. It prints
`listening HOST:PORT` when it is ready, after it a line `serial NAME socket://HOST:PORT` for each serial line, and writes its log as JSON
lines: wall time, bench time, source, text.

With `--with-parent` the end of standard input means that its parent is gone. It stays for as long as the controller's program runs,
so that the log tells how the controller took the death of its client; the heartbeat time-out bounds that.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from drivers.files.text_files import Unusable
from drivers.simulated.daqmx.core.device_entries import DeviceEntry
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.daqmx.system.teds import read_data_sheet
from drivers.simulated.device_file import BadDeviceFile, Setup, bad_product
from drivers.simulated.host_pulse import with_the_host
from drivers.simulated.serving import engine_of
from rig.config.bench import Bench, DataSheet, SerialEntry
from rig.config.disturbance import Disturbance
from rig.config.injection import Injection
from rig.config.transport import from_json
from rig.errors import ConfigError
from rig.host import clock, interruption, parent_watch
from rig.streaming.heartbeat_table import GONE, HeartbeatTable
from rig.streaming.injection_words import SOURCE as INJECTION
from rig.streaming.processes import ROWS, SUPERVISOR, SUPERVISOR_SILENT
from rig.virtual import serial_lines
from rig.virtual.injection.injector import Injector
from rig.virtual.observed_plant import ObservedPlant
from rig.virtual.plants.settings import PlantSettings
from rig.virtual.rig_plant import NothingWired, RigPlant
from rig.virtual.signal_chain.disturbed_plant import DisturbedPlant

HOST = "127.0.0.1"
LOG_EVERY = 0.02  # s
LOOK_EVERY = 0.2  # s, at the board of the run
SLIP = 5e-3  # s that bench time has to slip by before it is told
SWITCH_INTERVAL = 0.5e-3  # s
LINGER = 0.5  # s beyond the heartbeat time-out that a vanished parent is outlived by, at most: of wall time, in lockstep of bench time
LAST_RESORT = 20.0  # s after which a process that was asked to end is ended, whatever it is at
DIES_AWAY = 0.2  # s for drives to note that they stand, and for the last swing of a specimen that was let go
LAST_WORDS = 0.2  # s of wall time for a client to bring a stopped clock to its safe state before the clock is moved for it

NAMELESS = "virtual bench"
"""Who speaks where nobody knows which file the bench is of."""


@dataclass(frozen=True)
class Hardware:
    """What is simulated."""

    setup: Setup
    plant: PlantSettings | None = None
    seed: int = 1
    serial: tuple[SerialEntry, ...] = ()
    disturbances: tuple[Disturbance, ...] = ()
    injections: tuple[Injection, ...] = ()
    file: str = NAMELESS
    """How messages begin that are of what the bench file says."""

    @classmethod
    def from_bench(cls, bench: Bench, file: str = NAMELESS) -> Hardware:
        """The simulated side of a bench file. Raises ConfigError for unknown products."""
        for i, device in enumerate(bench.devices):
            if wrong := bad_product(device.product):
                raise ConfigError(f"virtual bench {bench.title!r}: devices[{i}].product of {device.name}: {wrong}")
        devices = tuple(DeviceEntry(d.name, d.product, d.chassis, d.slot, d.serial, d.pxi_chassis, d.accessory) for d in bench.devices)
        wiring = {wire.terminal: wire.signal for wire in bench.wiring}
        bridges = {wire.terminal: wire.bridge_resistance for wire in bench.wiring}
        assert bench.plant is None or isinstance(bench.plant, PlantSettings)
        teds = {one.terminal: _memory(one) for one in bench.teds}
        setup = Setup(devices, wiring, bridges, bench.pace, teds=teds, unconnected="waits")
        return cls(setup, bench.plant, bench.seed, bench.serial, bench.disturbances, bench.injections, file)

    def create_plant(self) -> RigPlant:
        """The plant with what disturbs its signals. Raises ConfigError."""
        try:
            plant = NothingWired() if self.plant is None else self.plant.create(self.seed)
        except ValueError as error:  # what only shows once it is built, as a step too long for its joints
            raise ConfigError(f"{self.file}: plant.{error}") from None
        if not self.disturbances:
            return plant
        try:
            return DisturbedPlant(plant, self.disturbances, self.seed)
        except ValueError as error:
            raise ConfigError(f"{self.file}: {error}") from None


def _memory(sheet: DataSheet) -> bytes:
    """What stands in the memory of a sensor. Raises ConfigError."""
    try:
        return read_data_sheet(Path(sheet.file)) if sheet.file else bytes.fromhex(sheet.bits)
    except Unusable as error:
        raise ConfigError(f"teds of {sheet.terminal}: {error}") from error


def read_plan(run_dir: Path) -> Hardware:
    """The hardware of a run's plan. The rest of the plan, and the drivers' packages behind it, are none of its business."""
    data = json.loads((run_dir / "plan.json").read_text(encoding="utf-8"))
    bench = from_json(Bench, data["bench"], leave=("daq", "loader", "axes", "instruments", "channels"))
    return Hardware.from_bench(bench, data.get("sources", {}).get("bench", NAMELESS))


class VirtualBench:
    """Engine, plant, clock, server and serial lines. Raises ConfigError for wires that end nowhere, a port in use."""

    def __init__(self, hardware: Hardware, port: int, log: TextIO) -> None:
        self._log = log
        self.injector = Injector(hardware.create_plant(), hardware.seed)
        self.plant: RigPlant = self.injector.plant
        if any(entry.kind == "instrument" for entry in hardware.serial):
            self.plant = ObservedPlant(self.plant)
        try:
            self.engine = engine_of(hardware.setup, None if hardware.plant is None else self.plant)
        except BadDeviceFile as error:
            raise ConfigError(f"{hardware.file}: {error}") from error
        self.clock = self.engine.clock
        _check_enabled(self.plant, hardware.setup)
        _check_free(port)
        self.serial = serial_lines.sides(hardware.serial, self.plant, self.clock)
        for side in self.serial.values():
            side.bring_up = self.engine.bring_up
        self.injector.connect(self.engine, self.serial, hardware.injections)
        # A pause of the collector is a stall of the hardware, so there is nothing left for it once the clock runs.
        gc.collect()
        gc.freeze()
        gc.enable()
        self._server = serve(self.engine, HOST, port)
        self.address = f"{HOST}:{self._server.port}"
        self._slipped = 0.0
        self._log_lost = False
        self.tell_parent: Callable[[str], None] = lambda line: None
        """Takes what whoever started it is to know at once: an injection that has begun, or is over."""

    def run(self, ended: threading.Event, parent_gone: threading.Event) -> None:
        """Serve and log until `ended`; after `parent_gone` no longer than the controller needs to come to rest."""
        self.say("virtual bench", f"listening {self.address}, pace {self.clock.pace}")
        with with_the_host(self.clock):
            while not ended.wait(LOG_EVERY):
                self._write_log()
                if self.engine.fault is not None:  # the hardware stands still and says so to every call; there is nothing to wait for
                    self.say("virtual bench", f"the plant failed: {self.engine.fault}")
                    break
                if parent_gone.is_set():
                    self._linger(ended)
                    break
            self._server.stop()
            serial_lines.close(self.serial)
        self._write_log()
        self.say("virtual bench", "ended")

    def say(self, source: str, text: str, at: float | None = None, **more: float) -> None:
        """One line of the log."""
        line = {"wall": time.time(), "bench": self.engine.time if at is None else at, "source": source, "text": text, **more}
        try:
            print(json.dumps(line), file=self._log, flush=True)
        except OSError as error:  # a disk that is full of messages is no reason for hardware to go away
            if not self._log_lost:
                self._log_lost = True
                with contextlib.suppress(OSError):  # where that is the log
                    print(f"virtual bench: its log cannot be written: {error.strerror or error}; it goes on without", file=sys.stderr)

    def _write_log(self) -> None:
        for at, source, text in self.engine.take_events():
            self.say(source, text, at)
            if source == INJECTION:
                with contextlib.suppress(OSError):  # a parent that is gone: hardware goes on without
                    self.tell_parent(f"{INJECTION} {text}")
        if self.clock.slipped >= self._slipped + SLIP:
            self._slipped = self.clock.slipped
            text = f"the host stalled: bench time slipped {self.clock.slips} times, by {self._slipped:.3f} s in all"
            self.say("clock", text, slipped=self._slipped)

    def _armed(self) -> bool:
        with self.engine.lock:
            return self.plant.armed

    def _linger(self, ended: threading.Event) -> None:
        """Stay until no program runs and nothing has turned or swung for a while; say what still turns at the end.

        In lockstep nobody moves the clock any more: it is moved, as fast as the plant can follow.
        """
        self.say("virtual bench", "parent gone" + ("; the controller's program still runs" if self._armed() else ""))
        begun, moved, quiet, most = clock.now(), 0.0, 0.0, self.plant.heartbeat_timeout + LINGER + DIES_AWAY
        while quiet < DIES_AWAY:
            armed, waited = self._armed(), clock.now() - begun
            free = self.clock.lockstep and (waited > LAST_WORDS or not armed)
            if (moved if self.clock.lockstep else waited) > most or ended.wait(0.0 if free else LOG_EVERY):
                break
            if free:
                with self.engine.lock:
                    self.engine.advance(self.engine.time + LOG_EVERY)
                moved += LOG_EVERY  # a clock that is moved is not to be out-waited by one on the wall, on a busy machine
            if free or not self.clock.lockstep:
                quiet = 0.0 if armed else quiet + LOG_EVERY
            self._write_log()
        self._say_what_turns()

    def _say_what_turns(self) -> None:
        with self.engine.lock:
            turning = self.plant.turning
        for name, speed in turning.items():
            self.say(name, f"still turns at {speed:.3g} rad/s when the bench ends", speed=speed)


def host(
    hardware: Hardware, port: int, log: TextIO, announce: Callable[[str], None], with_parent: bool = False, board: Path | None = None
) -> None:
    """Run simulated hardware until Ctrl-C, SIGTERM or the end of its terminal, or until the parent is gone, or hangs by the board of its
    run. Raises ConfigError."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    bench = VirtualBench(hardware, port, log)
    parent_watch.settled()
    ended, parent_gone = threading.Event(), threading.Event()

    if with_parent:
        threading.Thread(target=_follow_parent, args=(bench, parent_gone), daemon=True).start()
    if board is not None:
        threading.Thread(target=_follow_board, args=(board, parent_gone), daemon=True).start()
    with interruption.answered(lambda words: _end(ended)):
        announce(f"listening {bench.address}")
        for name, side in bench.serial.items():
            announce(f"serial {name} {side.url}")
        if with_parent:
            bench.tell_parent = announce
        bench.run(ended, parent_gone)


def _check_enabled(plant: RigPlant, setup: Setup) -> None:
    """Raise ConfigError for drives that never could have torque: an enable input that nothing is wired to is low."""
    wired = {*setup.wiring.values()}
    loose = [name for name in plant.digital_inputs if name.endswith("_enable") and name not in wired]
    if loose and plant.takes_sides:
        raise ConfigError(
            f"virtual bench: nothing is wired to {', '.join(loose)}, so what hangs on it would never have power; wire a digital output "
            "to it ([[wiring]]), or set enable_lines (of a load frame enable_input) = false in [plant]"
        )


def _end(ended: threading.Event) -> None:
    """End in order; a process that cannot, whatever keeps it, is ended all the same.

    A signal may come while this very thread waits for `ended` and has its lock, which it would wait for in vain: another one sets it.
    """
    last_resort = threading.Timer(LAST_RESORT, os._exit, (1,))
    last_resort.daemon = True
    last_resort.start()
    threading.Thread(target=ended.set, daemon=True).start()


def _check_free(port: int) -> None:
    """Raise ConfigError for a port in use, before the server's own library complains about it in words of its own."""
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        raise ConfigError(
            f"virtual bench: port {port} of {HOST} cannot be opened ({error.strerror}); choose another, or 0 for a free one"
        ) from error


def _follow_parent(bench: VirtualBench, gone: threading.Event) -> None:
    """What the parent says; the only thing that concerns simulated hardware is a fault that is to come now."""
    for line in sys.stdin:
        try:
            bench.injector.take(line)
        except (ValueError, TypeError, LookupError) as error:
            bench.say("injection", f"refused: {error}")
    gone.set()


def _follow_board(path: Path, gone: threading.Event) -> None:
    """A parent that has been stopped closes nothing; the bench worker, which has then brought everything to rest, ends before this does."""
    board = HeartbeatTable(path, ROWS)
    while board.silent(SUPERVISOR) < SUPERVISOR_SILENT or (board.reached("bench") != GONE and board.silent("bench") < SUPERVISOR_SILENT):
        time.sleep(LOOK_EVERY)
    gone.set()


def _board(run_dir: Path) -> Path | None:
    """File of the board of a run; calibrations and checks have none."""
    rings = json.loads((run_dir / "plan.json").read_text(encoding="utf-8")).get("rings")
    path = None if rings is None else Path(rings) / "board"
    return path if path is not None and path.exists() else None


def _announce(line: str) -> None:
    try:
        print(line, flush=True)
    except BrokenPipeError:  # the parent died while this was starting, which the end of standard input tells as well
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> int:
    """Entry point of a run's own virtual bench."""
    parser = argparse.ArgumentParser(prog="python -m rig.virtual.virtual_bench")
    parser.add_argument("--plan", required=True, type=Path, metavar="RUN_DIR")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--with-parent", action="store_true", help="end when standard input ends")
    args = parser.parse_args()
    try:
        host(read_plan(args.plan), args.port, sys.stderr, _announce, args.with_parent, _board(args.plan))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    gc.disable()  # until it is set up, as in the workers
    sys.exit(main())
