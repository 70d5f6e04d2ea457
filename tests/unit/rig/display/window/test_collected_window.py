"""A window of which nobody knows any more, taken apart by Python's collector."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import quick
from tests.unit.rig.display.window.collected_window import SURVIVED

ROOT = Path(__file__).parents[5]


@pytest.mark.parametrize(
    ("arguments", "ends"), quick([((), (0, SURVIVED)), (("control",), (-signal.SIGSEGV, ""))], 1), ids=["as it is", "control"]
)
def test_qt_survives_the_collector(arguments: tuple[str, ...], ends: tuple[int, str]) -> None:
    command = [sys.executable, "-m", "tests.unit.rig.display.window.collected_window", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"}, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout.strip()) == ends, done.stderr
