"""One fine clock for pacing, stamps and lags, on Windows as elsewhere; nobody goes by the coarse one."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

import drivers.host_clock
import rig.host.clock

ROOT = Path(__file__).parents[2]
CLOCKS = [rig.host.clock, drivers.host_clock]


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda module: module.__name__)
def test_on_windows_it_is_the_performance_counter(clock: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs.python.org, `time.monotonic`: GetTickCount64, with 15.6 ms, on Windows before 3.13; `perf_counter`: QueryPerformanceCounter."""
    try:
        for platform, expected in (("win32", time.perf_counter), ("linux", time.monotonic), ("darwin", time.monotonic)):
            monkeypatch.setattr(sys, "platform", platform)
            assert importlib.reload(clock).now is expected
    finally:
        monkeypatch.undo()
        importlib.reload(clock)


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda module: module.__name__)
def test_it_is_fine_and_the_same_for_every_process(clock: ModuleType) -> None:
    before = clock.now()
    program = f"import {clock.__name__} as c; print(repr(c.now()))"
    told = float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True, timeout=60).stdout)
    assert before < told < clock.now()
    seen = {clock.now() for _ in range(10_000)}
    assert len(seen) > 100, "a clock of 15.6 ms would show one or two values"


@pytest.mark.parametrize(("package", "own"), [("rig", "host/clock.py"), ("drivers", "host_clock.py")])
def test_nobody_goes_by_the_coarse_clock(package: str, own: str) -> None:
    def coarse(path: Path) -> bool:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        return any(isinstance(node, ast.Attribute) and node.attr in ("monotonic", "monotonic_ns") for node in ast.walk(tree))

    assert [path for path in sorted((ROOT / package).rglob("*.py")) if coarse(path)] == [ROOT / package / own]
