"""A controller that takes its time: pumps and interlocks take seconds, and nobody may be taken for dead meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from drivers.errors import NoReply, Refused
from drivers.loaders import servo_loader
from drivers.loaders.servo_loader import LOOK_EVERY, Config, ServoLoader

EXCHANGE = 1e-4  # s that lines take to be read or written


class Clock:
    """Goes on while the loader sleeps, or reads or writes its lines, and only then."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(servo_loader, "time", SimpleNamespace(sleep=clock.sleep))
    monkeypatch.setattr(servo_loader, "host_clock", SimpleNamespace(now=lambda: clock.now))
    return clock


class Frame:
    """Lines of a controller that closes its interlock `late` s after it was asked, and has pressure `later` s after that."""

    def __init__(self, late: float, later: float = 0.0, clock: Clock | None = None) -> None:
        self._late, self._later, self._clock = late, later, clock or Clock()
        self.estop_at = self.opens_at = float("inf")
        self._asked: dict[str, float] = {}
        self.beats: list[float] = []
        self._heartbeat = False

    def write_lines(self, states: Mapping[str, bool]) -> None:
        self._clock.sleep(EXCHANGE)
        for name, high in states.items():
            if not high:
                self._asked.pop(name, None)
            else:
                self._asked.setdefault(name, self._clock.now)
        if "heartbeat" in states and states["heartbeat"] != self._heartbeat:
            self._heartbeat = states["heartbeat"]
            self.beats.append(self._clock.now)

    def read_lines(self) -> dict[str, bool]:
        self._clock.sleep(EXCHANGE)
        now = self._clock.now
        since = now - self._asked.get("interlock", float("inf"))
        return {
            "estop_ok": now < self.estop_at, "interlock_ok": since > self._late and now < self.opens_at,
            "hydraulics_on": "hydraulics" in self._asked and since > self._late + self._later,
        }  # fmt: skip


@pytest.mark.parametrize(("late", "later"), [(0.5, 0.0), (-1.0, 1.5)])
def test_the_watchdog_and_the_heartbeat_are_served_while_the_controller_takes_its_time(clock: Clock, late: float, later: float) -> None:
    frame, told = Frame(late, later, clock), [clock.now]
    loader = ServoLoader(Config(settle=5.0), frame, "force")
    loader.prepare(alive=lambda: told.append(clock.now))
    told.append(clock.now)
    assert told[-1] - told[0] > 0.5
    assert max(after - before for before, after in pairwise(told)) < LOOK_EVERY + 10 * EXCHANGE
    assert frame.beats[0] > told[0] and np.median(np.diff(frame.beats)) < 1.1 * loader.config.heartbeat_period
    assert len(frame.beats) < 4.0 * (told[-1] - told[0]) / loader.config.heartbeat_period


@pytest.mark.parametrize("settle", [0.1, 0.3])
def test_one_that_does_not_follow_is_told_with_its_line(clock: Clock, settle: float) -> None:
    loader = ServoLoader(Config(settle=settle), Frame(late=60.0, clock=clock), "force")
    with pytest.raises(NoReply, match=f"interlock_ok still low {settle:g} s after it was asked for; its interlock did not close"):
        loader.prepare()


def test_an_emergency_stop_meanwhile_is_told_at_once(clock: Clock) -> None:
    frame = Frame(late=60.0, clock=clock)
    frame.estop_at = 0.1
    with pytest.raises(Refused, match=r"emergency stop was pressed .* while interlock_ok was waited for; release it at the frame"):
        ServoLoader(Config(settle=20.0), frame, "force").prepare()
    assert 0.1 <= clock.now < 0.1 + LOOK_EVERY + 10 * EXCHANGE


def test_an_interlock_that_opens_while_the_pressure_comes_is_told_at_once(clock: Clock) -> None:
    frame = Frame(late=-1.0, later=60.0, clock=clock)
    frame.opens_at = 0.1
    with pytest.raises(Refused, match="the controller opened its interlock while hydraulics_on was waited for"):
        ServoLoader(Config(settle=20.0), frame, "force").prepare()
    assert 0.1 <= clock.now < 0.1 + LOOK_EVERY + 10 * EXCHANGE


def test_one_that_follows_at_once_is_not_waited_for() -> None:
    told: list[float] = []
    frame = Frame(late=-1.0)
    ServoLoader(Config(), frame, "stroke").prepare(alive=lambda: told.append(0.0))
    assert not told and not frame.beats


@pytest.mark.parametrize("mode", ["force", "stroke"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_never_becomes_volts(mode: str, bad: float) -> None:
    """An output that takes it would go to whichever end it likes."""
    loader = ServoLoader(Config(), Frame(late=-1.0), mode)
    with pytest.raises(Refused, match="exceeds full scale"):
        loader.volts(np.array([0.0, bad, 0.0]))


@pytest.mark.parametrize("feedback", [-0.012, 0.0, 0.031])
def test_a_stop_in_stroke_mode_stays_where_it_is_and_one_in_force_mode_lets_go(feedback: float) -> None:
    """Zero stroke can crush a specimen."""
    frame = Frame(late=-1.0)
    assert ServoLoader(Config(), frame, "stroke").safe_setpoint(feedback) == feedback
    assert ServoLoader(Config(), frame, "force").safe_setpoint(feedback) == 0.0
    loader = ServoLoader(Config(), frame, "force")
    loader.take_mode("stroke")
    assert loader.safe_setpoint(feedback) == feedback, "by the mode that it is in"
