"""Several drives are told to let go: at the same time, those on one line one after the other, within one allowance for the line."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

from drivers.serial.allowance import Allowance
from rig.workers.bench import endings


class Drive:
    """On a port; notes what it is limited to."""

    def __init__(self, port: str) -> None:
        self.name, self.limits = f"drive on {port}", list[Allowance]()
        self.line: Any = SimpleNamespace(settings=SimpleNamespace(port=port), limit=self.limits.append)


def drives() -> dict[int, Any]:
    return {0: Drive("COM1"), 1: Drive("COM2"), 2: Drive("COM1")}


def test_what_is_tripped_has_six_seconds_a_line() -> None:
    """What is being asked just now, the quick stop, and looks at how it brakes (decision 38)."""
    own = drives()
    endings.hurry(own)
    (first,), (second,), (third,) = (one.limits for one in own.values())
    assert first is third and first is not second
    assert [first.seconds, second.seconds] == [6.0, 6.0] and first.doing == "stopping it"


def test_what_is_let_go_has_four_seconds_a_line_and_is_told_in_order() -> None:
    own = drives()
    told = endings.end_all(own, lambda k: [f"drive {k} is gone", f"and {k} is closed"] if k != 1 else [])
    assert told == ["drive 0 is gone", "and 0 is closed", "drive 2 is gone", "and 2 is closed"]
    (first,), (second,), (third,) = (one.limits for one in own.values())
    assert first is third and first is not second and [first.seconds, second.seconds] == [4.0, 4.0]
    assert first.doing == "letting go of it"


def test_lines_do_not_wait_for_each_other_and_drives_on_one_line_do() -> None:
    own, order = drives(), list[str]()
    other = threading.Event()

    def end(k: int) -> list[str]:
        order.append(f"begin {k}")
        if k == 1:
            other.set()
        elif k == 0:
            assert other.wait(10.0), "the other line is told at the same time"
        order.append(f"end {k}")
        return []

    assert endings.end_all(own, end) == []
    assert order.index("end 0") < order.index("begin 2") and own[2].limits != []


def test_each_is_limited_before_it_is_told() -> None:
    own = drives()

    def end(k: int) -> list[str]:
        return [] if own[k].limits else [f"{k} was told first"]

    assert endings.end_all(own, end) == []


def test_without_drives_there_is_nothing_to_end() -> None:
    assert endings.end_all({}, lambda k: ["nobody"]) == []
    endings.hurry({})
