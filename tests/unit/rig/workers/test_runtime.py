"""What a worker says of itself while a step takes long."""

from __future__ import annotations

import io
import json
import queue
import subprocess
import sys
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
from tests.unit.rig.workers import hungry

ROOT = Path(__file__).parents[4]


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


class Hand:
    """A clock that stands where it is put. looks: what it showed whoever looked."""

    def __init__(self) -> None:
        self.now, self.looks = 1000.0, list[float]()

    def __call__(self) -> float:
        self.looks.append(self.now)
        return self.now


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    """Of the clock by which one that is waited for may take 20 s."""
    monkeypatch.setattr(sides.clock, "now", hand := Hand())
    monkeypatch.setattr(sides, "WAITING", 20.0)
    return hand


def test_who_waits_for_ever_hangs(links: Links, hand: Hand) -> None:
    with links.signs_of_life():
        until(lambda: links._board.alive("bench") == 1000.0, "alive")
        hand.now = 1021.0
        until(lambda: hand.looks.count(1021.0) > 3, "looked at again and again")
        assert links._board.alive("bench") == 1000.0


def test_each_of_several_that_are_waited_for_has_its_whole_time(links: Links, hand: Hand) -> None:
    """Three drives, each of which may take ten seconds, take longer than one may."""

    def beats() -> bool:
        return links._board.alive("bench") == hand.now

    with links.signs_of_life():
        until(beats, "alive")
        hand.now = 1019.0
        until(beats, "alive for as long as it may take")
        links.beat()  # the next one
        hand.now = 1038.0
        until(beats, "alive for as long as the next one may take")
        hand.now = 1039.5
        until(lambda: hand.looks.count(1039.5) > 3, "looked at again and again")
        assert not beats(), "over"


def test_no_thread_is_begun_for_what_takes_long(links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is begun where no memory is left does not come to its first line, and whoever begins it waits for that."""
    monkeypatch.setattr(threading.Thread, "start", lambda self: pytest.fail(f"{self.name} was begun"))
    before = links._board.alive("bench")
    with links.signs_of_life():
        until(lambda: links._board.alive("bench") > before, "alive")
    assert links._board.alive("bench") > before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits on the memory of a process")
def test_a_worker_without_memory_says_so_and_comes_to_its_end(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, hungry.__file__, str(tmp_path)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, stdin=subprocess.PIPE,
        capture_output=True, text=True, timeout=120.0, check=False,
    )  # fmt: skip
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["message"] for one in said] == ["ready", "failed", "closed"], (done.stdout, done.stderr)
    assert said[1]["text"].startswith("recorder: out of memory") and said[1]["error"] == "MemoryError" and done.returncode == 3
    assert (tmp_path / "closed").stat().st_size == hungry.CLOSING and not done.stderr


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
