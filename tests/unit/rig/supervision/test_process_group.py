"""A process that hangs is found in whatever it hangs in, and ended with words; so is the supervisor's own hanging."""

from __future__ import annotations

import math
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from waiting import until

from rig.host import clock
from rig.streaming import processes
from rig.streaming.processes import SUPERVISOR, SUPERVISOR_SILENT, VIRTUAL_BENCH, Process
from rig.supervision import process_group as crews
from rig.supervision.process_group import ProcessGroup
from rig.supervision.worker_process import WorkerProcess

WAITS = [sys.executable, "-S", "-E", "-c", "import sys; sys.stdin.read()"]


@pytest.fixture
def crew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ProcessGroup]]:
    """Makes a crew of processes that only wait for the end of their input."""
    monkeypatch.setattr(crews, "worker_command", lambda name, run_dir: WAITS)
    monkeypatch.setattr(crews, "virtual_bench_command", lambda run_dir: WAITS)
    made: list[ProcessGroup] = []

    def make(*table: Process) -> ProcessGroup:
        made.append(ProcessGroup(table, tmp_path, tmp_path, lambda name, kind, message: None, hurry=False))
        for process in table:
            made[-1].start(process.name)
        return made[-1]

    yield make
    for one in made:
        for child in one.members.values():
            child.end(0.0)


def found(crew: ProcessGroup, name: str) -> WorkerProcess:
    """As soon as it has been found."""
    dead: list[WorkerProcess] = []
    until(lambda: bool(dead.extend(child for process, child in crew.newly_dead() if process.name == name) or dead), f"{name} is ended")
    return dead[0]


def test_one_that_is_not_ready_in_time_is_ended(crew: Any) -> None:
    child = found(crew(Process("recorder", "always", "stop", setup=0.1)), "recorder")
    assert child.last_words().startswith("recorder was not ready within 0.1 s (see recorder.log in ")
    assert "`rig warmup`" in child.last_words()
    assert child.exit == -signal.SIGKILL


def test_a_bench_has_more_time_the_more_devices_it_opens() -> None:
    """Each may take 5 s until it answers and 5 s to say what it is (drivers.serial.allowance)."""
    assert [processes.row("bench", lines).setup for lines in (0, 1, 6)] == [60.0, 70.0, 120.0]
    assert processes.row("recorder", 6).setup == 60.0


def test_set_ups_are_timed_from_when_the_hardware_is_there(crew: Any) -> None:
    """A simulated one takes minutes to come up on a busy computer; the predictor waits for what is behind it."""
    one = crew(Process(VIRTUAL_BENCH, "virtual", "end"), Process("predictor", "always", "ask", setup=0.05))
    begun = time.monotonic()
    while time.monotonic() < begun + 0.3:
        assert [process.name for process, _ in one.newly_dead() if process.name == "predictor"] == []
    one.equipped()
    assert found(one, "predictor").last_words().startswith("predictor was not ready within 0.05 s")


