"""The thread of one axis: what it tells belongs to the test, and whatever ends it is heard and stops the drive."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from waiting import until

from drivers.axes import odrive
from drivers.axes.axis import Feedback
from drivers.clock import Clock
from drivers.errors import BadReply, NoReply, Refused
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.plant.shaft import ShaftParameters, SmallShaft
from drivers.simulated.serial.serial_side import SerialSide
from rig.workers.bench.actuation import serial_axis
from rig.workers.bench.actuation.serial_axis import SILENT, Job, SerialAxis

RATE, INTERVAL = 1000.0, 0.005
PATIENCE = 10.0


@dataclass
class Driver:
    """A drive that is where it is told to be; `fails` is raised by the next setpoint."""

    name: str = "crank"
    stops_within: float = 0.5
    smoothing: float = 0.0
    fails: Exception | None = None
    position: float = 0.3
    calls: list[str] = field(default_factory=list)
    setpoints: list[float] = field(default_factory=list)

    def enable(self) -> None:
        self.calls.append("enable")

    def command(self, value: float, rate: float = 0.0, effort: float = 0.0) -> None:
        self.setpoints.append(value)
        if self.fails is not None:
            raise self.fails

    def feedback(self) -> Feedback:
        return Feedback(self.position, 0.0, None)

    def quick_stop(self) -> None:
        self.calls.append("quick stop")

    def wait_by(self, clock: Clock) -> None:
        self.clock = clock

    def move_to(self, position: float) -> None:
        self.calls.append("move")

    def arrived(self) -> bool:
        return True


def started(lockstep: bool = False, mode: str = "velocity", smoothing: float = 0.0) -> tuple[Driver, SerialAxis]:
    driver = Driver(position=0.0 if mode == "position" else 0.3, smoothing=smoothing)
    axis = SerialAxis(driver, mode, INTERVAL, RATE, lockstep)
    axis.start(0.0)
    sample = 0
    while not axis.ready:
        sample += 1
        axis.tick(sample)
        time.sleep(0.001)
        assert sample < 1000.0 * PATIENCE
    return driver, axis


def job(first: int = 0, speed: float = 2.0) -> Job:
    return Job(first, time.monotonic(), speed * np.arange(100) / RATE, np.full(100, speed), np.full(100, 5.0))


def test_what_it_tells_before_the_test_is_not_the_tests() -> None:
    driver, axis = started()
    until(lambda: len(driver.setpoints) > 10)
    assert axis.take() == []
    handed = job()
    axis.hand(handed)
    until(lambda: len(axis._told) > 0)
    first = RATE * (time.monotonic() - handed.at)  # the sample that is due now
    until(lambda: len(axis._told) > 3)
    axis.end()
    last = RATE * (time.monotonic() - handed.at)
    told = axis.take()
    assert all(0.0 <= one.sample <= last and one.position == 0.3 and math.isnan(one.torque) for one in told)
    assert [one.sample for one in told] == sorted(one.sample for one in told)
    assert told[0].sample <= first
    assert driver.calls == ["enable"] and axis.failed == ""


@dataclass
class Telling(Driver):
    """Answers a setpoint with where it is, by an exchange in the first 4 of the 10 ms that it takes."""

    spans: list[tuple[float, float]] = field(default_factory=list)

    def command(self, value: float, rate: float = 0.0, effort: float = 0.0) -> Feedback:  # type: ignore[override]
        super().command(value)
        begin = time.monotonic()
        self.spans.append((begin, begin + 0.004))
        time.sleep(0.010)
        return Feedback(self.position, 0.0, None, self.spans[-1])

    def feedback(self) -> Feedback:
        self.calls.append("feedback")
        return super().feedback()


def test_an_answer_that_tells_the_position_is_not_asked_for_again_and_gives_its_time() -> None:
    driver = Telling()
    axis = SerialAxis(driver, "velocity", INTERVAL, RATE, lockstep=False)
    axis.start(0.0)
    until(lambda: len(driver.spans) > 3)
    begun, before = time.monotonic() - 0.5, len(driver.spans)  # sample 0 was half a second ago
    axis.hand(Job(0, begun, np.zeros(2000), np.zeros(2000), np.zeros(2000)))
    until(lambda: len(axis._told) > 5)
    axis.end()
    told = axis.take()
    middles = [RATE * (0.5 * sum(span) - begun) for span in driver.spans[before - 1 :]]
    assert all(min(abs(one.sample - middle) for middle in middles) < 1e-6 for one in told)
    assert all(one.trip == pytest.approx(0.004, abs=1e-3) for one in told)
    assert "feedback" not in driver.calls


def test_in_lockstep_each_job_is_done_once() -> None:
    driver, axis = started(lockstep=True)
    for first in range(0, 500, 100):
        axis.hand(job(first))
        axis.wait()
    axis.end()
    assert [one.sample for one in axis.take()] == [0.0, 100.0, 200.0, 300.0, 400.0]
    assert driver.setpoints == [2.0] * 5


@pytest.mark.parametrize("smoothing", [0.0, 20.0])
def test_a_drive_that_smooths_gets_what_its_filter_makes_the_setpoint_of(smoothing: float) -> None:
    driver, axis = started(lockstep=True, mode="position", smoothing=smoothing)
    axis.hand(job())
    axis.wait()
    axis.end()
    wanted = axis.take()[-1].setpoint
    middle = 2.0 * round(0.5 * INTERVAL * RATE) / RATE
    assert wanted == 0.0
    assert driver.setpoints[-1] == pytest.approx(middle + (5.0 / smoothing**2 if smoothing else 0.0), rel=1e-12)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NoReply("crank at COM3: no reply"), "crank at COM3: no reply"),
        (Refused("crank at COM3: beyond max_speed"), "crank at COM3: beyond max_speed"),
        (ZeroDivisionError("float division"), "crank: its thread has ended, ZeroDivisionError: float division; .*report it"),
    ],
)
@pytest.mark.parametrize("lockstep", [True, False])
def test_whatever_ends_the_thread_is_heard_and_the_drive_is_stopped(error: Exception, words: str, lockstep: bool) -> None:
    driver, axis = started(lockstep)
    driver.fails = error
    axis.hand(job())
    axis.wait()
    until(lambda: axis.failed != "" and "quick stop" in driver.calls)

    assert re.fullmatch(words, axis.failed)
    axis.end()
    count = len(driver.setpoints)
    time.sleep(3 * INTERVAL)
    assert len(driver.setpoints) == count


@pytest.mark.parametrize("lockstep", [True, False])
def test_its_thread_waits_for_no_interval_when_it_is_called(lockstep: bool) -> None:
    """Here it would be a minute; a quick stop goes at once, and so does the end, and in lockstep a job."""
    axes = []
    for _ in range(2):
        axis = SerialAxis(Driver(), "velocity", 60.0, RATE, lockstep)
        axis.start(0.0)
        axis.tick(1)
        until(lambda axis=axis: axis.ready and (lockstep or len(axis.driver.setpoints) > 0))  # type: ignore[misc]
        axes.append(axis)
    first, second = axes
    if lockstep:
        first.hand(job())
        first.wait()
        assert len(first.take()) == 1
    first.stop_quickly()
    until(lambda: "quick stop" in first.driver.calls)
    second.end()
    assert second._thread is not None and not second._thread.is_alive()


@dataclass
class Powerless(Driver):
    """Is asked for a quick stop, and loses its power, while it has a setpoint sent."""

    stop: Callable[[], None] | None = None

    def command(self, value: float, rate: float = 0.0, effort: float = 0.0) -> None:
        super().command(value)
        if self.stop is not None:
            self.stop()
            raise Refused("crank: it has no power")


def test_a_refusal_after_a_quick_stop_is_no_news() -> None:
    driver = Powerless()
    axis = SerialAxis(driver, "velocity", INTERVAL, RATE, lockstep=False)
    axis.start(0.0)
    until(lambda: axis.ready)
    axis.hand(job())
    driver.stop = axis.stop_quickly
    until(lambda: "quick stop" in driver.calls)
    axis.end()
    assert axis.failed == ""


def test_a_line_that_hangs_is_told() -> None:
    _, axis = started()
    axis.hand(job())
    until(lambda: len(axis._told) > 0)
    assert axis.lost(time.monotonic()) == ""
    assert "crank: nothing was exchanged with its drive for 5" in axis.lost(time.monotonic() + SILENT + 2.0)
    axis.end()
    assert axis.lost(time.monotonic() + 10.0) == "", "the end of a test is no loss"


@dataclass
class Braking(Driver):
    """Slows down at each look, from its quick stop on."""

    speed: float = 10.0
    less: float = 1.0
    looks: int = 0

    def feedback(self) -> Feedback:
        if "quick stop" in self.calls:
            self.looks += 1
            self.speed = max(0.0, self.speed - self.less)
        return Feedback(self.position, self.speed, None)


def stopped(driver: Driver, **how: object) -> SerialAxis:
    axis = SerialAxis(driver, "velocity", INTERVAL, RATE, lockstep=False, **how)  # type: ignore[arg-type]
    axis.start(0.0)
    until(lambda: axis.ready)
    axis.stop_quickly()
    axis.end()
    return axis


def test_a_quick_stop_is_kept_company_until_the_axis_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = Braking()
    assert stopped(driver, rest=0.02).failed == ""
    assert driver.speed == 0.0 and driver.looks == 10
    driver = Braking()
    assert stopped(driver).failed == "" and driver.looks == 0, "where its enable line has fallen it has no power to brake with"
    monkeypatch.setattr(serial_axis, "BRAKING", 0.1)
    axis = stopped(Braking(less=0.0), rest=0.02)
    assert axis.failed == "crank: 0.1 s after its quick stop it still turns at 10 rad/s; its power goes now: wait until it has come to rest"


def test_a_drive_without_an_enable_line_brakes_to_rest_though_its_watchdog_is_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Left alone after the order to stop its watchdog expired, and a heavy shaft coasted on at four fifths of its speed.
    Here it brakes for 1.5 s of its own time, which stands still while this machine does."""
    monkeypatch.setattr(serial_axis, "BRAKING", 30.0)
    heavy = ShaftParameters(inertia=3.0, coulomb=0.0, viscous=0.0, velocity_gain=10.0, torque_limit=20.0)
    with SerialSide(ODrive(SmallShaft(heavy))) as side:
        config = odrive.Config(side.url, reply_timeout=1.0, max_speed=20.0, max_acceleration=60.0, max_torque=20.0, timeout=1.0)
        driver = config.create("crank")
        driver.connect()
        driver.prepare("velocity")
        axis = SerialAxis(driver, "velocity", 0.02, RATE, lockstep=False, rest=0.02)
        axis.start(0.0)
        until(lambda: axis.ready)
        ramp = np.full(100_000, 10.0)
        axis.hand(Job(0, time.monotonic(), ramp, ramp, 0.0 * ramp))
        shaft = side.device.drives[0].shaft
        until(lambda: shaft.velocity > 9.5)
        axis.stop_quickly()
        axis.end()
        assert axis.failed == "" and abs(shaft.velocity) < 0.05
        assert side.device.drives[0].since("watchdog expired") is None
        assert driver.close() == []


