"""`rig warmup`: compile everything ahead, so that nothing compiles once a test has begun."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import pkgutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil  # noqa: F401 - whoever breaks this off ends the compilers by it (rig.host.bounded_end)

import model
from drivers.interpreter import environment, python
from model import mechanisms
from rig.command_line.result import Result
from rig.errors import RigError
from rig.supervision.compilation import whole
from rig.virtual import plants

LONGEST = "slider_crank.stepper"
"""Begun first, as it takes a minute, which nothing would run beside at the end."""
HYBRID = "rig.hybrid.realtime.compensators.named", "rig.hybrid.realtime.testing"
"""Compensators and the loop of real-time hybrid tests: some seconds."""
LOOPS = "model.integrators.by_address", "model.integrators.by_pointer"
"""The solver's loops, which every mechanism imports: compiled before those, else each of the first would compile its own."""
COMPILE = "import gc; gc.disable(); import {}"
"""What the compiler makes stays until the end; to look through it again and again takes a seventh of the time."""
LOOK = 0.1  # s between two looks at who is done


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def execute(args: argparse.Namespace) -> Result:
    """Compile the model and the virtual benches, or load them from the cache."""
    begun = time.perf_counter()
    gc.disable()
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    done = folder / whole()
    if not done.exists():
        _compile_side_by_side()
    model.warmup()
    for name in (*_plants(), *HYBRID):
        importlib.import_module(name)
    done.touch()
    seconds = time.perf_counter() - begun
    return Result(data={"seconds": seconds, "folder": str(folder)}, text=f"compiled code ready in {folder} after {seconds:.1f} s")


def _plants() -> list[str]:
    """Modules of the virtual bench's plants."""
    return [one.name for one in pkgutil.walk_packages(plants.__path__, f"{plants.__name__}.") if not one.ispkg]


def _compile_side_by_side() -> None:
    """Code of mechanisms and plants, which takes minutes, in as many processes as there are cores; what they share goes first."""
    importlib.import_module("model.integrators.loop")
    _compiled(LOOPS)
    names = [f"{mechanisms.__name__}.{one.name}.stepper" for one in pkgutil.iter_modules(mechanisms.__path__) if one.ispkg]
    names += [name for name in _plants() if name.endswith("kernel")]
    _compiled(sorted(names, key=lambda name: not name.endswith(LONGEST)))


def _compiled(names: Sequence[str]) -> None:
    """Modules, each in a process of its own. Raises RigError for one that could not be compiled."""
    waiting, running, cores = list(reversed(names)), dict[str, subprocess.Popen[bytes]](), os.cpu_count() or 1
    try:
        while waiting or running:
            while waiting and len(running) < cores:
                name = waiting.pop()
                running[name] = subprocess.Popen(python("-c", COMPILE.format(name)), env=environment())
            for name in [name for name, program in running.items() if program.poll() is not None]:
                if code := running.pop(name).returncode:
                    raise RigError(f"warmup: {name} could not be compiled (exit {code}); what it said stands above")
                print(f"compiled {len(names) - len(waiting) - len(running)} of {len(names)}: {name}", file=sys.stderr)
            time.sleep(LOOK)
    finally:
        for program in running.values():
            program.kill()  # whoever calls it off waits for no compiler
            program.wait()
