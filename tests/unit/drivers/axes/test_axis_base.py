"""What the drivers of all drives share, with a drive that only notes what it is told: who stops what, in which order, and what is told."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from drivers.axes import axis as drivers_axis
from drivers.axes.axis import AxisBase, Gearing, Guard, beyond
from drivers.errors import BadReply, DriverError, NoReply, NotConnected, Refused

LINE = "Dev1/port0/line6"


class Noted(AxisBase):
    """`order` is what happened; an entry of `broken` is what fails."""

    def __init__(self, enable_line: str | None = LINE, timeout: float | None = 0.3) -> None:
        self.order: list[str] = []
        self.broken: set[str] = set()
        self.told: str | None = None
        guard = None if timeout is None else Guard(SimpleNamespace(write_lines=self._written), timeout)
        line: Any = SimpleNamespace(where="motor at COM1", close=lambda: ["closing: gone"], within=lambda one: contextlib.nullcontext())
        super().__init__("motor", line, Gearing(), enable_line, guard)

    def _does(self, what: str) -> None:
        self.order.append(what)
        if what in self.broken:
            raise NotConnected(f"{what} is gone")

    def _written(self, states: Mapping[str, bool]) -> None:
        assert list(states) == ["motor_enable"]
        self._does("line high" if states["motor_enable"] else "line low")

    def disable(self) -> None:
        self._does("disable")

    def _brake(self) -> None:
        self._does("brake")

    def _probe(self) -> object:
        return None

    def _trouble(self) -> str | None:
        return self.told


@pytest.fixture
def axis() -> Noted:
    return Noted()


def run(axis: Noted) -> None:
    axis.mode, axis._enabled, axis.stops_within = "velocity", True, 0.3


# -- what stops it when the program dies -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "guard", "first"), [(0.5, 0.3, 0.3), (0.2, 0.3, 0.2), (0.5, None, 0.5), (None, 0.3, 0.3), (0.0, 0.3, 0.0)])
def test_the_sooner_of_two_time_outs_is_the_one_that_counts(own: float | None, guard: float | None, first: float) -> None:
    assert Noted(timeout=guard)._guarded(own, "") == first


@pytest.mark.parametrize(("enable_line", "guard"), [(LINE, None), (None, 0.3), (None, None)])
def test_a_line_without_watchdog_and_a_watchdog_without_line_stop_nothing(enable_line: str | None, guard: float | None) -> None:
    axis = Noted(enable_line, guard)
    with pytest.raises(Refused, match="nothing would stop this axis if the program died: it has none, or wire its enable input"):
        axis._guarded(None, "it has none")
    axis._line(True)
    assert axis.order == []
    assert axis.output_lines == ({} if enable_line is None else {"motor_enable": LINE})


def test_before_it_is_prepared_nothing_is_known_to_stop_it(axis: Noted) -> None:
    assert axis.stops_within == math.inf


# -- stops -----------------------------------------------------------------------------------------------------------------------------


def test_a_quick_stop_brakes_under_power(axis: Noted) -> None:
    run(axis)
    axis.quick_stop()
    assert axis.order == ["brake"] and axis.stopped_by == "a quick stop"
    with pytest.raises(Refused, match=r"stopped by a quick stop; reset the fault and enable again"):
        axis._check_enabled()
    with pytest.raises(Refused, match=r"stopped by a quick stop; reset the fault$"):
        axis._check_prepared()
    assert axis.fault() == "stopped by a quick stop"


def test_a_quick_stop_that_is_not_confirmed_takes_the_power_away(axis: Noted) -> None:
    run(axis)
    axis.broken = {"brake"}
    with pytest.raises(NotConnected, match="brake is gone"):
        axis.quick_stop()
    assert axis.order == ["brake", "line low"] and not axis._enabled


def test_the_first_reason_stays(axis: Noted) -> None:
    run(axis)
    axis.told = "overcurrent"
    assert axis.fault() == "overcurrent" and axis.stopped_by == "overcurrent" and not axis._enabled
    axis.quick_stop()
    axis.told = "too hot"
    assert axis.fault() == "too hot"
    axis.told = None
    assert axis.fault() == "stopped by overcurrent"


@contextlib.contextmanager
def failing(axis: Noted, error: type[DriverError], words: str) -> Iterator[None]:
    with pytest.raises(error, match=rf"^lost; {words}$"), axis._stopping("sending a setpoint"):
        yield
        raise error("lost")


@pytest.mark.parametrize("error", [NoReply, NotConnected])
def test_where_the_line_says_nothing_power_goes_first_and_the_stop_is_tried(axis: Noted, error: type[DriverError]) -> None:
    run(axis)
    with failing(axis, error, "quick stop done"):
        pass
    assert axis.order == ["line low", "brake"]
    assert axis.stopped_by == "an error while sending a setpoint: lost"


def test_a_spoilt_reply_comes_from_a_drive_that_hears_so_it_brakes_under_power(axis: Noted) -> None:
    run(axis)
    with failing(axis, BadReply, "quick stop done"):
        pass
    assert axis.order == ["brake"]


def test_a_stop_that_is_not_confirmed_says_that_it_has_no_power(axis: Noted) -> None:
    run(axis)
    axis.broken = {"brake"}
    with failing(axis, BadReply, "the quick stop was not confirmed: its enable line has fallen, it has no power"):
        pass
    assert "line low" in axis.order


@pytest.mark.parametrize("error", [NoReply, BadReply])
def test_one_whose_line_cannot_be_written_says_that_only_its_time_out_is_left(axis: Noted, error: type[DriverError]) -> None:
    run(axis)
    axis.broken = {"brake", "line low"}
    left = r"its enable line was not written \(line low is gone\), the drive stops by itself within 0\.3 s"
    with failing(axis, error, f"the quick stop was not confirmed: {left}"):
        pass
    assert "brake" in axis.order


def test_one_without_an_enable_line_says_that_only_its_time_out_is_left() -> None:
    axis = Noted(enable_line=None)
    run(axis)
    axis.broken = {"brake"}
    with failing(axis, NoReply, r"the quick stop was not confirmed: the drive stops by itself within 0\.3 s"):
        pass
    assert axis.order == ["brake"]


def test_what_goes_wrong_before_it_is_enabled_stops_nothing(axis: Noted) -> None:
    with pytest.raises(NoReply, match=r"^lost$"), axis._stopping("reading the feedback"):
        raise NoReply("lost")
    assert axis.order == [] and axis.stopped_by == ""


def test_a_refusal_is_no_error_of_the_line(axis: Noted) -> None:
    run(axis)
    with pytest.raises(Refused, match=r"^too fast$"), axis._stopping("sending a setpoint"):
        raise Refused("too fast")
    assert axis.order == [] and axis._enabled


# -- the end ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "enabled"), [("velocity", True), ("velocity", False), ("", True)])
def test_closing_takes_the_power_from_what_is_prepared_or_enabled(axis: Noted, mode: str, enabled: bool) -> None:
    """A quick stop leaves it under power though it counts as enabled no more."""
    axis.mode, axis._enabled = mode, enabled
    assert axis.close() == ["closing: gone"]
    assert axis.order == ["disable"] and axis.mode == ""


def test_closing_what_was_never_prepared_tells_the_drive_nothing(axis: Noted) -> None:
    assert axis.close() == ["closing: gone"] and axis.order == []


def test_closing_says_what_becomes_of_a_drive_that_does_not_answer(axis: Noted) -> None:
    run(axis)
    axis.broken = {"disable"}
    assert axis.close() == ["disable is gone; the drive stops by itself within 0.3 s", "closing: gone"]
    assert axis.mode == ""


# -- order, limits, gear ---------------------------------------------------------------------------------------------------------------


def test_nothing_is_commanded_before_it_is_prepared_and_enabled(axis: Noted) -> None:
    with pytest.raises(Refused, match="prepare it first"):
        axis._check_prepared()
    axis.mode = "velocity"
    axis._check_prepared()
    with pytest.raises(Refused, match="a setpoint before the axis was enabled; enable it first"):
        axis._check_enabled()
    axis._enabled = True
    axis._check_enabled()
    with pytest.raises(Refused, match="mode must be one of position, velocity, torque, got 'sideways'"):
        axis._check_mode("sideways")


@pytest.mark.parametrize(
    ("value", "is_beyond"),
    [
        (10.0, False), (-10.0, False), (10.0 * (1.0 + 1e-12), False), (10.001, True), (-10.001, True),
        (math.nan, True), (math.inf, True), (-math.inf, True), (0.0, False),
    ],
)  # fmt: skip
def test_a_limit_holds_to_both_sides_and_for_what_is_no_number(axis: Noted, value: float, is_beyond: bool) -> None:
    assert beyond(value, 10.0) == is_beyond
    if is_beyond:
        with pytest.raises(Refused, match=r"is beyond max_speed = 10 rad/s"):
            axis._check_speed(value, 10.0)
    else:
        axis._check_speed(value, 10.0)


@pytest.mark.parametrize(("direction", "sign"), [("forward", 1.0), ("reverse", -1.0)])
def test_a_gear_of_four(direction: str, sign: float) -> None:
    """One turn of the axis is four of the motor; its torque is a quarter."""
    gearing, turn = Gearing(4.0, direction, zero=0.5), 2.0 * math.pi
    assert gearing.turns == pytest.approx(sign * 4.0 / turn)
    assert gearing.motor_position(0.5 + turn) == pytest.approx(sign * 4.0)
    assert gearing.motor_velocity(turn) == pytest.approx(sign * 4.0)
    assert gearing.motor_torque(8.0) == pytest.approx(sign * 2.0)
    assert gearing.position(sign * 4.0) == pytest.approx(0.5 + turn)
    assert gearing.velocity(sign * 4.0) == pytest.approx(turn)
    assert gearing.torque(sign * 2.0) == pytest.approx(8.0)


# -- how fast a line is ----------------------------------------------------------------------------------------------------------------


class Clock:
    """Goes on by what each exchange takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, axis: Noted, *took: float) -> None:
        self.now, self.n, self._took = 0.0, 0, took
        monkeypatch.setattr(drivers_axis, "host_clock", SimpleNamespace(now=lambda: self.now))
        monkeypatch.setattr(axis, "_probe", self._probe)

    def _probe(self) -> None:
        self.now += self._took[self.n % len(self._took)]
        self.n += 1


