"""The program that ends when whoever started it lets go of its input."""

from __future__ import annotations

import subprocess
import sys

SLEEPING = """
import runpy, sys, time
def program(name, run_name):
    try:
        print(sys.stdin.read() == "", flush=True)
        time.sleep(60.0)
    except KeyboardInterrupt:
        print("stopped", flush=True)
runpy.run_module = program
from rig.bluesky import child
child.main()
"""


def test_it_is_interrupted_when_its_input_ends_and_not_before() -> None:
    process = subprocess.Popen([sys.executable, "-c", SLEEPING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdin is not None
    assert process.stdout.readline() == "True\n", "the program itself has nothing to read"
    try:
        process.wait(0.2)
        raise AssertionError("it ended by itself")
    except subprocess.TimeoutExpired:
        pass
    process.stdin.close()  # as when the other program dies
    assert process.stdout.read() == "stopped\n" and process.wait(30.0) == 0
