"""Generated source as a module: a file beside the compiled code, so that this is kept, and faults show their line."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
import threading
from pathlib import Path
from types import ModuleType

from model.compiled.cache import cache_folder

LOADING = threading.RLock()
"""Held while a module is filled: another thread must not have it before it is whole."""


def loaded(text: str) -> ModuleType:
    """The module; compiled now, or taken from what has been compiled before. The same text is the same module."""
    name = f"generated_{hashlib.sha256(text.encode()).hexdigest()[:20]}"
    with LOADING:
        return sys.modules[name] if name in sys.modules else _new(name, text)


def _new(name: str, text: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, _kept(name, text))
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _kept(name: str, text: str) -> Path:
    """The file, written unless it is there: what is compiled of it goes by its time."""
    path = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder()) / "generated" / f"{name}.py"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".tmp", delete=False) as file:
            file.write(text)
        Path(file.name).replace(path)
    return path