@pytest.mark.parametrize(("took", "probes"), [(0.01, 20), (0.125, 8), (0.5, 3), (2.0, 3)])
def test_a_line_is_timed_by_twenty_exchanges_or_by_three_when_it_is_slow(
    monkeypatch: pytest.MonkeyPatch, axis: Noted, took: float, probes: int
) -> None:
    clock = Clock(monkeypatch, axis, took)
    assert axis.cycle_time() == pytest.approx(2 * took) and clock.n == probes


def test_one_exchange_that_hangs_is_not_the_lines_time(monkeypatch: pytest.MonkeyPatch, axis: Noted) -> None:
    Clock(monkeypatch, axis, 0.01, 0.01, 0.01, 0.3)
    assert axis.cycle_time() == pytest.approx(2 * 0.01)


@pytest.mark.parametrize(("rate", "rounds"), [(50.0, 1), (40.0, 1), (51.0, 4)])
def test_a_line_carries_what_fits_into_its_time(monkeypatch: pytest.MonkeyPatch, axis: Noted, rate: float, rounds: int) -> None:
    asked, slept = [], list[float]()
    monkeypatch.setattr(axis, "cycle_time", lambda: asked.append(0) or 0.02)
    monkeypatch.setattr(drivers_axis, "time", SimpleNamespace(sleep=slept.append))
    said = axis.too_slow(rate)
    assert len(asked) == rounds and len(slept) == rounds - 1
    if rounds == 1:
        assert said == ""
        axis._check_rate(rate)
    else:
        assert said == "one setpoint with its feedback takes 20.0 ms on this line, so 50.0 a second; 51 are wanted: raise the baud rate, " \
            "or stream fewer"  # fmt: skip
        with pytest.raises(Refused, match="motor at COM1: one setpoint"):
            axis._check_rate(rate)


@pytest.mark.parametrize(("took", "fits"), [((0.03, 0.03, 0.03, 0.02), True), ((0.03, 0.025, 0.03, 0.021), False)])
def test_the_quickest_round_is_the_lines(monkeypatch: pytest.MonkeyPatch, axis: Noted, took: tuple[float, ...], fits: bool) -> None:
    """50 a second take 20 ms each, and not a millisecond more."""
    rounds = iter(took)
    monkeypatch.setattr(axis, "cycle_time", lambda: next(rounds))
    monkeypatch.setattr(drivers_axis, "time", SimpleNamespace(sleep=lambda seconds: None))
    assert (axis.too_slow(50.0) == "") == fits
