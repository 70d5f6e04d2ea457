"""The how-to's instrument: its files are run as they stand in docs, and its table is read as that of a bench file."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import drivers
from rig.config import kinds
from rig.config.conversion import Conversion
from rig.config.schema import build

DOCS = Path(__file__).parents[3] / "docs"


def test_one_file_and_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver is put beside the others, and the table finds it; the gauge then answers by the name in its config."""
    shutil.copy(DOCS / "force_gauge.py", tmp_path)
    monkeypatch.setattr(drivers, "__path__", [*drivers.__path__, str(tmp_path)])
    kinds.names.cache_clear()
    try:

        @dataclass
        class OneBench:
            gauge: Any = field(metadata={"kinds": "drivers"})

        conversion = Conversion()
        built = build(OneBench, tomllib.loads((DOCS / "force_gauge.toml").read_text()), conversion)
        assert conversion.problems == []
        assert (built.gauge.capacity, built.gauge.timeout, built.gauge.baud) == (500.0, 0.2, 115200)
        gauge = sys.modules["drivers.force_gauge"].create(built.gauge, "hand")
        with pytest.raises(drivers.errors.NotConnected, match=r"^hand \(force gauge\) at /dev/ttyUSB0: .*is it plugged in"):
            gauge.connect()
    finally:
        sys.modules.pop("drivers.force_gauge", None)
        kinds.names.cache_clear()


def test_its_own_tests_pass() -> None:
    """Run where they stand, in a process of their own."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-o", f"pythonpath=. {DOCS}", str(DOCS / "force_gauge_test.py")],
        capture_output=True, text=True, cwd=DOCS.parent, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    assert " passed" in run.stdout
