"""The terminal is closed, or the ssh breaks, in the middle of a test: a ramped stop and a complete record, as SIGTERM gives."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import subprocess
import termios
import time
from pathlib import Path

import pytest
from bench_run import HEADLESS, LINKAGE, RIG, ROOT, Running, rig

from rig.recorder.reading import read_run

LONG = ("trajectory.cycles=400", "bench.pace=lockstep", "bench.loader.preparation.enabled=false")


def stopped_in_order(run: Running, reason: str) -> None:
    code, data, _ = run.end()
    assert (code, data["outcome"], data["reason"]) == (0, "stopped", reason), data
    record = read_run(run.folder)
    assert record.complete
    assert abs(record.streams["command"]["value"][-1]) < 1.0
    assert not [event for event in data["events"] if "tripped" in event["text"]]


def test_a_hangup_stops_by_a_ramp_and_is_told_once_however_often_it_comes(tmp_path: Path) -> None:
    run = Running(tmp_path, *LONG)
    run.wait_for_samples()
    for _ in range(3):  # kernel and shell both send it
        run.process.send_signal(signal.SIGHUP)
        time.sleep(0.02)
    stopped_in_order(run, "terminal closed")


@pytest.mark.long
def test_a_request_to_terminate_does_the_same(tmp_path: Path) -> None:
    run = Running(tmp_path, *LONG)
    run.wait_for_samples()
    run.process.send_signal(signal.SIGTERM)
    stopped_in_order(run, "asked to terminate")


@pytest.mark.long
def test_a_terminal_that_goes_away_under_the_progress_bar_ends_nothing_but_the_test(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    run = Running.__new__(Running)
    run.out = tmp_path
    sets = [word for override in LONG for word in ("--set", override)]
    with (tmp_path.parent / f"{tmp_path.name}.json").open("w+") as said:
        run.process = subprocess.Popen(
            [*RIG, "run", str(LINKAGE), "--json", *HEADLESS, "--out", str(tmp_path), *sets],
            stdin=theirs, stdout=said, stderr=theirs, cwd=ROOT, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(theirs)
        run.wait_for_samples()
        os.close(ours)
        assert run.process.wait(60.0) == 0
        run.assert_nothing_left(2.0)
        said.seek(0)
        assert '"outcome": "stopped"' in said.read()
    assert read_run(run.folder).complete


@pytest.mark.long
def test_under_nohup_a_hangup_changes_nothing(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # what is started from here on ignores it, as under nohup
    try:
        run = Running(tmp_path, "trajectory.cycles=3", *LONG[1:])
    finally:
        signal.signal(signal.SIGHUP, before)
    run.wait_for_samples()
    run.process.send_signal(signal.SIGHUP)
    run.ended_as(0, "done")


@pytest.mark.long
def test_a_tare_that_is_hung_up_keeps_nothing_and_leaves_nobody(tmp_path: Path) -> None:
    bench = tmp_path / "bench.toml"
    bench.write_text((ROOT / "configs/benches/virtual_loader.toml").read_text())
    process = subprocess.Popen(
        [*RIG, "tare", str(bench), "--json", "--set", "bench.tare.duration=10 s"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    deadline = time.monotonic() + 60.0
    while not (children := _children(process.pid)):
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.02)
    time.sleep(0.5)
    process.send_signal(signal.SIGHUP)
    out, err = process.communicate(timeout=30.0)
    assert (process.returncode, '"outcome": "stopped"' in out) == (129, True), (out, err)  # 128 and the signal
    assert [path.name for path in tmp_path.iterdir()] == ["bench.toml"]
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    assert rig("check", str(LINKAGE), "--bench", str(bench))[0] == 0


def _children(pid: int) -> list[int]:
    import psutil

    return [child.pid for child in psutil.Process(pid).children(recursive=True)]
