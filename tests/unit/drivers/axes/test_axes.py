"""What every axis does, whatever drive it has: units, order, a line that spoils bytes, a cable that is pulled, a program that is silent."""

from __future__ import annotations

import inspect
import math
import threading
from collections.abc import Callable, Iterator

import pytest
from axis_rigs import BUILDERS, SILENCE, AxisRig, axis_rig
from motor_lines import EnableLine, advance_until, with_power

from drivers.axes import axis as drivers_axis
from drivers.axes import tmcl
from drivers.axes.axis import Axis, Guard, Positioner
from drivers.errors import BadReply, NoReply, NotConnected, Refused
from drivers.simulated.axes.tmcl import Tmcl, TmclMotor
from drivers.simulated.clock import BenchClock
from drivers.simulated.plant.shaft import SmallShaft
from drivers.simulated.serial.serial_bus import SerialBus
from drivers.simulated.serial.serial_side import Fault, SerialSide
from tests.each_row import each_row

FAULTS = {
    "garbled": (BadReply, "wrong checksum|without a checksum|cut short"),
    "cut": (BadReply, "cut short"),
    "doubled": (BadReply, "wrong checksum|cut short"),
    "another_address": (BadReply, "2 answered, .* 1 was asked; no two"),
    "delayed": (NoReply, "no reply"),
    "silent": (NoReply, "no reply"),
}


@pytest.fixture(params=BUILDERS)
def rig(request: pytest.FixtureRequest) -> Iterator[AxisRig]:
    with axis_rig(request.param) as rig:
        yield rig


def cases() -> list[tuple[str, str]]:
    """Kinds and faults; the ODrive's lines bear no address."""
    return [(kind, fault) for kind in BUILDERS for fault in FAULTS if (kind, fault) != ("odrive", "another_address")]


