"""What happens when the program that drives a motor or loader dies at speed: each kind of instrument as a check that kills once.

Everything is judged by the device side: its own log, on the bench clock. Once it begins to stop, a motor coasts against its friction.
"""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from driving_child import ENABLE, SPEED
from numpy.typing import NDArray

from drivers.simulated.axes.modbus_drive import ModbusDrive
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.axes.speed_drive import SpeedDriveSide
from drivers.simulated.axes.tmcl import Tmcl, TmclMotor
from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.plant.load_frame import SmallFrame
from drivers.simulated.plant.plant import NoPlant
from drivers.simulated.plant.shaft import SERVO, ShaftParameters, SmallShaft
from drivers.simulated.serial.serial_device import TICK, Drive, SerialDevice
from drivers.simulated.serial.serial_side import SerialSide, Wire

CHILD = Path(__file__).with_name("driving_child.py")
ROOT = CHILD.parents[2]
START_PATIENCE = 60.0
"""s on the wall: a process that imports and connects on a machine that others use."""
MOMENTS = 1.0
"""s after it turns at speed in which the program is killed."""
DAQ_LATE = 0.02
"""s by which a watchdog's line may reach the drive later: the devices are looked at every few milliseconds."""
LOST = ("communication lost", "watchdog expired", "enable input low", "enable low", "waveform ended")
Figures = dict[str, float]


@dataclass
class Bench:
    """One instrument, its line, and the DAQ device that guards it where it needs one."""

    kind: str
    url: str
    address: str
    now: Callable[[], float]
    events: Callable[[], list[tuple[float, str]]]
    at_speed: Callable[[], bool]
    at_rest: Callable[[], bool]
    heard: Callable[[], float]
    coasting: float
    """Longest time (s) from the end of its torque to rest."""


class EnableWire(NoPlant):
    """A digital output that ends at the enable input of a drive."""

    digital_inputs = ("enable",)

    def __init__(self, side: SerialSide) -> None:
        self.side = side

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        with self.side.lock:
            self.side.device.set_enable(bool(lines[0]))  # type: ignore[attr-defined]
        return np.empty((len(times), 0))


def _coasting(shaft: ShaftParameters) -> float:
    """Coulomb friction alone stops it in this time (s)."""
    return 1.1 * SPEED * shaft.inertia / shaft.coulomb


@contextlib.contextmanager
def _served(engine: Engine) -> Iterator[str]:
    server = serve(engine, port=0)
    try:
        yield f"127.0.0.1:{server.port}"
    finally:
        server.stop(grace=0.1)


def _of_motor(kind: str, side: SerialSide, drive: Drive, device: SerialDevice, address: str = "-") -> Bench:
    parameters = drive.shaft.parameters  # type: ignore[attr-defined]
    return Bench(
        kind, side.url, address, lambda: drive.now, lambda: [(event.time, event.text) for event in drive.log],
        lambda: drive.shaft.velocity > 0.9 * SPEED, lambda: drive.resting, lambda: device.heard, _coasting(parameters),
    )  # fmt: skip


@contextlib.contextmanager
def modbus_bench() -> Iterator[Bench]:
    device = ModbusDrive(SmallShaft())
    with SerialSide(device, wire=Wire(19200, 11)) as side:
        yield _of_motor("modbus_drive", side, device, device)


@contextlib.contextmanager
def odrive_bench() -> Iterator[Bench]:
    device = ODrive(SmallShaft(SERVO))
    with SerialSide(device) as side:
        yield _of_motor("odrive", side, device.axes[0], device)


@contextlib.contextmanager
def tmcl_bench() -> Iterator[Bench]:
    device, clock = Tmcl(TmclMotor(SmallShaft())), BenchClock()
    with SerialSide(device, clock) as side, _served(_engine({ENABLE: "enable"}, EnableWire(side), clock)) as address:
        yield _of_motor("tmcl", side, device.motors[0], device, address)


def _engine(wiring: dict[str, str], plant: object, clock: BenchClock) -> Engine:
    return Engine([("Dev1", "PCIe-6363")], wiring, plant, clock)  # type: ignore[arg-type]


