"""What goes out to the drives of a motor rig, block by block, and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from waiting import until

from drivers.axes import shaker, speed_drive
from drivers.errors import NoReply, Refused
from rig.config.bench import Axis
from rig.workers.bench.actuation.serial_axis import SerialAxis
from tests.unit.rig.workers.bench.noted_axes import BLOCK, RATE, Daq, Drive, course, made, powered

SPEED = speed_drive.Config(max_speed=20.0, offset=0.1)  # 0.5 V per rad/s
FORCE = shaker.Config(max_force=100.0)  # 0.1 V per N


def test_beside_the_course_stand_setpoint_and_rate_of_each_drive() -> None:
    """From where the course was before the block: it begins at 0."""
    own = made(Axis("first", Drive()))
    assert own.columns[2:4] == (("second", "rad"), ("second_rate", "rad/s")) and own.columns[5] == ("third_rate", "N/s")
    s, rate = np.array([0.001, 0.003, 0.006]), np.array([1.0, 2.0, 3.0])
    drives = [s, rate, 0.5 - 2.0 * s, -2.0 * rate, s * s, 2.0 * s * rate]
    np.testing.assert_allclose(course(own, s), np.column_stack([s, [70.0] * 3, [80.0] * 3, *drives]))
    assert course(own, np.array([0.010]))[0, 4] == pytest.approx(4.0), "on from there"
    assert own.abort(0.5) == 0.5 and course(own, np.array([0.502]))[0, 4] == pytest.approx(2.0), "or from where it was brought"


def test_each_drive_on_an_output_gets_what_it_goes_by() -> None:
    """A speed drive the rate, a shaker the value."""
    s = np.array([1.0, 1.002, 1.004])  # 2 rad/s
    one, both = made(Axis("second", SPEED)), made(Axis("second", SPEED), Axis("third", FORCE))
    for own in (one, both):
        own._last = 0.998
    volts = 0.5 * -4.0 + 0.1
    np.testing.assert_allclose(one.volts(course(one, s)), [volts] * 3)
    np.testing.assert_allclose(both.volts(course(both, s)), np.column_stack([[volts] * 3, 0.1 * s * s]))


def test_after_an_abort_nothing_is_asked_of_them() -> None:
    daq = Daq()
    made(Axis("second", SPEED), daq=daq).abort(0.0)
    assert daq.done == ["abort", 0.1]
    daq = Daq()
    made(Axis("third", FORCE), Axis("second", SPEED), daq=daq).abort(0.0)
    assert daq.done[0] == "abort" and list(daq.done[1]) == [0.0, 0.1]
    daq = Daq()
    made(Axis("first", Drive()), daq=daq).abort(0.0)
    assert daq.done == [], "without an output there is none to take back"


def test_drives_on_outputs_go_by_their_lines() -> None:
    daq = Daq(("second_enable",))
    own = made(Axis("second", SPEED), daq=daq)
    assert own.session(None, 10, lambda text: None) is None, "they have no way to go before the test"
    own.enable()
    own.release()
    assert daq.done == [{"second_enable": False}, {"second_enable": True}, {"second_enable": False}]
    assert own.attend() is None and own.rests()
    daq.ok = False
    assert own.attend(more=True) is None, "the lines are looked at with the next block"
    assert (own.attend() or "").startswith("second: the drive reports a fault (second_ok on Dev1/port1/line3 is low)")
    unguarded = made(Axis("second", SPEED), watchdog=None)
    with pytest.raises(Refused, match="second: nothing would stop it if the program died"):
        unguarded.session(None, 10, lambda text: None)


@pytest.mark.parametrize(("watchdog", "line"), [(0.25, "Dev1/port0/line0"), (0.25, None), (None, "Dev1/port0/line0")])
def test_a_drive_is_guarded_by_its_line_and_the_watchdog_together(watchdog: float | None, line: str | None) -> None:
    drive = Drive(line)
    made(Axis("first", drive), watchdog=watchdog)
    assert (drive.guard is not None and drive.guard.timeout) == (0.25 if watchdog and line else False)


def test_serial_drives_are_reached_and_prepared_for_the_traffic_on_their_line() -> None:
    drive = Drive(port="COM3")
    own = powered(made(Axis("second", drive, mode="position", rate=50.0)))
    assert own.open(RATE) == ["second: drive on COM3"]
    assert drive.calls[:4] == ["connect", "prepare position 100", "enable", "move"]
    assert drive.at == 0.5, "where the test begins"
    assert own.close() == []


@pytest.mark.parametrize("count", [1, 2, 10, 40])
def test_in_lockstep_every_axis_has_its_setpoint_before_stream_returns(count: int) -> None:
    """That of half a block later, or of the last sample that is settled; a filter of 10 1/s lags an acceleration of 2 N/s^2 by 0.02 N."""
    first, third = Drive(off=0.125), Drive(smoothing=10.0)
    own = powered(made(Axis("third", third, mode="position"), Axis("first", first, mode="velocity")))
    assert own.take_feedback().shape == (0, 6)
    own._last = 0.999
    s = 1.0 + np.arange(count) / RATE
    own.stream(300, 0.0, course(own, s))
    at = min(5, count - 1)
    lead = 0.02 if count > 1 else 0.0
    np.testing.assert_allclose(third.commands[-1], (s[at] ** 2 + lead, 2.0 * s[at]))
    np.testing.assert_allclose(first.commands[-1], (1.0,))
    told = own.take_feedback()
    np.testing.assert_allclose(told[:, :4], [[300.0, 0.0, 1.0, 0.125], [300.0, 2.0, 1.0, s[at] ** 2 + lead]])
    assert np.all(told[:, 4] == 0.0) and np.all(np.isnan(told[:, 5]))
    own.stream(310, 0.0, course(own, s))
    assert own.take_feedback()[:, 0].tolist() == [310.0, 310.0] and own.close() == []


def test_at_real_pace_nobody_waits_for_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    own = made(Axis("first", Drive(), rate=50.0), pace="real")
    own.session(None, 10, lambda text: None)
    monkeypatch.setattr(SerialAxis, "wait", lambda axis: pytest.fail("it waits"))
    own.stream(0, 0.0, course(own, np.zeros(10)))
    assert own._serial[0]._interval == pytest.approx(0.02), "its own rate, 50 Hz"


def test_a_stop_is_along_the_course() -> None:
    brakes: list[float] = []
    setpoint: Any = type("Setpoint", (), {"brake": lambda self, duration: brakes.append(duration)})()
    made(Axis("first", Drive())).rest(setpoint, np.zeros((1, 1)), 0.7)
    assert brakes == [0.7]


def test_a_trip_takes_every_line_at_once_and_stops_every_drive_and_who_has_no_line_is_watched_until_it_rests() -> None:
    daq, held, braking = Daq(("first_enable",)), Drive("Dev1/port0/line0", "COM1", speed=3.0), Drive(port="COM2", speed=3.0)
    own = powered(made(Axis("first", held), Axis("second", braking), daq=daq))
    looks = [drive.calls.count("feedback") for drive in (held, braking)]
    own.trip()
    until(lambda: braking.speed == 0.0)
    assert own.close() == []
    assert daq.done == [{"first_enable": False}]
    for drive, before, more in ((held, looks[0], 0), (braking, looks[1], 3)):
        after = drive.calls[drive.calls.index("quick stop") :]
        assert after.count("feedback") == more, before
        assert len(drive.limits) == 2, "its stop takes a bounded time, and so does its end"


@pytest.mark.parametrize("tripped", [False, True])
def test_why_an_axis_was_given_up_is_told_once(tripped: bool) -> None:
    """By who looks after it; after a trip nobody does, and it comes with its end."""
    drive = Drive(fails=NoReply("first: no reply"))
    own = powered(made(Axis("first", drive)))
    own.stream(0, 0.0, course(own, np.zeros(10)))
    assert own.attend() == "first: no reply"
    if tripped:
        own.trip()
    assert own.close() == (["first: no reply"] if tripped else [])


def test_what_has_stopped_a_drive_by_itself_is_known() -> None:
    first, second = Drive(), Drive()
    own = made(Axis("first", first), Axis("second", second))
    assert own.cause() == ""
    second.stopped_by = "its limit switch"
    assert own.cause() == "second: stopped by its limit switch"


def test_a_block_of_the_bench_is_the_interval_of_lockstep() -> None:
    own = made(Axis("first", Drive(), rate=50.0))
    own.session(None, 10, lambda text: None)
    assert own._serial[0]._interval == BLOCK
