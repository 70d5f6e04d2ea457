"""What a worker says of itself while a step takes long."""

from __future__ import annotations

import io
import queue
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from waiting import until

from rig.streaming.heartbeat_table import HeartbeatTable
from rig.streaming.processes import SUPERVISOR, SUPERVISOR_SILENT
from rig.workers import links as sides
from rig.workers import runtime
from rig.workers.links import Links, LongSteps


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Links:
    monkeypatch.setattr(sides, "BEAT_EVERY", 0.01)
    return Links(io.StringIO(), HeartbeatTable.create(tmp_path / "board", ["bench", "supervisor"]), "bench")


def test_who_waits_for_a_drive_that_says_nothing_is_alive(links: Links) -> None:
    begun = time.monotonic()
    with links.signs_of_life():
        while links._board.alive("bench") < begun + 0.1:
            assert time.monotonic() < begun + 20.0
            time.sleep(0.01)
    last = links._board.alive("bench")
    time.sleep(0.05)
    assert links._board.alive("bench") == last


def test_who_waits_for_ever_hangs(links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "WAITING", 0.1)
    before = set(threading.enumerate())
    with links.signs_of_life():
        until(lambda: not set(threading.enumerate()) - before, "over")
        last = links._board.alive("bench")
        time.sleep(0.1)
        assert links._board.alive("bench") == last


def test_each_of_several_that_are_waited_for_has_its_whole_time(links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three drives, each of which may take ten seconds, take longer than one may."""
    now = 1000.0
    monkeypatch.setattr(sides.clock, "now", lambda: now)
    monkeypatch.setattr(sides, "WAITING", 20.0)

    def beats() -> bool:
        return links._board.alive("bench") == now

    before = set(threading.enumerate())
    with links.signs_of_life():
        until(beats, "alive")
        now = 1019.0
        until(beats, "alive for as long as it may take")
        links.beat()  # the next one
        now = 1038.0
        until(beats, "alive for as long as the next one may take")
        now = 1039.5
        until(lambda: not set(threading.enumerate()) - before, "over")


def test_a_supervisor_that_gives_no_sign_of_life_has_abandoned_the_rest(links: Links) -> None:
    board = links._board
    board.beat(SUPERVISOR)
    assert not links.abandoned
    board._rows["alive"][board._names[SUPERVISOR]] -= SUPERVISOR_SILENT - 1.0
    assert not links.abandoned
    board._rows["alive"][board._names[SUPERVISOR]] -= 1.0
    assert links.abandoned
    board.beat(SUPERVISOR)
    assert not links.abandoned, "it is back"


def test_a_step_that_waits_for_a_disk_gives_signs_of_life_for_as_long_as_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "BEAT_EVERY", 0.005)
    now, looks, beats = 1000.0, list[int | None](), list[float]()

    def look() -> float:
        looks.append(threading.current_thread().ident)
        return now

    def looks_again() -> None:
        """More than once: a beat of the time before may be on its way."""
        seen = looks.count(own.ident)
        until(lambda: looks.count(own.ident) >= seen + 2)

    monkeypatch.setattr(sides.clock, "now", look)
    before = set(threading.enumerate())
    steps = LongSteps(lambda: beats.append(now), 0.2)
    (own,) = set(threading.enumerate()) - before
    with steps:
        until(lambda: len(beats) > 0)
        now = 1000.19
        until(lambda: beats[-1] == now)
        now = 1000.21
        looks_again()
        told = len(beats)
        looks_again()
        assert len(beats) == told, "then it counts as one that hangs"
    now = 1000.1
    looks_again()
    assert len(beats) == told, "between two steps its loop tells"


def test_a_worker_loop_hears_once_that_it_has_been_abandoned(links: Links) -> None:
    """And goes on: it has something to bring to its end."""
    heard: list[str] = []

    class Worker:
        done = False
        steps = 0

        def command(self, verb: str, data: dict[str, Any]) -> None:
            heard.append(verb)

        def step(self) -> float:
            self.steps += 1
            self.done = self.steps == 3
            return 0.0

        def report(self) -> dict[str, Any]:
            return {}

    worker: Any = Worker()
    runtime._loop(worker, links, queue.SimpleQueue())
    assert (heard, worker.steps) == (["abandoned"], 3)


@pytest.mark.parametrize("last", ["", '{"verb": "stop", "rea'])
def test_whoever_is_killed_in_the_middle_of_a_line_is_known_to_be_gone(last: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is left to say so, and what moves is to be tripped at once."""
    monkeypatch.setattr("sys.stdin", io.StringIO('{"verb": "start"}\n' + last))
    inbox: queue.SimpleQueue[tuple[str, dict[str, Any]]] = queue.SimpleQueue()
    alone = threading.Event()
    runtime._listen(inbox, alone)
    assert alone.is_set()
    assert [inbox.get_nowait()[0] for _ in range(inbox.qsize())] == ["start", "orphaned"]
