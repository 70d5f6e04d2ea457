"""A `rig run` as a test drives it: started as its user starts it, looked at from outside only."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import machine
import psutil

from rig.commands import main
from rig.errors import StaleStream
from rig.streaming.ring import RingReader

ROOT = Path(__file__).resolve().parents[2]
LINKAGE = ROOT / "configs/experiments/linkage.toml"
RIG = [sys.executable, "-m", "rig"]
START_PATIENCE = 60.0
STOOD = 0.1
"""Share of a test at real pace for which device time may stand still. Shared machines lose a processor for tens of milliseconds now and
then, by less than makes a test be made again; a bench that takes a tenth longer than real time is found."""


HEADLESS = ("--headless", "--no-picture")
"""For a test that looks at no picture: drawing one takes 0.7 s of a core, 2 s in a process that has drawn none before. Every rig's is
drawn in test_system_rigs.py, those of tests that were stopped or tripped in test_system_linkage.py."""
UNPREPARED = "bench.loader.preparation.enabled=false"
"""Straight to the test: the preparation takes most of the time of a short one."""


class Answer(dict[str, Any]):
    """The object that a command prints. A test that expected another one shows it whole, with what went wrong first: what failed once in
    a thousand runs, on another machine, is not made again for who asks why."""

    def __repr__(self) -> str:
        first = {name: self[name] for name in ("outcome", "reason", "error", "problems", "warnings", "events") if self.get(name)}
        return repr(first | dict(self))


def rig(*arguments: str, timeout: float = 120.0) -> tuple[int, Answer]:
    """One command with --json, to its end: (exit code, the object). After `timeout` s it is stopped as by Ctrl-C.

    In this process, which has loaded already what a command loads (1.5 s of a core each time); `Running` starts one of its own.
    """
    said, errors = io.StringIO(), io.StringIO()
    patience = threading.Timer(timeout, os.kill, (os.getpid(), signal.SIGINT))
    patience.start()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors), contextlib.chdir(ROOT):
            code = main([*arguments, "--json"])
    finally:
        patience.cancel()
    assert said.getvalue().count("\n") == 1, f"exactly one line expected: {said.getvalue()!r}\n{errors.getvalue()}"
    assert "Traceback" not in errors.getvalue(), errors.getvalue()
    return code, Answer(json.loads(said.getvalue()))


def assert_kept_pace(data: dict[str, Any], stood: float | None = None) -> None:
    """Device time went on with the wall's: a test at real pace whose bench stood still has tested less than it says. `stood`: for how
    long (s), where the bench is none of the run's."""
    stood = data["stood_still_s"] if stood is None else stood
    if stood is not None:
        machine.STOOD_STILL.append((stood / data["duration_s"], STOOD))
    assert stood is not None and stood < STOOD * data["duration_s"], f"device time stood still for {stood} s of {data['duration_s']} s"


def first_words(data: dict[str, Any], kind: str = "state") -> list[str]:
    """Of what the events of a kind say, what stands before the colon."""
    return [event["text"].split(":")[0] for event in data["events"] if event["kind"] == kind]


