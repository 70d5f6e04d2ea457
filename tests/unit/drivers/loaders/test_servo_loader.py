"""A controller that takes its time: pumps and interlocks take seconds, and nobody may be taken for dead meanwhile."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import pairwise

import pytest

from drivers.errors import NoReply
from drivers.servo_loader import Config, ServoLoader


class Frame:
    """Lines of a controller that closes its interlock, and has pressure, `late` s after it was asked."""

    def __init__(self, late: float) -> None:
        self._late = late
        self._asked: dict[str, float] = {}
        self.beats: list[float] = []
        self._heartbeat = False

    def write_lines(self, states: Mapping[str, bool]) -> None:
        for name, high in states.items():
            if not high:
                self._asked.pop(name, None)
            else:
                self._asked.setdefault(name, time.monotonic())
        if "heartbeat" in states and states["heartbeat"] != self._heartbeat:
            self._heartbeat = states["heartbeat"]
            self.beats.append(time.monotonic())

    def read_lines(self) -> dict[str, bool]:
        return {"estop_ok": True, "interlock_ok": self._since("interlock"), "hydraulics_on": self._since("hydraulics")}

    def _since(self, name: str) -> bool:
        return time.monotonic() - self._asked.get(name, float("inf")) > self._late


def test_the_watchdog_and_the_heartbeat_are_served_while_the_controller_takes_its_time() -> None:
    frame, told = Frame(late=0.5), [time.monotonic()]
    loader = ServoLoader(Config(settle=5.0), frame, "force")
    loader.prepare(alive=lambda: told.append(time.monotonic()))
    told.append(time.monotonic())
    assert told[-1] - told[0] > 0.5
    assert max(after - before for before, after in pairwise(told)) < 0.2  # 5 ms are asked for; this machine is shared
    assert len(frame.beats) >= 5 and len(frame.beats) <= 1.5 * (told[-1] - told[0]) / loader.config.heartbeat_period


@pytest.mark.parametrize("settle", [0.1, 0.3])
def test_one_that_does_not_follow_is_told_with_its_line(settle: float) -> None:
    loader = ServoLoader(Config(settle=settle), Frame(late=60.0), "force")
    with pytest.raises(NoReply, match=f"interlock_ok still low {settle:g} s after it was asked for; its interlock did not close"):
        loader.prepare()


def test_one_that_follows_at_once_is_not_waited_for() -> None:
    told: list[float] = []
    frame = Frame(late=-1.0)
    ServoLoader(Config(), frame, "stroke").prepare(alive=lambda: told.append(0.0))
    assert not told and not frame.beats
