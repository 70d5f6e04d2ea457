"""The command's first moments: Ctrl-C while it is still being imported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tiers import quick

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys

class Interrupt:
    '''Ctrl-C, the first time that the module is looked for.'''
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            sys.meta_path.remove(self)
            raise KeyboardInterrupt

MODULE = sys.argv.pop(1)
sys.meta_path.insert(0, Interrupt())
from rig.entry import main

code = main()
assert not any(isinstance(finder, Interrupt) for finder in sys.meta_path), "the module was not imported at all"
sys.exit(code)
"""

RUN = ("run", "configs/experiments/linkage.toml", "--headless")


def interrupted_at(module: str, *arguments: str, command: Sequence[str] = RUN) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, module, *command, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)


# One of the first modules that are imported, the table of results, the command itself, and what the configuration needs.
@pytest.mark.parametrize(
    "module", quick(["argparse", "rig.command_line.result", "rig.commands.running.run", "numpy", "pydantic"], ["argparse", "numpy"])
)
def test_interrupted_while_it_is_loaded_it_was_stopped(module: str, tmp_path: Path) -> None:
    done = interrupted_at(module, "--out", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped (Ctrl-C) before its end\n")
    assert list(tmp_path.iterdir()) == []


def test_the_object_is_printed_then_too(tmp_path: Path) -> None:
    done = interrupted_at("argparse", "--json", "--out", str(tmp_path))
    said = json.loads(done.stdout)
    assert (said["outcome"], said["exit_code"], said["command"], done.returncode) == ("stopped", 130, "run", 130)


# Nothing is there that a script could go on with.
@pytest.mark.parametrize("module", quick(["argparse", "rig.commands.models.laws", "numpy"], ["numpy"]))
@pytest.mark.parametrize("signalled", [signal.SIGINT, signal.SIGTERM])
def test_another_command_ends_as_one_that_a_signal_ended(module: str, signalled: int) -> None:
    program = PROGRAM.replace("raise KeyboardInterrupt", f"import signal; signal.raise_signal({int(signalled)})")
    done = subprocess.run([sys.executable, "-c", program, module, "laws"], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert (done.returncode, done.stdout) == (128 + signalled, "")
    assert done.stderr.startswith("stopped (")


def test_the_command_begins_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"rig": "rig.entry:main", "daqmx-sim": "drivers.simulated.command.main:main"}


@pytest.mark.parametrize("redirected", quick([">&-", ">&- 2>&-", "| head -n 1"], 2))
def test_a_command_does_its_work_whatever_has_become_of_its_output(redirected: str) -> None:
    """As at a terminal: exit code 0, and no word of Python's; in a code page that lacks half of the signs."""
    command = f'"$0" -m rig laws --restitution 0.5 {redirected}; exit ${{PIPESTATUS[0]}}'
    environment = {**os.environ, "PYTHONIOENCODING": "cp437"}
    done = subprocess.run(["bash", "-c", command, sys.executable], capture_output=True, env=environment, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr


NOBODY = """
import os, pwd, sys

def unknown(number):
    raise KeyError(number)

os.environ.pop("HOME", None)
os.environ.pop("XDG_CACHE_HOME", None)
pwd.getpwuid = unknown
sys.argv = ["rig", "check", "nosuch.toml", "--set", "mechanism.clearance=0.2 mm"]
from rig.entry import main

sys.exit(main())
"""


def test_a_user_whom_the_system_does_not_know_needs_no_home() -> None:
    """As in a container that runs under a number, without HOME: Python finds no home then, and raises RuntimeError."""
    done = subprocess.run([sys.executable, "-c", NOBODY], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert (done.returncode, done.stderr) == (2, "nosuch.toml: no such experiment file\n")


@pytest.mark.parametrize(("given", "used"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_linear_algebra_has_one_thread_unless_the_user_says_otherwise(given: dict[str, str], used: str) -> None:
    """Its own threads wait by spinning, and take the cores from the processes of a run, which inherit what is set here."""
    program = """
import os, sys
from rig.entry import main
sys.argv = ["rig", "--help"]
try:
    main()
except SystemExit:
    pass
import scipy.linalg, threadpoolctl
print(os.environ["OPENBLAS_NUM_THREADS"], *(pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"))
"""
    inherited = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True, env={**inherited, **given}
    )
    named, *pools = done.stdout.splitlines()[-1].split()
    assert named == used
    assert pools and all(int(pool) <= int(used) for pool in pools)
