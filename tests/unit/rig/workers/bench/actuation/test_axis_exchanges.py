"""The thread of one axis on a clock of its own, run by the test itself: when it speaks, what of its job it sends, and what it tells.

The clock goes on while something is waited for, and while the drive is asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from drivers.axes.axis import Feedback
from drivers.errors import NoReply, Refused
from rig.workers.bench.actuation import serial_axis
from rig.workers.bench.actuation.serial_axis import Job, SerialAxis

RATE, INTERVAL = 1000.0, 0.010


@dataclass
class Clock:
    now: float = 50.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Waits:
    """A condition on which nobody else ever does anything."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...

    def notify_all(self) -> None: ...

    def wait(self, seconds: float) -> None:
        self._clock.sleep(seconds)

    def wait_for(self, over: Callable[[], bool], seconds: float) -> bool:
        if not over():
            self._clock.sleep(seconds)
        return over()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    thread = SimpleNamespace(start=lambda: None, join=lambda patience: None)
    monkeypatch.setattr(serial_axis, "threading", SimpleNamespace(Condition=lambda: Waits(clock), Thread=lambda **how: thread))
    monkeypatch.setattr(serial_axis, "time", clock)
    monkeypatch.setattr(serial_axis, "clock", SimpleNamespace(now=lambda: clock.now))
    monkeypatch.setattr(serial_axis, "WALL", SimpleNamespace(now=lambda: clock.now, sleep=clock.sleep))
    return clock


@dataclass
class Drive:
    """Takes `takes` s for a setpoint and 2 ms for each question; `then` is called after each, with how many there have been."""

    clock: Clock
    takes: float = 0.004
    name: str = "crank"
    stops_within: float = 0.5
    smoothing: float = 0.0
    position: float | None = 0.0
    velocity: float = 0.0
    torque: float | None = None
    silent: bool = False
    asks: int = 0
    way: int = 0
    begun: list[float] = field(default_factory=list)
    setpoints: list[float] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    then: Callable[[str, int], None] = lambda what, count: None

    def command(self, *values: float) -> None:
        self.begun.append(self.clock.now)
        self.setpoints.append(values[0])
        self.clock.sleep(self.takes)
        self.then("command", len(self.begun))

    def feedback(self) -> Feedback:
        self.clock.sleep(0.002)
        self.asks += 1
        self.then("feedback", self.asks)
        if self.silent:
            raise NoReply("crank: no reply")
        return Feedback(self.position, self.velocity, self.torque)

    def arrived(self) -> bool:
        self.way -= 1
        return self.way < 0

    def move_to(self, position: float) -> None:
        self.calls.append(f"move {position:g}")

    def wait_by(self, clock: object) -> None: ...

    def enable(self) -> None:
        self.calls.append("enable")

    def quick_stop(self) -> None:
        self.calls.append("quick stop")


class Telling(Drive):
    """Its answer to a setpoint says where it is."""

    def command(self, *values: float) -> Feedback:  # type: ignore[override]
        super().command(*values)
        return Feedback(0.0, 0.0, None)


def made(drive: Drive, mode: str = "velocity", begin: float = 0.0, lockstep: bool = False, **how: Any) -> SerialAxis:
    axis = SerialAxis(drive, mode, INTERVAL, RATE, lockstep, **how)
    axis.start(begin)
    axis._release()  # nobody moves a clock for it here
    return axis


def ends_after(axis: SerialAxis, exchanges: int) -> None:
    def end(what: str, count: int) -> None:
        if what == "command" and count >= exchanges:
            axis.end()

    axis.driver.then = end


def test_it_speaks_at_its_own_rate(clock: Clock) -> None:
    """An exchange is 6 ms, and there is one every 10 ms."""
    drive = Drive(clock)
    axis = made(drive)
    ends_after(axis, 6)
    axis._run()
    assert np.diff(drive.begun) == pytest.approx([INTERVAL] * 5) and axis.failed == ""