@dataclass
class Noisy(Braking):
    """Every other answer is spoilt."""

    asked: int = 0

    def feedback(self) -> Feedback:
        self.asked += "quick stop" in self.calls
        if self.asked % 2:
            raise BadReply("crank at COM3: a checksum that does not fit")
        return super().feedback()


def test_noise_does_not_end_the_company_that_a_braking_drive_is_kept() -> None:
    """It is the likeliest reason for the stop."""
    driver = Noisy()
    assert stopped(driver, rest=0.02).failed == ""
    assert driver.speed == 0.0 and driver.asked == 20


def test_a_shaft_that_still_turns_is_told_beside_what_stopped_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_axis, "BRAKING", 0.1)
    driver = Braking(less=0.0)
    axis = SerialAxis(driver, "velocity", INTERVAL, RATE, lockstep=False, rest=0.02)
    axis.start(0.0)
    until(lambda: axis.ready)
    driver.fails = BadReply("crank at COM3: a checksum that does not fit; quick stop done")
    axis.hand(job())
    until(lambda: "still turns" in axis.failed)
    assert axis.failed.startswith(
        "crank at COM3: a checksum that does not fit; quick stop done; crank: 0.1 s after its quick stop it still turns"
    )
    axis.end()


@dataclass
class Slow(Driver):
    """Closes its loop 30 ms after it was told to, and is where it was sent 40 ms after it set off; notes the bench's time of each."""

    told: list[float] = field(default_factory=list)
    busy: float = 0.0

    def enable(self) -> None:
        time.sleep(self.busy)
        done = self.clock.now() + 0.030
        while self.clock.now() < done:
            self.clock.sleep(0.0)

    def move_to(self, position: float) -> None:
        time.sleep(self.busy)
        self.told.append(self.clock.now())

    def arrived(self) -> bool:
        self.told.append(self.clock.now())
        return self.told[-1] >= self.told[0] + 0.040


@pytest.mark.parametrize("busy", [0.0, 0.02])
def test_in_lockstep_a_drive_sets_off_at_the_same_sample_however_slow_its_line_is(busy: float) -> None:
    driver = Slow(position=0.0, busy=busy)
    axis = SerialAxis(driver, "position", INTERVAL, RATE, lockstep=True)
    axis.start(0.0)
    blocks = 0
    while not axis.ready and blocks < 100:
        blocks += 1
        axis.tick(10 * blocks)
    axis.end()
    assert blocks == 8  # it begins at 10 ms, has power at 40 ms, and is there at 80 ms
    assert driver.told == pytest.approx([0.040, 0.040, 0.060, 0.080])
