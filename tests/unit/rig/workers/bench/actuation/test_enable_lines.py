"""Enable lines after a trip: all low in one call, and none rises again, whoever was about to raise one."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

from rig.workers.bench.actuation.enable_lines import EnableLines

NAMES = ("axis1_enable", "axis2_enable", "axis3_enable")


class Lines:
    """Digital lines that keep every call."""

    def __init__(self) -> None:
        self.calls: list[dict[str, bool]] = []
        self.inside = 0

    def write_lines(self, states: Mapping[str, bool]) -> None:
        self.inside += 1
        assert self.inside == 1, "one thread at a time"
        self.calls.append(dict(states))
        self.inside -= 1

    def read_lines(self) -> dict[str, bool]:
        return {"ok": True}


def test_before_a_trip_they_go_through() -> None:
    lines = Lines()
    enable = EnableLines(lines, NAMES)
    enable.write_lines({"axis1_enable": True})
    enable.write_lines({"axis1_enable": False})
    assert lines.calls == [{"axis1_enable": True}, {"axis1_enable": False}]
    assert enable.read_lines() == {"ok": True}


def test_a_trip_is_one_call_and_for_good() -> None:
    lines = Lines()
    enable = EnableLines(lines, NAMES)
    enable.write_lines({"axis1_enable": True})
    enable.trip()
    enable.write_lines({"axis2_enable": True, "axis3_enable": False})
    enable.trip()
    assert lines.calls[1] == dict.fromkeys(NAMES, False)
    assert not any(state for call in lines.calls[1:] for state in call.values())


def test_threads_that_raise_lines_while_another_trips() -> None:
    lines = Lines()
    enable = EnableLines(lines, NAMES)
    go = threading.Event()

    def raise_on(name: str) -> None:
        go.wait()
        for _ in range(300):
            enable.write_lines({name: True})

    threads = [threading.Thread(target=raise_on, args=(name,)) for name in NAMES]
    for thread in threads:
        thread.start()
    go.set()
    enable.trip()
    for thread in threads:
        thread.join()
    tripped = lines.calls.index(dict.fromkeys(NAMES, False))
    assert not any(state for call in lines.calls[tripped:] for state in call.values())


def test_without_lines_there_is_nothing_to_write() -> None:
    lines = Lines()
    EnableLines(lines, ()).trip()
    assert lines.calls == []


def test_a_trip_waits_for_the_write_that_is_under_way() -> None:
    """Else a line that was about to rise would rise behind it."""
    order, began = list[str](), threading.Event()

    class Slow(Lines):
        def write_lines(self, states: Mapping[str, bool]) -> None:
            raised = any(states.values())
            began.set()
            if raised:
                time.sleep(0.05)
            order.append("raised" if raised else "low")

    enable = EnableLines(Slow(), NAMES)
    thread = threading.Thread(target=enable.write_lines, args=({"axis1_enable": True},))
    thread.start()
    assert began.wait(10.0)
    enable.trip()
    thread.join()
    assert order == ["raised", "low"]