def test_after_a_while_in_which_it_stood_still_it_does_not_make_up_for_all_of_it(clock: Clock) -> None:
    """Of ten exchanges that were missed one is made at once."""
    drive = Drive(clock)
    axis = made(drive)

    def stands(what: str, count: int) -> None:
        if what == "command" and count == 3:
            clock.sleep(0.1)
        if what == "command" and count == 8:
            axis.end()

    drive.then = stands
    axis._run()
    after = np.diff(drive.begun)[2:]
    assert after[0] == pytest.approx(0.106) and sum(after < 0.999 * INTERVAL) <= 3
    assert drive.begun[7] - drive.begun[3] == pytest.approx(3 * INTERVAL, abs=1e-9), "never more than an interval behind"


def test_a_setpoint_is_that_of_half_an_interval_after_it_arrives_and_an_answer_belongs_to_its_middle(clock: Clock) -> None:
    """It arrives 4 ms after it was sent; then its position is asked for, which takes 2 ms."""
    drive = Drive(clock, position=0.25, velocity=7.0, torque=1.5)
    axis = made(drive)
    job = Job(300, clock.now + 0.02, 3.0 * np.arange(2000.0), np.arange(2000.0), np.zeros(2000))
    axis.hand(job)
    ends_after(axis, 30)
    axis._run()
    told = axis.take()
    assert drive.setpoints[0] == 0.0, "its first one, which is not due yet"
    for begun, sent in list(zip(drive.begun, drive.setpoints, strict=True))[20:]:
        assert sent == round((begun - job.at + 0.004 + 0.5 * INTERVAL) * RATE), "the rate there"
    for begun, one in zip(drive.begun, told, strict=True):
        middle = begun + 0.004 + 0.001
        assert one.moment == pytest.approx(middle) and one.trip == pytest.approx(0.002)
        assert one.sample == pytest.approx(300.0 + max(0.0, middle - job.at) * RATE), "its first one at the least"
        assert one.setpoint == pytest.approx(3.0 * (one.sample - 300.0))
        assert (one.position, one.velocity, one.torque) == (0.25, 7.0, 1.5)
    assert axis.ran_dry == 0.0


def test_a_drive_that_answers_with_its_position_was_reached_half_way(clock: Clock) -> None:
    """2 ms after it was sent, of an exchange of 4 ms."""
    drive = Telling(clock)
    axis = made(drive)
    job = Job(0, clock.now, np.zeros(2000), np.arange(2000.0), np.zeros(2000))
    axis.hand(job)
    ends_after(axis, 30)
    axis._run()
    for begun, sent in list(zip(drive.begun, drive.setpoints, strict=True))[20:]:
        assert sent == round((begun - job.at + 0.002 + 0.5 * INTERVAL) * RATE)
    for begun, one in zip(drive.begun, axis.take(), strict=True):
        assert one.moment == pytest.approx(begun + 0.002) and one.trip == pytest.approx(0.004)


@pytest.mark.parametrize(("speed", "dry"), [(2.0, True), (0.0, False)])
def test_setpoints_that_run_out_are_counted_where_they_were_to_move_on(clock: Clock, speed: float, dry: bool) -> None:
    """There are 100 of them, for 0.1 s; one that is sent at 91 ms is still one of these."""
    drive = Drive(clock)
    axis = made(drive)
    axis.hand(Job(0, clock.now, speed * np.arange(100.0) / RATE, np.full(100, speed), np.zeros(100)))
    at, missed = clock.now, list[float]()

    def note(what: str, count: int) -> None:
        if what == "command":
            missed.append(axis.ran_dry)
        if len(missed) == 40:
            axis.end()

    drive.then = note
    axis._run()
    late = [begun - at + 0.004 + 0.5 * INTERVAL - 0.099 for begun in drive.begun]
    assert max(late) > 0.2 and min(late) < 0.0
    assert missed[10:] == pytest.approx([max(0.0, one) if dry else 0.0 for one in late][10:], abs=1e-5)
    assert missed[:9] == [0.0] * 9


def test_before_the_test_nothing_is_told(clock: Clock) -> None:
    drive = Drive(clock)
    axis = made(drive, begin=1.5)
    ends_after(axis, 5)
    axis._run()
    assert axis.take() == [] and drive.setpoints == [0.0] * 5


