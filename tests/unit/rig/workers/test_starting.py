"""What every test starts loads nothing that only some of them want."""

from __future__ import annotations

import subprocess
import sys

import pytest

EXPENSIVE = ("scipy.signal", "scipy.stats", "scipy.optimize", "pandas", "matplotlib", "xarray")
"""Of scipy.signal alone: 1.7 s of a core in each of five processes (docs/decisions/0018)."""
STARTED = (
    "rig.commands.running.run", "rig.commands.running.resume", "rig.workers.runtime", "rig.workers.bench.worker", "rig.workers.recorder",
    "rig.workers.predictor.worker", "rig.trajectory", "rig.virtual.virtual_bench",
)  # fmt: skip


@pytest.mark.parametrize("module", STARTED)
def test_what_every_test_starts_loads_nothing_that_only_some_of_them_want(module: str) -> None:
    code = f"import sys, {module}; print(*(name for name in {EXPENSIVE} if name in sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == []
