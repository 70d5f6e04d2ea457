"""Lines that a device lets fall when the session behind them falls silent, and a motor module that is enabled by one."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from waiting import until

from drivers.daq import guarded_lines
from drivers.daq.guarded_lines import GuardedLines
from drivers.errors import NotConnected
from drivers.simulated.axes.tmcl import Tmcl, TmclMotor
from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.plant.shaft import SERVO, SmallShaft
from drivers.simulated.serial.serial_side import SerialSide
from rig import commands
from tests.unit.rig.manual.talking_bench import AXIS, written

WATCHDOG, PATIENCE = 1.0, 20.0
LINE = "Dev1/port0/line6"


class OneMotor:
    """A line of the device ends at the enable input of a motor; `high` is what it was, newest last."""

    analogue_inputs: tuple[str, ...] = ()
    analogue_outputs: tuple[str, ...] = ()
    digital_inputs = ("enable",)
    digital_outputs: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.motor = TmclMotor(SmallShaft(SERVO))
        self.high: list[bool] = []

    def advance(self, times: NDArray[np.float64], volts: NDArray[np.float64], lines: NDArray[np.bool_]) -> NDArray[np.float64]:
        state = bool(lines[0])
        if self.high[-1:] != [state]:
            self.high.append(state)
            self.motor.set_enable(state)
        return np.zeros((len(times), 0))

    def read_lines(self) -> NDArray[np.bool_]:
        return np.zeros(0, dtype=np.bool_)

    def take_events(self) -> list[tuple[float, str, str]]:
        return []


@pytest.fixture
def plant() -> OneMotor:
    return OneMotor()


@pytest.fixture
def address(plant: OneMotor) -> Iterator[str]:
    engine = Engine([("Dev1", "PCIe-6363")], {LINE: "enable"}, plant, BenchClock("real"))
    server = serve(engine)
    yield f"127.0.0.1:{server.port}"
    server.stop()
    assert not engine.tasks


def stays_high(lines: GuardedLines, plant: OneMotor, seconds: float) -> None:
    """With signs of life all the time."""
    lines.write_lines({"crank_enable": True})
    until(lambda: plant.high[-1:] == [True], "high")
    begin = time.monotonic()
    while time.monotonic() < begin + seconds:
        lines.alive()
        time.sleep(0.02)
    assert plant.high[-1], "the watchdog was reset meanwhile"


def test_high_as_long_as_there_are_signs_of_life(plant: OneMotor, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_lines, "PATIENCE", 1.5)
    lines = GuardedLines("Dev1", {"crank_enable": LINE}, WATCHDOG, address)
    lines.open()
    stays_high(lines, plant, 3.0)
    until(lambda: not plant.high[-1], "fallen without a sign of life")
    lines.close()


def test_a_device_that_takes_long_to_open_is_guarded_as_any_other(plant: OneMotor, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_lines, "PATIENCE", 1.5)
    at_once = guarded_lines.Lines.open

    def late(lines: guarded_lines.Lines) -> None:
        time.sleep(2.0)
        at_once(lines)

    monkeypatch.setattr(guarded_lines.Lines, "open", late)
    lines = GuardedLines("Dev1", {"crank_enable": LINE}, WATCHDOG, address)
    lines.open()
    time.sleep(0.5)  # less than the watchdog waits, and the thread has looked
    stays_high(lines, plant, 2.0)
    assert lines.close() == []


def test_a_session_that_speaks_again_in_time_keeps_its_line(plant: OneMotor, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_lines, "PATIENCE", 0.3)
    lines = GuardedLines("Dev1", {"crank_enable": LINE}, 2.0, address)
    lines.open()
    time.sleep(0.8)  # the thread has looked in vain
    stays_high(lines, plant, 3.5)
    assert lines.close() == []


def test_low_at_the_end(plant: OneMotor, address: str) -> None:
    lines = GuardedLines("Dev1", {"crank_enable": LINE}, WATCHDOG, address)
    lines.open()
    lines.write_lines({"crank_enable": True})
    until(lambda: plant.high[-1:] == [True], "high")
    assert lines.close() == []
    until(lambda: not plant.high[-1], "low")


def test_what_cannot_be_guarded_is_said_and_nothing_is_held(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = GuardedLines("Dev7", {"crank_enable": "Dev7/port0/line6"}, WATCHDOG, address)
    with pytest.raises(Exception, match="guarding Dev7/port0/line6"):
        lines.open()
    monkeypatch.setattr("drivers.daq.session.CONNECT_TIMEOUT", 0.3)
    with pytest.raises(NotConnected, match=r"no device server answers at 127\.0\.0\.1:9"):
        GuardedLines("Dev1", {"crank_enable": LINE}, WATCHDOG, "127.0.0.1:9").open()


def test_a_session_with_a_module_that_has_no_time_out_of_its_own(
    plant: OneMotor, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with SerialSide(Tmcl(plant.motor)) as side:
        axis = AXIS.format(name="crank", kind="tmcl", port=side.url, keys=f'reply_timeout = "1 s"\nenable_line = "{LINE}"')
        path = written(tmp_path, axis, f'address = "{address}"', f'watchdog = "{WATCHDOG} s"')
        monkeypatch.setattr("sys.stdin", io.StringIO("enable\nmove 5 deg\nstop\n"))
        assert commands.main(["talk", str(path)]) == 0
    told = capsys.readouterr()
    assert f"without this program it stops within {2.0 + WATCHDOG:g} s" in told.err
    assert "moved 5.00 deg, asked 5.00 deg" in told.err
    until(lambda: plant.high[-2:] == [True, False], "enabled, then low")