@pytest.mark.parametrize(("speed", "dry"), [(2.0, 0.139), (-2.0, 0.139), (0.0, 0.0)])
def test_the_longest_that_it_had_to_do_with_its_last_setpoint(clock: Clock, speed: float, dry: float) -> None:
    """100 ms on; the last exchange is begun 230 ms after the first, for 4 ms and half an interval later."""
    drive = Drive(clock)
    axis = made(drive)
    axis.hand(Job(0, clock.now, np.zeros(101), np.full(101, speed), np.zeros(101)))
    ends_after(axis, 24)
    axis._run()
    assert drive.begun[-1] - drive.begun[0] == pytest.approx(0.230)
    assert axis.ran_dry == pytest.approx(dry, abs=1e-6)


def test_in_lockstep_a_sign_of_life_is_given_while_there_is_no_job(clock: Clock) -> None:
    """And time stands: a job is that of its own sample, whatever the clock says, and no setpoint runs out."""
    drive = Drive(clock, takes=1.0)
    axis = made(drive, lockstep=True)

    def then(what: str, count: int) -> None:
        if (what, count) == ("feedback", 3):
            axis.hand(Job(700, 0.0, np.full(8, 9.0), np.arange(8.0), np.zeros(8)))
        if what == "command":
            axis.end()

    drive.then = then
    axis._run()
    assert drive.asks == 4 and drive.setpoints == [5.0], "half an interval is five samples"
    (told,) = axis.take()
    assert (told.sample, told.setpoint) == (700.0, 9.0) and axis.ran_dry == 0.0
    assert drive.begun[0] - 50.0 == pytest.approx(3 * (INTERVAL + 0.002)), "one each interval"


def test_in_lockstep_what_is_handed_meanwhile_is_done_next(clock: Clock) -> None:
    drive = Drive(clock)
    axis = made(drive, lockstep=True)
    jobs = [Job(first, 0.0, np.zeros(8), np.zeros(8), np.zeros(8)) for first in (10, 20)]
    axis.hand(jobs.pop(0))

    def then(what: str, count: int) -> None:
        if what == "command" and jobs:
            axis.hand(jobs.pop(0))
        elif what == "command" or count > 3:
            axis.end()

    drive.then = then
    axis._run()
    assert [one.sample for one in axis.take()] == [10.0, 20.0]


def test_a_drive_that_refuses_what_comes_after_its_quick_stop_is_no_news(clock: Clock) -> None:
    """It has lost its power by then."""
    drive = Drive(clock)
    axis = made(drive)

    def refuses(what: str, count: int) -> None:
        axis.stop_quickly()
        raise Refused("crank: it has no power")

    drive.then = refuses
    axis._run()
    assert axis.failed == "" and drive.calls == ["enable", "quick stop"]


def test_one_that_was_never_started_has_come_to_its_end() -> None:
    axis = SerialAxis(SimpleNamespace(name="crank"), "velocity", INTERVAL, RATE, lockstep=False)
    axis.end()
    assert axis.failed == ""


@pytest.mark.parametrize("way", [0, 3])
def test_it_is_ready_where_the_test_begins(clock: Clock, way: int) -> None:
    """It is asked every 20 ms whether it is there, and where, which is a sign of life."""
    drive = Drive(clock, way=way, position=0.5)
    axis = made(drive, "position", 0.5)
    axis._power()
    assert axis.ready and drive.calls == ["enable", "move 0.5"] and drive.asks == way + 1
    assert clock.now - 50.0 == pytest.approx(way * (0.02 + 0.002) + 0.002)


