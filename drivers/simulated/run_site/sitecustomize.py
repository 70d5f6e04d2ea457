"""First on the path of a program that `drivers.simulated.run` has started, and so of every Python that this starts in turn.

Python imports a module of this name when it starts. Nothing is loaded until somebody imports nidaqmx; then `local_driver.py` makes it mean
the simulated devices. It is loaded from its file: a program may have a package `drivers` of its own.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
ADDRESS = "SIMULATED_DAQMX_ADDRESS"
"""Environment variable: HOST:PORT of the device server."""


class _Then:
    """A loader, and what is done once it has run the module."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _load("_simulated_local_driver", HERE.parent / "local_driver.py").use_address(os.environ[ADDRESS])


class _Watch(MetaPathFinder):
    """Sees nidaqmx being imported for the first time."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "nidaqmx":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Then(spec.loader)  # type: ignore[assignment]
        return spec


def _load(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _run_the_next_one() -> None:
    """A machine may have a sitecustomize of its own, which this one hides."""
    spec = PathFinder.find_spec("sitecustomize", [place for place in sys.path if Path(place or ".").resolve() != HERE])
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get(ADDRESS):
    sys.meta_path.insert(0, _Watch())
_run_the_next_one()