def held_back(side: SerialSide, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A delayed answer sets out once this is set, however long who waits for it in vain stands still meanwhile."""
    free, send_late = threading.Event(), side._send_late

    def late(reply: bytes, seconds: float, send: Callable[[bytes], object]) -> None:
        free.wait(30.0)
        send_late(reply, seconds, send)

    monkeypatch.setattr(side, "_send_late", late)
    return free


@pytest.mark.parametrize(("kind", "fault"), cases())
def test_a_spoilt_reply_stops_the_axis_and_says_so(kind: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    silence = 1.0 if fault == "delayed" else SILENCE  # s, within which the answer that is late has to come then
    with axis_rig(kind, silence=silence) as rig:
        free = held_back(rig.side, monkeypatch)
        rig.start()
        rig.until(lambda: rig.axis.feedback().velocity > 6.0, "turning")
        error, words = FAULTS[fault]
        rig.side.fault = Fault(fault, seconds=0.2 * silence)
        with pytest.raises(error, match=words) as told:
            rig.axis.feedback()
        text = str(told.value)
        assert text.startswith("motor (") and rig.side.url in text and "look at the cable" in text and "\n" not in text
        assert "quick stop done" in text
        assert rig.axis.stopped_by.startswith("an error while")
        with pytest.raises(Refused, match="reset the fault"):
            rig.axis.command(1.0)
        free.set()
        rig.axis.reset_fault()  # the delayed answer comes now, and is not taken for that of the next question
        rig.until(lambda: rig.drive.resting, "rest")
        rig.axis.enable()
        rig.axis.command(3.0)
        rig.until(lambda: abs(rig.axis.feedback().velocity - 3.0) < 0.3, "going on")


def test_a_setpoint_that_is_not_answered_stops_the_axis(rig: AxisRig) -> None:
    rig.start()
    rig.until(lambda: rig.axis.feedback().velocity > 6.0, "turning")
    rig.side.fault = Fault("silent")
    with pytest.raises(NoReply, match="quick stop done"):
        rig.axis.command(7.0)
    rig.until(lambda: rig.drive.resting, "rest")


def test_where_the_enable_line_cannot_be_written_the_quick_stop_is_tried_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies are lost, requests arrive, and the DAQ device is gone: what is left is the line to the drive."""
    with axis_rig("tmcl") as rig:
        rig.start()
        rig.until(lambda: rig.axis.feedback().velocity > 6.0, "turning")

        def gone(states: object) -> None:
            raise NotConnected("DAQ: gone")

        monkeypatch.setattr(rig.axis._guard.lines, "write_lines", gone)
        rig.side.fault = Fault("silent", replies=10**6)
        words = r"not confirmed: its enable line was not written \(DAQ: gone\), the drive stops by itself within"
        with pytest.raises(NoReply, match=words):
            rig.axis.command(7.0)
        rig.until(lambda: rig.drive.resting, "rest, by the quick stop")
        monkeypatch.undo()
        rig.side.fault = None


def test_unplugged_and_back(rig: AxisRig) -> None:
    rig.start()
    rig.until(lambda: rig.axis.feedback().velocity > 6.0, "turning")
    rig.side.unplug()
    ends = "its enable line has fallen, it has no power" if rig.axis.output_lines else r"the drive stops by itself within 0\.3 s"
    with pytest.raises(NotConnected, match=f"not confirmed.*{ends}"):
        for _ in range(100):
            rig.axis.feedback()
    rig.until(lambda: rig.drive.resting, "rest without a word from the program")
    with pytest.raises(NotConnected, match="is it plugged in"):
        rig.axis.connect()
    rig.side.plug()
    rig.axis.connect()
    assert rig.axis.fault() is not None
    rig.axis.reset_fault()
    rig.axis.prepare("velocity")
    rig.axis.enable()
    rig.axis.command(5.0)
    rig.until(lambda: rig.speed > 4.0, "turning again")


@pytest.mark.parametrize("state", ["connected", "prepared", "enabled", "turning", "stopped", "unplugged"])
def test_closing_from_any_state(rig: AxisRig, state: str) -> None:
    rig.axis.connect()
    if state != "connected":
        rig.axis.prepare("velocity")
    if state in ("enabled", "turning", "stopped", "unplugged"):
        rig.axis.enable()
    if state in ("turning", "stopped", "unplugged"):
        rig.axis.command(8.0)
        rig.until(lambda: rig.axis.feedback().velocity > 6.0, "turning")
    if state == "stopped":
        rig.axis.quick_stop()
    if state == "unplugged":
        rig.side.unplug()
    complaints = rig.axis.close()
    assert (complaints != []) == (state == "unplugged" and rig.kind != "none")
    assert rig.axis.close() == []
    rig.until(lambda: rig.drive.resting, "rest")


def test_order(rig: AxisRig) -> None:
    with pytest.raises(NotConnected, match="connect first"):
        rig.axis.feedback()
    rig.axis.connect()
    assert rig.axis.identity()
    with pytest.raises(Refused, match="prepare it first"):
        rig.axis.enable()
    with pytest.raises(Refused, match="mode must be one of"):
        rig.axis.prepare("sideways")
    rig.axis.prepare("velocity")
    with pytest.raises(Refused, match="enable it first"):
        rig.axis.command(1.0)
    rig.axis.enable()
    for speed in (10.1, -10.1, math.nan, math.inf):
        with pytest.raises(Refused, match=r"max_speed = 10 rad/s"):
            rig.axis.command(speed)
    assert rig.axis.fault() is None


def test_enabled_it_holds(rig: AxisRig) -> None:
    with_power(rig.axis, rig.axis.modes[0])
    for n in range(20):
        rig.axis.feedback()
        rig.side.advance(0.01 + 0.01 * n)
        assert abs(rig.drive.shaft.velocity) < 0.05


@each_row("kind", BUILDERS)
@each_row("gear", [1.0, 4.0, -4.0])
def test_speed_and_sign_behind_a_gear(kind: str, gear: float) -> None:
    with axis_rig(kind, gear) as rig:
        rig.start(value=4.0)
        rig.until(lambda: abs(rig.axis.feedback().velocity - 4.0) < 0.1 and abs(rig.speed - 4.0) < 0.2, "4 rad/s")
        assert rig.drive.shaft.velocity * gear > 0.0


@pytest.mark.parametrize("kind", ["odrive", "tmcl"])
@pytest.mark.parametrize("gear", [1.0, -4.0])
def test_position_behind_a_gear(kind: str, gear: float) -> None:
    with axis_rig(kind, gear) as rig:
        rig.start("position", 0.0)
        rig.axis.move_to(1.2)
        rig.until(lambda: abs((rig.axis.feedback().position or 0.0) - 1.2) < 0.01, "1.2 rad")
        rig.until(lambda: rig.drive.resting, "rest")
        assert rig.drive.shaft.position / gear == pytest.approx(1.2, abs=0.02)


def test_a_silent_program(rig: AxisRig) -> None:
    """For a guarded line the DAQ's watchdog acts, here by hand."""
    rig.start()
    rig.until(lambda: rig.axis.feedback().velocity > 6.0, "turning")
    heard = rig.drive.now
    if rig.kind == "tmcl":
        rig.until(lambda: rig.drive.now > heard + rig.axis.stops_within, "the DAQ's watchdog")
        rig.side.device.set_enable(False)  # type: ignore[attr-defined]
    rig.until(lambda: rig.drive.resting, "rest")
    lost = max(rig.drive.since(text) or 0.0 for text in ("communication lost", "watchdog expired", "enable input low"))
    assert heard - 0.02 < lost
    if rig.kind != "tmcl":
        assert lost - heard <= rig.axis.stops_within + 0.01
    if rig.kind == "tmcl":  # it does not know of its enable input
        return
    with pytest.raises(Refused, match=r"SLF1|watchdog timer expired"):
        rig.axis.feedback()
    with pytest.raises(Refused, match="reset the fault"):
        rig.axis.command(1.0)


def test_a_line_that_is_too_slow(rig: AxisRig) -> None:
    rig.axis.connect()
    with pytest.raises(Refused, match=r"a second; 1e\+06 are wanted: raise the baud rate, or stream fewer"):
        rig.axis.prepare("velocity", rate=1e6)
    rig.axis.prepare("velocity", rate=2.0)
    timing = rig.axis.line.timing
    assert 0.0 < timing.median <= timing.p99 and timing.n > 20


@pytest.mark.parametrize(("took", "fits"), [((0.02, 0.03, 0.009), True), ((0.03, 0.02, 0.03, 0.04), False)])
def test_a_computer_that_is_slow_for_a_while_is_no_slow_line(monkeypatch: pytest.MonkeyPatch, took: tuple[float, ...], fits: bool) -> None:
    """Timed while other processes start up, of two cores: the quickest round is the line's."""
    with axis_rig("odrive") as rig:
        times = iter(took)
        monkeypatch.setattr(rig.axis, "cycle_time", lambda: next(times))
        monkeypatch.setattr(drivers_axis, "BETWEEN_ROUNDS", 0.0)
        rig.axis.connect()
        if fits:
            rig.axis.prepare("velocity", rate=100.0)
        else:
            with pytest.raises(Refused, match=r"takes 20\.0 ms on this line, so 50\.0 a second; 100 are wanted"):
                rig.axis.prepare("velocity", rate=100.0)
        assert list(times) == []


def test_dead_before_it_begins(rig: AxisRig) -> None:
    """A drive that answers nothing, from the first word on, at each call."""
    rig.start()
    rig.side.fault = Fault("silent", replies=10**6)
    for call in (rig.axis.feedback, rig.axis.fault, rig.axis.quick_stop, rig.axis.reset_fault, rig.axis.disable):
        with pytest.raises(NoReply, match=r"^motor \("):
            call()


@pytest.mark.parametrize("kind", BUILDERS)
def test_lockstep_is_exact_however_time_is_cut(kind: str) -> None:
    found = []
    for cuts in (1, 7, 500):
        with axis_rig(kind) as rig:
            rig.start(value=5.0)
            for cut in range(cuts):
                rig.side.advance(0.05 + 0.2 * (cut + 1) / cuts)
            found.append((rig.drive.shaft.velocity, rig.drive.shaft.position, tuple(rig.drive.log)))
    assert found[0] == found[1] == found[2]
    assert found[0][0] > 2.0


@pytest.mark.parametrize("kind", BUILDERS)
def test_it_has_all_that_an_axis_has(kind: str) -> None:
    with axis_rig(kind) as rig:
        wanted = Axis if kind == "modbus_drive" else Positioner
        for name in (name for name in dir(wanted) if not name.startswith("_")):
            ours = getattr(rig.axis, name)
            if callable(ours):
                theirs = list(inspect.signature(getattr(wanted, name)).parameters.values())[1:]
                assert [(one.name, one.default) for one in inspect.signature(ours).parameters.values()] == [
                    (t.name, t.default) for t in theirs
                ]


@pytest.mark.parametrize("kind", ["odrive", "tmcl"])
def test_a_move_and_then_setpoints(kind: str) -> None:
    """The next setpoint ends the move, and is taken as it is."""
    with axis_rig(kind) as rig:
        rig.start("position", 0.0)
        rig.axis.move_to(1.0)
        assert not rig.axis.arrived()
        rig.until(lambda: (rig.axis.feedback(), rig.axis.arrived())[1], "1 rad")
        assert rig.axis.feedback().position == pytest.approx(1.0, abs=0.05)
        rig.axis.move_to(-3.0)
        rig.axis.command(1.0)
        rig.until(
            lambda: abs((rig.axis.feedback().position or 0.0) - 1.0) < 0.01 and abs(rig.axis.feedback().velocity) < 0.01, "1 rad again"
        )


@pytest.mark.parametrize("kind", ["odrive", "tmcl"])
@pytest.mark.parametrize("position", [math.nan, math.inf])
def test_a_move_to_nowhere_is_refused(kind: str, position: float) -> None:
    with axis_rig(kind) as rig:
        rig.start("position", 0.0)
        with pytest.raises(Refused, match=rf"^motor \(.*{position}"):
            rig.axis.move_to(position)
        assert rig.axis.fault() is None


def test_three_modules_on_one_pair_of_wires() -> None:
    """Each has its own driver and address; the port is shared, one that turns leaves the others alone."""
    addresses = (1, 3, 4)  # 2 is where replies go to
    modules = [Tmcl(TmclMotor(SmallShaft()), address=address) for address in addresses]
    with SerialSide(SerialBus(*modules), BenchClock("lockstep")) as side:
        axes = []
        for address, module in zip(addresses, modules, strict=True):
            config = tmcl.Config(side.url, baud=115200, address=address, enable_line="Dev1/port0/line6")
            axes.append(config.create(f"axis {address}", Guard(EnableLine(module), 1.0)))
        for axis in axes:
            with_power(axis, "position")
        for axis, position in zip(axes, (0.1, 0.2, 0.3), strict=True):
            axis.command(position)
        for axis, position in zip(axes, (0.1, 0.2, 0.3), strict=True):
            advance_until(side, axis.arrived, "its position")
            assert axis.feedback().position == pytest.approx(position, abs=1e-3)
        side.fault = Fault("another_address")
        with pytest.raises(BadReply, match="module 2 answered, module 1 was asked"):
            axes[0].feedback()
        for axis in axes:
            assert axis.close() == []
