"""The hardware watchdog is reset in time, whatever the time that blocks take."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from drivers.errors import DriverError
from rig.workers.bench.keepalive import Keepalive


class Device:
    def __init__(self) -> None:
        self.resets = 0

    def reset_watchdog(self) -> None:
        self.resets += 1


class Actuation:
    def attend(self, more: bool = False) -> None:
        return None


@pytest.mark.parametrize(("took", "most"), [(0.01, 0.07), (0.04, 0.09), (0.1, 0.1)])
def test_it_is_reset_within_a_share_of_its_time_out(took: float, most: float) -> None:
    """Blocks of 10 ms, which a computer that has fallen behind takes 40 or 100 ms for."""
    device, now, at = Device(), [0.0], [0.0]
    actuation: Any = Actuation()
    attending = Keepalive(device, actuation, 0.01, 0.25, lambda: now[0])
    for k in range(100):
        before = device.resets
        (attending.attend if k % 2 else attending.keep)()
        if device.resets > before:
            at.append(now[0])
        now[0] += took
    assert max(b - a for a, b in itertools.pairwise(at)) <= most + 1e-9


def test_none_is_reset_where_none_is() -> None:
    device = Device()
    actuation: Any = Actuation()
    attending = Keepalive(device, actuation, 0.01, None)
    for _ in range(50):
        attending.attend()
    assert device.resets == 0


def resets(block: float, watchdog: float | None, took: float, blocks: int = 40) -> list[int]:
    """Blocks (from 0) in which the watchdog was reset, of a computer that takes `took` s for each."""
    device, now, found = Device(), [100.0], []
    actuation: Any = Actuation()
    attending = Keepalive(device, actuation, block, watchdog, lambda: now[0])
    for k in range(blocks):
        before = device.resets
        attending.attend()
        if device.resets > before:
            found.append(k)
        now[0] += took
    return found


def test_a_quarter_of_the_time_out_is_counted_in_blocks_and_no_more_often() -> None:
    """At once, then every sixth block of 10 ms for 250 ms; each reset is a call, which a slow computer can ill afford."""
    assert resets(0.010, 0.25, took=0.0) == [*range(0, 40, 6)], "device time alone, as in lockstep"
    assert resets(0.010, 0.25, took=0.010) == [*range(0, 40, 6)]


def test_where_blocks_take_longer_than_they_are_the_clock_decides() -> None:
    assert resets(0.010, 0.25, took=0.020, blocks=13) == [0, 4, 8, 12], "62.5 ms are over after four"
    assert resets(0.0625, 1.0, took=0.125, blocks=7) == [0, 2, 4, 6], "on the dot"


def test_a_time_out_shorter_than_four_blocks_is_served_in_each() -> None:
    assert resets(0.010, 0.030, took=0.010) == resets(0.010, 0.030, took=0.0) == [*range(40)]
    assert resets(0.010, None, took=10.0) == []


class Faulty(Actuation):
    def __init__(self) -> None:
        self.more: list[bool] = []

    def attend(self, more: bool = False) -> str | None:  # type: ignore[override]
        self.more.append(more)
        return "the interlock has opened"


def test_what_speaks_against_going_on_is_returned_and_the_watchdog_is_reset_all_the_same() -> None:
    device, actuation = Device(), Faulty()
    attending = Keepalive(device, actuation, 0.01, 0.25)  # type: ignore[arg-type]
    assert attending.attend() == "the interlock has opened"
    attending.attend(True)
    assert (actuation.more, device.resets) == ([False, True], 1)


def test_after_a_trip_a_device_that_complains_is_not_heard_and_the_actuation_not_asked() -> None:
    class Expired(Device):
        def reset_watchdog(self) -> None:
            super().reset_watchdog()
            raise DriverError("the watchdog has expired")

    device, actuation = Expired(), Faulty()
    attending = Keepalive(device, actuation, 0.01, 0.25, lambda: 0.0)  # type: ignore[arg-type]
    for _ in range(13):
        attending.keep()
    assert (device.resets, actuation.more) == (3, [])
    with pytest.raises(DriverError):
        for _ in range(6):
            attending.attend()
