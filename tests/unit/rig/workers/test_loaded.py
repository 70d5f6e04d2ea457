"""What the processes of a test load before it begins: each second of that is waited for by whoever starts one, four times over."""

from __future__ import annotations

import subprocess
import sys

STARTED = ("rig.commands.running.run", "rig.workers.bench.worker", "rig.workers.predictor.worker", "rig.workers.recorder")
COSTLY = ("scipy.signal", "scipy.stats", "scipy.optimize", "scipy.interpolate", "scipy.ndimage", "matplotlib", "PySide6", "asyncio")


def test_nothing_is_loaded_that_most_tests_never_use() -> None:
    program = f"import sys, {', '.join(STARTED)}; print(*sorted(set({COSTLY}) & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split() == []
