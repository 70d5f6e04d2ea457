"""`rig warmup`: compile everything ahead, so that nothing compiles once a test has begun."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import time

import model
from rig import plants
from rig.commands.result import Result


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def execute(args: argparse.Namespace) -> Result:
    """Compile the model and the virtual benches, or load them from the cache."""
    begun = time.perf_counter()
    model.warmup()
    for module in pkgutil.iter_modules(plants.__path__):
        importlib.import_module(f"{plants.__name__}.{module.name}")
    seconds = time.perf_counter() - begun
    folder = os.environ["NUMBA_CACHE_DIR"]
    return Result(data={"seconds": seconds, "folder": folder}, text=f"compiled code ready in {folder} after {seconds:.1f} s")