@pytest.mark.parametrize("off", [1.9e-3, -1.9e-3, 2.1e-3, -2.1e-3, None])
def test_one_that_says_it_has_arrived_and_is_elsewhere_is_refused(clock: Clock, off: float | None) -> None:
    """Two thousandths of a radian; a drive that cannot tell is believed."""
    axis = made(Drive(clock, position=None if off is None else 0.5 + off), "position", 0.5)
    if off is None or abs(off) < 2e-3:
        axis._power()
        assert axis.ready
        return
    where = f"crank: said to have arrived it is at {0.5 + off:g} rad, not at 0.5 rad where the test begins"
    with pytest.raises(Refused, match=f"^{where}$"):
        axis._power()
    assert not axis.ready
    axis = made(Drive(clock, position=0.5 + off), "position", 0.5, within=5e-3)
    axis._power()
    assert axis.ready


@pytest.mark.parametrize("how", ["stop_quickly", "end"])
def test_what_is_called_off_on_its_way_is_not_awaited_nor_looked_for(clock: Clock, how: str) -> None:
    drive = Drive(clock, way=1000, position=0.1)
    axis = made(drive, "position", 0.5)
    drive.then = lambda what, count: getattr(axis, how)() if count == 3 else None
    axis._run()
    assert axis.failed == "" and drive.asks == 4 and drive.setpoints == []
    assert ("quick stop" in drive.calls) == (how == "stop_quickly")


@pytest.mark.parametrize("speed", [0.0199, -0.0199])
def test_one_that_rests_needs_no_more_company(clock: Clock, speed: float) -> None:
    drive = Drive(clock, velocity=speed)
    axis = made(drive, rest=0.02)
    axis.stop_quickly()
    axis._run()
    assert drive.calls == ["enable", "quick stop"] and drive.asks == 1 and axis.failed == ""


@pytest.mark.parametrize(("silent", "told"), [(False, "it still turns at -3 rad/s"), (True, "nobody knows whether it still turns")])
def test_one_that_does_not_is_kept_company_for_four_seconds(clock: Clock, silent: bool, told: str) -> None:
    drive = Drive(clock, velocity=-3.0, silent=silent)
    axis = made(drive, rest=0.02)
    axis.stop_quickly()
    axis._run()
    assert axis.failed == f"crank: 4 s after its quick stop {told}; its power goes now: wait until it has come to rest"
    assert clock.now - 50.0 == pytest.approx(4.0, abs=0.03)


def test_in_lockstep_it_brakes_as_long_as_time_goes_on(clock: Clock) -> None:
    """At the end of a test it stands."""
    drive = Drive(clock, velocity=3.0)
    axis = made(drive, lockstep=True, rest=0.02)
    axis.stop_quickly()
    drive.then = lambda what, count: axis.end() if count == 10 else None
    axis._run()
    assert drive.asks == 10 and axis.failed == ""


@pytest.mark.parametrize(("stops_within", "most"), [(0.5, 3.0), (6.0, 6.0)])
def test_a_line_is_lost_after_three_seconds_or_when_its_drive_has_given_up(clock: Clock, stops_within: float, most: float) -> None:
    drive = Drive(clock, stops_within=stops_within)
    axis = made(drive)
    assert axis.lost(1e9) == "", "nothing has been exchanged yet"
    axis._exchange(Job(0, clock.now, np.zeros(1), np.zeros(1), np.zeros(1)))
    assert axis.lost(clock.now + most - 0.01) == ""
    assert axis.lost(clock.now + most + 0.01).startswith(f"crank: nothing was exchanged with its drive for {most:.1f} s; look at the line")
    axis.stop_quickly()
    assert axis.lost(1e9) == ""
    still = made(Drive(clock), lockstep=True)
    still._exchange(Job(0, clock.now, np.zeros(1), np.zeros(1), np.zeros(1)))
    assert still.lost(1e9) == "", "in lockstep time stands"


def test_two_things_that_went_wrong_are_both_told(clock: Clock) -> None:
    drive = Drive(clock)
    axis = made(drive)
    failures = itertools.chain([NoReply("crank: no reply"), ZeroDivisionError("by zero")])

    def fails(*values: float) -> None:
        raise next(failures)

    drive.command = drive.quick_stop = fails  # type: ignore[method-assign]
    axis._run()
    words = "crank: its thread has ended, ZeroDivisionError: by zero; this is a fault of the program, report it"
    assert axis.failed == f"crank: no reply; {words}"
