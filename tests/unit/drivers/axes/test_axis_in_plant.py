"""A serial drive and a DAQ device on one bench clock: the plant takes the drive along, in lockstep with the samples that are read."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from motor_lines import with_power
from numpy.typing import NDArray

from drivers.axes import modbus_drive
from drivers.daq import ni_daq
from drivers.daq.wiring import Input, Wiring
from drivers.simulated.axes.modbus_drive import ModbusDrive
from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.plant.plant import NoPlant
from drivers.simulated.plant.shaft import SmallShaft
from drivers.simulated.serial.serial_device import TICK
from drivers.simulated.serial.serial_side import SerialSide

RATE, BLOCK = 10e3, 100


class TachometerPlant(NoPlant):
    """The drive's shaft with a tachometer of 10 rad/s per V."""

    analogue_outputs = ("tachometer",)

    def __init__(self, side: SerialSide, shaft: SmallShaft) -> None:
        self.side, self.shaft = side, shaft
        self._tick = 0

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        out = np.empty((len(times), 1))
        for row, at in enumerate(times):
            if (tick := int(at / TICK + 1e-6)) > self._tick:
                self._tick = tick
                self.side.update(float(at))
            out[row, 0] = self.shaft.velocity / 10.0
        return out

    def take_events(self) -> list[tuple[float, str, str]]:
        return self.side.device.take_events()


@pytest.fixture
def bench() -> Iterator[tuple[SerialSide, ModbusDrive, ni_daq.NiDaq, Engine]]:
    clock, shaft = BenchClock("lockstep"), SmallShaft()
    device = ModbusDrive(shaft)
    with SerialSide(device, clock, paced=False) as side:
        wiring = {"Dev1/ai0": "tachometer"}
        engine = Engine([("Dev1", "PCIe-6363")], wiring, TachometerPlant(side, shaft), clock)
        server = serve(engine, port=0)
        inputs = (Input("speed", "Dev1/ai0", gain=10.0),)
        lines = {"out": "Dev1/port0/line0"}
        wired = Wiring(inputs, ("Dev1/ao0",), lines, {"in": "Dev1/port1/line0"}, {"out": False})
        daq = ni_daq.Config().create(wired, f"127.0.0.1:{server.port}")
        daq.connect()
        daq.open(RATE, BLOCK, 5 * BLOCK)
        yield side, device, daq, engine
        assert daq.close() == []
        server.stop(grace=0.1)


def test_one_clock_for_samples_and_serial_timers(bench: tuple[SerialSide, ModbusDrive, ni_daq.NiDaq, Engine]) -> None:
    side, device, daq, engine = bench
    axis = with_power(modbus_drive.Config(side.url, max_speed=60.0, acceleration=100.0, timeout=0.5).create("crank"))
    daq.start_inputs()
    axis.command(50.0)
    speeds = []
    for _ in range(100):  # 1 s
        speeds.append(daq.read(BLOCK)[:, 0])
        axis.feedback()
    speed = np.concatenate(speeds)
    at = np.arange(len(speed)) / RATE
    rising = (at > 0.1) & (at < 0.45)
    assert np.polyfit(at[rising], speed[rising], 1)[0] == pytest.approx(100.0, rel=0.02), "the drive's ramp, by the DAQ's samples"
    assert speed[-1] == pytest.approx(50.0, rel=0.01)
    silent = len(speed) / RATE
    after = np.concatenate([daq.read(BLOCK)[:, 0] for _ in range(400)])
    lost = device.since("communication lost")
    assert lost == pytest.approx(device.heard + 0.5, abs=2 * TICK)
    begins = np.argmax(after < 0.98 * speed[-1]) / RATE
    assert begins == pytest.approx(lost - silent, abs=0.06), "and seen by the DAQ"
    assert after[-1] == 0.0
    assert ("drive", "communication lost") in [(source, text) for _, source, text in engine.take_events()]
    assert axis.close() == []


def test_a_request_finds_the_plant_where_time_is() -> None:
    """In real pace the plant is worked out every few milliseconds; a setpoint acts from the moment at which it came all the same."""
    clock, shaft = BenchClock("real", longest_gap=10.0), SmallShaft()
    device = ModbusDrive(shaft)
    with SerialSide(device, clock, paced=False) as side:
        engine = Engine([("Dev1", "PCIe-6363")], {"Dev1/ai0": "tachometer"}, TachometerPlant(side, shaft), clock)
        side.bring_up = engine.bring_up
        clock.start()
        drive = modbus_drive.Config(side.url, pole_pairs=2, max_speed=100.0).create("crank")
        drive.connect()
        for _ in range(5):
            time.sleep(0.02)
            asked = clock.now()
            assert device.now < asked - 0.015
            drive.fault()
            assert device.now >= asked - 2 * TICK
        drive.close()
        engine.close()