@contextlib.contextmanager
def analogue_bench() -> Iterator[Bench]:
    side = SpeedDriveSide(SmallShaft())
    wiring = {"Dev1/ao0": "speed_reference", "Dev1/ai0": "tachometer", ENABLE: "drive_enable", "Dev1/port1/line3": "drive_ok"}
    engine = _engine(wiring, side, BenchClock())
    with _served(engine) as address:
        yield Bench(
            "speed_drive", "-", address, lambda: engine.time, lambda: [(time, text) for time, _, text in side.events],
            lambda: side.shaft.velocity > 0.9 * SPEED, lambda: side.resting, lambda: engine.time, _coasting(ShaftParameters()),
        )  # fmt: skip


@contextlib.contextmanager
def instron_bench() -> Iterator[Bench]:
    device = Instron(SmallFrame())
    with SerialSide(device, wire=Wire(38400)) as side:
        yield Bench(
            "instron", side.url, "-", lambda: device.now, lambda: [(event.time, event.text) for event in device.log],
            lambda: device.wave_state == 1 and device.quarters > 4, lambda: not device.moving, lambda: device.heard, 0.2,
        )  # fmt: skip


BENCHES = {
    "modbus_drive": modbus_bench, "odrive": odrive_bench, "tmcl": tmcl_bench, "speed_drive": analogue_bench, "instron": instron_bench,
}  # fmt: skip


class NotStarted(RuntimeError):
    """Nothing turned, so there was nothing to kill: says nothing about how a death ends, and is told as a failure all the same."""


def kill(kind: str, dice: random.Random) -> Figures:
    """Start the program, kill it at a random moment at speed, and see the instrument come to rest within what it says."""
    with BENCHES[kind]() as bench:
        words = [sys.executable, str(CHILD), kind, bench.url, bench.address]
        child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            within = _turning(child)
            _until(bench.at_speed, "turning at speed", START_PATIENCE)
            time.sleep(dice.uniform(0.0, MOMENTS))
            assert not bench.at_rest() or kind == "instron", "it stopped before the program was killed"
            child.kill()
            child.wait()
            killed, heard = bench.now(), bench.heard()
            return _stopping(bench, within, killed, heard)
        finally:
            child.kill()
            child.wait()
            assert child.stdout is not None and child.stderr is not None
            child.stdout.close()
            child.stderr.close()


def _turning(child: subprocess.Popen[str]) -> float:
    assert child.stdout is not None and child.stderr is not None
    line = child.stdout.readline()  # ends when the program does
    if not line.startswith("turning "):
        raise NotStarted(f"the program that was to drive ended before it was killed: {line}{child.stderr.read()[-1000:]}")
    return float(line.split()[1])


def _stopping(bench: Bench, within: float, killed: float, heard: float) -> Figures:
    """The log after the death: the instrument lost the program in time, and came to rest, and stays so."""
    _until(lambda: any(text in LOST and time >= heard for time, text in bench.events()), "noticing the death", START_PATIENCE)
    lost = next(time for time, text in bench.events() if text in LOST and time >= heard)
    _until(bench.at_rest, "rest", START_PATIENCE)
    rest = max([time for time, text in bench.events() if text == "at rest"], default=lost)
    guarded = DAQ_LATE if bench.kind in ("tmcl", "speed_drive") else 0.0
    assert lost - max(heard, killed) <= within + guarded + 2 * TICK, (
        f"{bench.kind}: noticed after {lost - killed:.3f} s, {within:g} s stated"
    )
    assert rest - lost <= bench.coasting, f"{bench.kind}: at rest {rest - lost:.3f} s after that, {bench.coasting:.3f} s expected"
    end = bench.now() + 0.2
    _until(lambda: bench.now() >= end, "a while", START_PATIENCE)
    assert bench.at_rest(), f"{bench.kind}: it set off again"
    return {"stated_s": within, "noticed_s": lost - heard, "at_rest_s": rest - heard}


def _until(true: Callable[[], bool], what: str, patience: float) -> None:
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline, f"{what}: not within {patience:g} s"
        time.sleep(0.005)


DRIVER_DEATHS = {kind: partial(kill, kind) for kind in BENCHES}
