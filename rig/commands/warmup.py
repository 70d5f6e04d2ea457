"""`rig warmup`: compile everything ahead, so that nothing compiles once a test has begun."""

from __future__ import annotations

import argparse
import importlib
import itertools
import os
import pkgutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import model
from model import mechanisms
from rig import plants
from rig.commands.result import Result
from rig.compiling import whole

LONGEST = "slider_crank_motion"
"""Begun first, as it takes two minutes, which nothing would run beside at the end."""


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def execute(args: argparse.Namespace) -> Result:
    """Compile the model and the virtual benches, or load them from the cache."""
    begun = time.perf_counter()
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    done = folder / whole()
    if not done.exists():
        _compile_side_by_side()
    model.warmup()
    for module in pkgutil.iter_modules(plants.__path__):
        importlib.import_module(f"{plants.__name__}.{module.name}")
    done.touch()
    seconds = time.perf_counter() - begun
    return Result(data={"seconds": seconds, "folder": str(folder)}, text=f"compiled code ready in {folder} after {seconds:.1f} s")


def _compile_side_by_side() -> None:
    """Code of mechanisms and plants, which takes minutes, in as many processes as there are cores; what they share goes first."""
    importlib.import_module("model.stepper")
    names = [
        f"{package.__name__}.{module.name}"
        for package, ending in ((mechanisms, "_motion"), (plants, "_kernel"))
        for module in pkgutil.iter_modules(package.__path__)
        if module.name.endswith(ending)
    ]
    names.sort(key=lambda name: not name.endswith(LONGEST))

    done = itertools.count(1)

    def compiled_in(name: str) -> None:
        subprocess.run([sys.executable, "-c", f"import {name}"], check=True)
        print(f"compiled {next(done)} of {len(names)}: {name}", file=sys.stderr)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compiled_in, names))
