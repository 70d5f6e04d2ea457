"""A command that only computes, asked to end: it has ended soon, whatever holds it, and nothing that it started is left."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from rig.commands import COMMANDS
from rig.host.bounded_end import ONLY_COMPUTE, computes
from tests.tiers import quick

ROOT = Path(__file__).parents[4]
# The command line, with a command whose work is BODY.
PROGRAM = """
import contextlib, os, signal, subprocess, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from rig.host import bounded_end
from rig.command_line.result import Result

bounded_end.GRACE = {grace}
number = int(sys.argv.pop(1))

def ask():
    os.kill(os.getpid(), number)

def execute(args):
{body}
    return Result(text="done")

sys.modules["rig.commands.models.laws"] = SimpleNamespace(configure=lambda parser: None, execute=execute)
from rig.entry import main
sys.exit(main())
"""
HELD = {
    "a thread that compiles": """
    with ThreadPoolExecutor(1) as pool:
        pool.submit(time.sleep, 1000)
        ask()
        time.sleep(1000)""",
    "a thread that compiles while Python ends": """
    pool = ThreadPoolExecutor(1)
    pool.submit(time.sleep, 1000)
    ask()
    time.sleep(1000)""",
    "a lock that nobody releases": """
    with contextlib.suppress(KeyboardInterrupt):
        ask()
        time.sleep(1000)
    lock = threading.Lock()
    lock.acquire()
    while True:
        with contextlib.suppress(KeyboardInterrupt):
            lock.acquire()""",
}
LOST = """
    class Callback:
        def __del__(self):
            ask()
            time.sleep(0.5)
    try:
        callback = Callback()
        del callback
        time.sleep(1000)
    finally:
        print("closed in order", file=sys.stderr)"""
CHILD = """
    import psutil
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    print(child.pid, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        ask()
        time.sleep(1000)
    time.sleep(1000)"""


def asked(body: str, number: int, *words: str, grace: float = 0.2) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM.replace("{body}", body).replace("{grace}", f"{grace}"), str(number), "laws", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)


@pytest.mark.parametrize("number", quick([signal.SIGINT, signal.SIGTERM], [signal.SIGTERM]))
@pytest.mark.parametrize("held", HELD)
def test_it_ends_whatever_holds_it(held: str, number: int) -> None:
    done = asked(HELD[held], number)
    words = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "asked to terminate"}[signal.Signals(number)]
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", f"stopped ({words}) before its end\n")


def test_the_object_is_told_once() -> None:
    done = asked(HELD["a lock that nobody releases"], signal.SIGTERM, "--json")
    said = json.loads(done.stdout)
    assert (said["outcome"], said["exit_code"], done.returncode) == ("stopped", 143, 143)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_that_a_callback_lost_is_made_again(number: int) -> None:
    """Python prints what a destructor raises, and goes on."""
    done = asked(LOST, number, grace=30.0)
    assert done.returncode == 128 + number
    assert done.stderr.startswith("closed in order\nstopped (")
    assert "ignored" not in done.stderr


def test_what_it_started_is_ended_with_it() -> None:
    done = asked(CHILD, signal.SIGTERM)
    assert done.returncode == 143
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(int(done.stdout)).wait(10.0)


def test_nothing_that_may_move_something_ends_like_that() -> None:
    moving = {"run", "check", "tare", "shunt", "calibrate", "talk", "virtual-bench", "devices"}
    assert not moving & ONLY_COMPUTE and set(COMMANDS) > ONLY_COMPUTE
    assert computes(["--json", "laws"]) and not computes(["run", "laws"]) and not computes([])


def test_one_that_nobody_asks_ends_by_itself() -> None:
    done = asked("    pass", signal.SIGTERM)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
    assert os.name == "nt" or "Traceback" not in done.stderr
