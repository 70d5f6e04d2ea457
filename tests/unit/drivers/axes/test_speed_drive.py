"""The analogue drive through a simulated DAQ device: scaling, lines in order, faults, and what stops it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from drivers.axes.analog_axis import input_lines, output_lines
from drivers.axes.speed_drive import Config, SpeedDrive
from drivers.daq import ni_daq
from drivers.daq.wiring import Input, Wiring
from drivers.errors import Refused
from drivers.simulated.axes.speed_drive import SpeedDriveSide
from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.plant.shaft import ShaftParameters, SmallShaft

CONFIG = Config(reset="Dev1/port0/line7")
WIRING = {
    "Dev1/ao0": "speed_reference", "Dev1/ai0": "tachometer", "Dev1/port0/line6": "drive_enable", "Dev1/port0/line7": "drive_reset",
    "Dev1/port1/line3": "drive_ok",
}  # fmt: skip
WATCHDOG = 0.2


@pytest.fixture
def plant() -> SpeedDriveSide:
    return SpeedDriveSide(SmallShaft())


@pytest.fixture
def engine(plant: SpeedDriveSide) -> Iterator[Engine]:
    engine = Engine([("Dev1", "PCIe-6363")], WIRING, plant, BenchClock("lockstep"))
    server = serve(engine, port=0)
    engine.address = f"127.0.0.1:{server.port}"  # type: ignore[attr-defined]
    yield engine
    server.stop(grace=0.1)


@pytest.fixture
def daq(engine: Engine) -> Iterator[ni_daq.NiDaq]:
    outputs = output_lines(CONFIG, "crank")
    wiring = Wiring(
        (Input("speed", "Dev1/ai0", gain=10.0),),
        (CONFIG.output,),
        outputs,
        input_lines(CONFIG, "crank"),
        dict.fromkeys(outputs, False),
    )
    daq = ni_daq.Config(watchdog=WATCHDOG).create(wiring, engine.address)  # type: ignore[attr-defined]
    daq.connect()
    daq.open(10e3, 100, 500)
    daq.start_watchdog()
    yield daq
    assert daq.close() == []


@pytest.fixture
def drive(daq: ni_daq.NiDaq) -> SpeedDrive:
    return CONFIG.create(daq, WATCHDOG, "crank")


def run(engine: Engine, daq: ni_daq.NiDaq, seconds: float) -> None:
    for _ in range(round(seconds / 0.05)):
        daq.reset_watchdog()
        with engine.lock:
            engine.advance(engine.time + 0.05)


def turning(engine: Engine, daq: ni_daq.NiDaq, drive: SpeedDrive, speed: float = 50.0) -> None:
    drive.prepare()
    daq.hold_output(float(drive.volts(np.array([0.0]))[0]))
    drive.enable()
    daq.set_output(float(drive.volts(np.array([speed]))[0]))
    run(engine, daq, 0.6)


def test_it_turns_as_fast_as_commanded(engine: Engine, daq: ni_daq.NiDaq, drive: SpeedDrive, plant: SpeedDriveSide) -> None:
    turning(engine, daq, drive)
    assert plant.shaft.velocity == pytest.approx(50.0, rel=0.01)
    daq.start_inputs()
    assert daq.read(200)[:, 0] == pytest.approx(50.0, rel=0.01)
    assert drive.fault() is None
    drive.disable()
    run(engine, daq, 4.0)
    assert plant.resting


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("offset", [0.0, 0.02])
def test_scaling_both_ways(direction: str, offset: float) -> None:
    drive = SpeedDrive(replace(CONFIG, direction=direction, offset=offset), None, None)  # type: ignore[arg-type]
    speeds = np.linspace(-99.0, 99.0, 7)
    volts = drive.volts(speeds)
    assert [drive.speed(float(v)) for v in volts] == pytest.approx(list(speeds))
    assert (volts[-1] > 0) == (direction == "forward")
    assert np.max(np.abs(volts)) <= 10.0
    assert drive.volts(np.empty(0)).shape == (0,)
    for wrong in (120.0, np.nan):
        with pytest.raises(Refused, match="max_speed 100 rad/s at 10 V"):
            drive.volts(np.array([0.0, wrong]))


def test_without_a_watchdog_it_is_refused(daq: ni_daq.NiDaq) -> None:
    with pytest.raises(Refused, match=r"its reference keeps its last value: set daq\.watchdog"):
        CONFIG.create(daq, None, "crank").prepare()


def test_the_watchdog_stops_it(engine: Engine, daq: ni_daq.NiDaq, drive: SpeedDrive, plant: SpeedDriveSide) -> None:
    turning(engine, daq, drive)
    silent = engine.time
    with engine.lock:
        engine.advance(engine.time + 5.0)
    assert plant.resting
    lost = next(time for time, _, text in plant.events if text == "enable low" and time > 0.5)
    assert 0.0 <= lost - silent <= drive.stops_within + 0.002


def test_a_fault_is_told_and_reset(engine: Engine, daq: ni_daq.NiDaq, drive: SpeedDrive, plant: SpeedDriveSide) -> None:
    turning(engine, daq, drive)
    plant.fail("overtemperature")
    run(engine, daq, 0.1)
    assert "crank_ok on Dev1/port1/line3 is low" in str(drive.fault())
    with pytest.raises(Refused, match="clear its cause"):
        drive.prepare()
    drive.reset_fault()
    drive.prepare()
    with pytest.raises(Refused, match="no reset line"):
        replace(CONFIG, reset=None).create(daq, WATCHDOG, "crank").reset_fault()


def test_an_overloaded_drive_trips(engine: Engine, daq: ni_daq.NiDaq, drive: SpeedDrive, plant: SpeedDriveSide) -> None:
    plant.shaft = SmallShaft(ShaftParameters(), load=50.0)
    turning(engine, daq, drive)
    assert not plant.ok and ("overload" in [text for _, _, text in plant.events])
