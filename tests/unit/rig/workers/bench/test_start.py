"""From "start" to the first sample of a test: pressure is up by then, so nothing may take long, and somebody may want something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.errors import Refused
from rig.trajectory.playback import Config
from tests.unit.rig.workers.bench.bench_worker import rig


def test_a_file_is_read_before_anything_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long ones take seconds, and the watchdog had expired meanwhile, under full pressure."""
    with rig("playback", tmp_path) as bench:
        bench.worker.setup()
        monkeypatch.setattr(Config, "read", lambda config: pytest.fail("read after the set-up"))
        wave = bench.worker._before.trajectory.wave
        assert wave.bounds() is wave.bounds(), "nor is it looked through again"
        bench.worker.command("start", {})
        for _ in range(3):
            bench.step()
        assert bench.time > 0.0
        bench.worker.close()


@pytest.mark.parametrize(("asked", "outcome"), [("stop", "stopped"), ("orphaned", "done")])
def test_whoever_wants_something_else_need_not_wait_for_an_interlock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, outcome: str
) -> None:
    with rig("playback", tmp_path, "bench.loader.settle=60 s") as bench:
        worker = bench.worker
        worker.setup()
        daq = worker._equipment.daq
        looks = daq.read_lines
        monkeypatch.setattr(daq, "read_lines", lambda: {**looks(), "interlock_ok": False})
        bench.heard.patience = 10
        worker.command("start", {})
        assert bench.heard.beats == 11 and not worker.done
        bench.worker.command(asked, {"reason": "Ctrl-C"})
        assert worker.done and worker.course.outcome == outcome
        assert worker.close()["samples"] == 0
        bench.lines("")  # the device side has seen what was written last
        assert bench.said("controller")[-1].startswith("interlock: the client's line fell"), bench.said("controller")


def test_an_emergency_stop_while_it_waits_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with rig("playback", tmp_path, "bench.loader.settle=60 s") as bench:
        bench.worker.setup()
        daq = bench.worker._equipment.daq
        looks = daq.read_lines
        told: list[int] = []

        def look() -> dict[str, bool]:
            told.append(1)
            return {**looks(), "interlock_ok": False, "estop_ok": len(told) < 6}

        monkeypatch.setattr(daq, "read_lines", look)
        with pytest.raises(Refused, match="emergency stop was pressed"):
            bench.worker.command("start", {})
        bench.worker.close()
