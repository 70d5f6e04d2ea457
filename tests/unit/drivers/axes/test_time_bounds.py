"""However long its time-outs are and however many axes hang on a line: one that says nothing, or nonsense, for ever is told to be so within
10 s when it is reached, and keeps a test that has been tripped from its end for 30 s at the most."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from motor_lines import with_power
from spoilt_lines import Lines, guard

from drivers.axes import modbus_drive, odrive, tmcl
from drivers.axes.axis import Guard
from drivers.errors import BadReply, DriverError, NoReply
from drivers.loaders import instron
from drivers.simulated.axes.modbus_drive import ModbusDrive
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.axes.tmcl import Tmcl, TmclMotor
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.plant.load_frame import SmallFrame
from drivers.simulated.plant.shaft import SERVO, SmallShaft
from drivers.simulated.serial.serial_bus import SerialBus
from rig.workers.bench import endings
from tests.tiers import quick

CONNECT, END = 10.0, 30.0  # s, as docs/motors.md states them
HOW = ("silent", "nonsense", "babbles", "text")
TIMEOUTS = (0.2, 2.5, 40.0)  # s: a quick drive's, one that hangs now and then, and one that somebody has set without a thought
BRAKING = 4.0  # s in which a drive that is braking is asked how fast it still turns
ASKED = 0.02


def one_modbus(lines: Lines, timeout: float, name: str = "COM1", address: int = 1) -> Any:
    lines.ports.get(name) or lines.add(name, ModbusDrive(SmallShaft(), address))
    return modbus_drive.Config(name, reply_timeout=timeout, address=address, max_speed=10.0).create(f"motor{address}")


def one_odrive(lines: Lines, timeout: float, name: str = "COM1") -> Any:
    lines.add(name, ODrive(SmallShaft(SERVO)))
    return odrive.Config(name, reply_timeout=timeout, max_speed=10.0, max_torque=100.0).create(name)


def one_tmcl(lines: Lines, timeout: float, name: str = "COM1") -> Any:
    lines.add(name, Tmcl(TmclMotor(SmallShaft())))
    config = tmcl.Config(name, reply_timeout=timeout, max_speed=10.0, enable_line="Dev1/port0/line6")
    return config.create(name, Guard(guard(), 0.3))


def one_instron(lines: Lines, timeout: float, name: str = "COM1") -> Any:
    lines.add(name, Instron(SmallFrame()))
    return instron.Config(name, reply_timeout=timeout).create("force", name)


DRIVES: dict[str, Callable[[Lines, float], Any]] = {"modbus": one_modbus, "odrive": one_odrive, "tmcl": one_tmcl}


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    return Lines(monkeypatch)


@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", [*DRIVES, "instron"])
def test_it_is_told_at_connect(lines: Lines, kind: str, how: str, timeout: float) -> None:
    driver = (DRIVES | {"instron": one_instron})[kind](lines, timeout)
    lines.spoil(how)
    begun = lines.clock.now
    with pytest.raises((NoReply, BadReply), match=driver.where.replace("(", r"\(").replace(")", r"\)")):
        driver.connect()
    driver.close()
    assert lines.clock.now - begun < CONNECT


@pytest.mark.parametrize("kind", [*DRIVES, "instron"])
def test_one_that_is_always_late_is_told_while_it_is_set_up(lines: Lines, kind: str) -> None:
    """Each answer comes in time, hardly, and there are a hundred."""
    driver = (DRIVES | {"instron": one_instron})[kind](lines, 2.5)
    driver.connect()
    lines.spoil("late", patience=2.4)
    begun = lines.clock.now
    with pytest.raises(NoReply, match=r"setting it up may take 10 s of waiting in all, which are over"):
        driver.prepare("velocity") if kind != "instron" else driver.prepare()
    assert lines.clock.now - begun < CONNECT + 2.0


def stopped(axis: Any, lines: Lines) -> None:
    """What the thread of an axis does after a trip."""
    with contextlib.suppress(DriverError):
        axis.quick_stop()
    until = lines.clock.now + BRAKING
    while lines.clock.now < until:
        with contextlib.suppress(BadReply, NoReply):
            axis.feedback()
        lines.clock.sleep(ASKED)


def closed(axis: Any) -> list[str]:
    try:
        return list(axis.close())
    except DriverError as error:
        return [str(error)]


@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize("how", quick(HOW, 2))
@pytest.mark.parametrize("kind", DRIVES)
def test_it_does_not_keep_a_tripped_test_from_its_end(lines: Lines, kind: str, how: str, timeout: float) -> None:
    axis = with_power(DRIVES[kind](lines, timeout))
    axis.command(2.0)
    lines.spoil(how)
    begun = lines.clock.now
    endings.hurry({0: axis})
    with pytest.raises(DriverError):
        axis.command(2.0)
    stopped(axis, lines)
    complaints = endings.end_all({0: axis}, lambda k: closed(axis))
    assert complaints and lines.clock.now - begun < END


@pytest.mark.parametrize("how", quick(HOW, 1))
@pytest.mark.parametrize("number", [2, 12])
def test_nor_do_many_axes_on_one_line(lines: Lines, how: str, number: int) -> None:
    """Their time-outs are one after the other; what they wait together is bounded, not what each does."""
    lines.add("COM1", SerialBus(*(ModbusDrive(SmallShaft(), address) for address in range(1, number + 1))))
    axes = {k: one_modbus(lines, 2.5, address=k + 1) for k in range(number)}
    for axis in axes.values():
        with_power(axis)
    lines.spoil(how)
    begun = lines.clock.now
    endings.hurry(axes)
    for axis in axes.values():
        with contextlib.suppress(DriverError):
            axis.quick_stop()
    complaints = endings.end_all(axes, lambda k: closed(axes[k]))
    assert len(complaints) >= number and lines.clock.now - begun < END


@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("end", ["trip", "release", "close"])
def test_nor_does_a_loader(lines: Lines, how: str, timeout: float, end: str) -> None:
    loader = one_instron(lines, timeout)
    loader.connect()
    loader.prepare()
    loader.start_waveform("sine", 3.0, 1e3, 1000)
    lines.spoil(how)
    begun = lines.clock.now
    with contextlib.suppress(DriverError):
        getattr(loader, end)()
    loader.close()
    assert lines.clock.now - begun < END


def test_what_is_said_of_a_stop_is_said_all_the_same(lines: Lines) -> None:
    """Nothing is waited for any more, but a drive that hears and cannot answer still gets its quick stop."""
    axis = with_power(one_modbus(lines, 2.5))
    lines.spoil("silent")
    axis.line.limit(endings.Allowance(0.0, "stopping it"))
    with pytest.raises(NoReply, match=r"stopping it may take 0 s of waiting in all, which are over; look at the cable"):
        axis.quick_stop()
    assert lines.ports["COM1"].device.state in ("quick stop active", "switch on disabled")  # type: ignore[attr-defined]


def test_a_healthy_line_is_not_limited(lines: Lines) -> None:
    """What is granted is for waiting; a thousand answers that come at once are none."""
    axis = with_power(one_odrive(lines, 0.1))
    endings.hurry({0: axis})
    for _ in range(1000):
        axis.feedback()
    axis.quick_stop()
    assert axis.close() == []