def test_one_that_was_stopped_in_its_set_up_is_ended_before_its_time_is_over(crew: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = crew(Process("predictor", "always", "ask", setup=1e6))
    psutil.Process(one["predictor"].pid).suspend()
    until(lambda: psutil.Process(one["predictor"].pid).status() == psutil.STATUS_STOPPED)
    monkeypatch.setattr(crews, "SETUP_SILENT", 0.1)
    child = found(one, "predictor")
    assert child.last_words() == "predictor gave no sign of life for 0.1 s and was ended: it had been stopped (SIGSTOP, Ctrl-Z)"


def test_one_that_gives_signs_of_life_has_its_whole_time(crew: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    time_s = [clock.now()]
    monkeypatch.setattr(clock, "now", lambda: time_s[0])
    monkeypatch.setattr(crews, "SETUP_SILENT", 0.2)
    one = crew(Process("predictor", "always", "ask", setup=1e6))
    for _ in range(5):
        time_s[0] += 0.19
        assert one.newly_dead() == []
        one.board.beat("predictor")
    time_s[0] += 0.21
    found(one, "predictor")


def test_one_that_falls_silent_when_it_is_ready_is_ended(crew: Any) -> None:
    one = crew(Process("bench", "always", "end", silent=0.1), Process("recorder", "always", "stop", silent=1e6))
    one["bench"].ready = one["recorder"].ready = True
    assert found(one, "bench").last_words() == "bench gave no sign of life for 0.1 s and was ended"
    assert one["recorder"].exit is None


def test_hardware_that_stands_is_named_with_who_waits_for_it(crew: Any) -> None:
    one = crew(Process(VIRTUAL_BENCH, "virtual", "end"), Process("bench", "always", "end", silent=0.1))
    psutil.Process(one[VIRTUAL_BENCH].pid).suspend()
    until(lambda: psutil.Process(one[VIRTUAL_BENCH].pid).status() == psutil.STATUS_STOPPED)
    one["bench"].ready = True
    assert "it waited for virtual_bench, of which the system says: it had been stopped" in found(one, "bench").last_words()


def test_one_that_hangs_as_it_ends_is_not_waited_for_any_longer(crew: Any) -> None:
    one = crew(Process("predictor", "always", "ask", silent=0.1))
    one["predictor"].ready = True
    one.wait_for("predictor", math.inf)
    assert one["predictor"].exit == -signal.SIGKILL


def test_one_that_the_system_does_not_end_is_left_to_itself(crew: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for a disk: SIGKILL waits as well."""
    monkeypatch.setattr("rig.supervision.worker_process.KILLED_WITHIN", 0.01)
    one = crew(Process("recorder", "always", "stop", setup=0.0))
    process = one["recorder"]._process
    with monkeypatch.context() as held:
        held.setattr(process, "kill", lambda: None)
        held.setattr(one, "_bury", one.gone.add)
        assert [child.last_words()[:8] for _, child in one.newly_dead()] == ["recorder"]
        assert (one["recorder"].exit, one.newly_dead()) == (None, [])


def test_its_own_hanging_is_noticed_wherever_it_waits(crew: Any) -> None:
    one = crew()
    one.listen()
    assert one.stood == 0.0
    one.board._rows["alive"][one.board._names[SUPERVISOR]] -= SUPERVISOR_SILENT + 1.0
    one.listen()
    assert SUPERVISOR_SILENT + 1.0 < one.stood < SUPERVISOR_SILENT + 60.0
    one.beat()
    assert one.stood > SUPERVISOR_SILENT, "it has been so, whatever follows"


def test_each_process_that_is_started_is_a_sign_of_life(crew: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that take 3 s each are no supervisor that has hung for 5."""
    one = crew()
    one.table = {name: Process(name, "always", "end") for name in ("recorder", "predictor")}
    made = crews.WorkerProcess

    def slow(*args: Any) -> WorkerProcess:
        one.board._rows["alive"][one.board._names[SUPERVISOR]] -= 3.0
        return made(*args)

    monkeypatch.setattr(crews, "WorkerProcess", slow)
    for name in one.table:
        one.start(name)
    one.listen()
    assert one.stood == 0.0


def test_where_everything_stood_still_the_others_get_their_time_anew(crew: Any) -> None:
    """A computer that was held for a while: this process goes on before the bench worker does, which is not to be killed for that."""
    one = crew(Process("bench", "always", "end", silent=2.0))
    one["bench"].ready = True
    for name, away in (("bench", 60.0), (SUPERVISOR, 60.0)):
        one.board.beat(name)
        one.board._rows["alive"][one.board._names[name]] -= away
    one["bench"].started -= 60.0
    one.listen()
    assert one.newly_dead() == []
    assert one["bench"].exit is None
    assert found(one, "bench").last_words() == "bench gave no sign of life for 2 s and was ended", "but not for ever"


def test_a_command_to_one_that_does_not_read_keeps_nobody_waiting(crew: Any) -> None:
    """The window hangs, and the status goes on to be told."""
    one = crew(Process("display", "window", "go on"))
    psutil.Process(one["display"].pid).suspend()
    for _ in range(200):
        one.tell("display", "status", text="x" * 1024)  # three pipes full
    assert one["display"].exit is None