class Running:
    """A run that is on its way."""

    def __init__(
        self, out: Path, *overrides: str, window: bool = False, picture: bool = False, bench: Path | None = None, experiment: Path = LINKAGE
    ) -> None:
        sets = [word for override in overrides for word in ("--set", override)]
        sets += ["--bench", str(bench)] if bench else []
        shown = () if window else ("--headless",) if picture else HEADLESS
        self.out, self.bench = out, bench
        self.process = subprocess.Popen(
            [*RIG, "run", str(experiment), "--json", "--out", str(out), *shown, *sets],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True,
        )  # fmt: skip

    def wait_for_samples(self, count: int = 1) -> None:
        """Until sample `count` has been measured."""
        self._wait_for("measured", count)

    def wait_for_preparation(self, count: int) -> None:
        """Until its sample `count` has been measured."""
        self._wait_for("preparation", count)

    def _wait_for(self, stream: str, count: int) -> None:
        deadline = time.monotonic() + START_PATIENCE
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.process.communicate()
            with contextlib.suppress(IndexError, FileNotFoundError, json.JSONDecodeError, StaleStream):
                ring = Path(json.loads((self.folder / "plan.json").read_text())["rings"]) / f"{stream}.ring"
                reader = RingReader.open(ring, 0.0) if ring.exists() else None
                if reader is not None:
                    head = reader.head
                    reader.close()
                    if head >= count:
                        self.pids = json.loads((self.folder / "processes.json").read_text())
                        self.rings = ring.parent
                        return
            time.sleep(0.01)
        raise AssertionError(f"stream {stream}: sample {count} was not measured")

    def wait_for_process(self, name: str) -> psutil.Process:
        """As soon as it has been started, before it has opened anything."""
        deadline = time.monotonic() + START_PATIENCE
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.process.communicate()
            with contextlib.suppress(IndexError, FileNotFoundError):
                self.pids = json.loads((self.folder / "processes.json").read_text())
                if name in self.pids:
                    return psutil.Process(self.pids[name])
            time.sleep(0.01)
        raise AssertionError(f"{name} was not started")

    @property
    def folder(self) -> Path:
        return sorted(path for path in self.out.iterdir() if path.is_dir())[0]

    def kill(self, name: str) -> float:
        """kill -9; returns the time at which it was done (time.time(), s)."""
        now = time.time()
        psutil.Process(self.pids[name]).send_signal(signal.SIGKILL)
        return now

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self, timeout: float = 40.0) -> tuple[int, Answer, str]:
        """(exit code, the object, standard error). Fails when something was left running."""
        out, err = self.process.communicate(timeout=timeout)
        self.assert_nothing_left(2.0)
        assert "Traceback" not in err, err
        return self.process.returncode, Answer(json.loads(out)), err

    def ended_as(self, code: int, outcome: str, why: str = "") -> Answer:
        """The object; it has to tell that outcome. `why`: what its reason, or the error, has to say."""
        found, data, _ = self.end()
        assert (found, data["outcome"]) == (code, outcome), data
        assert why in data["error" if code == 3 else "reason"], data
        return data

    def assert_nothing_left(self, within: float) -> None:
        """No process of the run lives, no mapping of its rings is left."""
        deadline = time.monotonic() + within
        while left := [name for name, pid in self.pids.items() if _alive(pid)]:
            assert time.monotonic() < deadline, f"still running {within:g} s after the end: {left}"
            time.sleep(0.02)

    def controller_log(self) -> list[dict[str, Any]]:
        """What the simulated controller wrote down."""
        lines = (self.folder / "virtual_bench.log").read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]


class Queued:
    """Time (s) that a process' main thread has stood ready to run while others had the cores: what a shared machine took from it."""

    def __init__(self, pid: int) -> None:
        self._file = Path(f"/proc/{pid}/schedstat")
        self._before = self._latest = self._read()
        threading.Thread(target=self._follow, daemon=True).start()

    @property
    def seconds(self) -> float:
        """Since it began to be looked at, until the process ended."""
        return self._latest - self._before

    def _follow(self) -> None:
        with contextlib.suppress(OSError, IndexError):  # the process has ended
            while True:
                self._latest = self._read()
                time.sleep(0.05)

    def _read(self) -> float:
        return int(self._file.read_text().split()[1]) * 1e-9


def _alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@contextlib.contextmanager
def virtual_bench(*overrides: str, experiment: Path = LINKAGE, log: Path = Path(os.devnull)) -> Iterator[str]:
    """`rig virtual-bench` started by hand: gives its HOST:PORT. `log`: file for what it says meanwhile."""
    sets = [word for override in overrides for word in ("--set", override)]
    command = [*RIG, "virtual-bench", str(experiment), "--port", "0", *sets]
    with log.open("w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening "), line
        yield line.split()[1]
    finally:
        process.terminate()
        process.wait(10)


def free_port() -> int:
    """One that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
