"""A product of NI's that the program does not have: one file in a folder of the user's, and programs run on it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.files import user_settings
from tests.tiers import quick

ROOT = Path(__file__).parents[6]
CARD = """
from dataclasses import replace
from drivers.simulated.daqmx.products import shipped

LIKE = shipped()["PCIe-6363"]
PRODUCTS = (replace(LIKE, name="PCIe-9999", inputs=replace(LIKE.inputs, tops=(2.0,), rate_single=5e3)),)
"""
PROGRAM = """
import nidaqmx
from nidaqmx.system import System
card = System.local().devices["Dev1"]
print(card.product_type, card.ai_max_single_chan_rate, card.ai_voltage_rngs)
with nidaqmx.Task() as task:
    task.ai_channels.add_ai_voltage_chan("Dev1/ai0", min_val=-1.0, max_val=1.0)
    print(len(task.read(3)), task.ai_channels[0].ai_rng_high)
"""


@pytest.fixture
def run(tmp_path: Path):  # type: ignore[no-untyped-def]
    """`python -m drivers.simulated.run` of PROGRAM, with a file of products."""
    folder = tmp_path / "kinds" / "daqmx_products"
    folder.mkdir(parents=True)
    (tmp_path / "settings.toml").write_text('kinds = ["kinds"]\n')
    (tmp_path / "devices.toml").write_text('pace = "lockstep"\n[[devices]]\nname = "Dev1"\nproduct = "PCIe-9999"\n')
    (tmp_path / "program.py").write_text(PROGRAM)

    def started(products: str) -> subprocess.CompletedProcess[str]:
        (folder / "my_cards.py").write_text(products)
        command = [sys.executable, "-m", "drivers.simulated.run", "--devices", str(tmp_path / "devices.toml"), str(tmp_path / "program.py")]
        environment = {**os.environ, user_settings.VARIABLE: str(tmp_path / "settings.toml"), "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120, check=False)

    return started


def test_a_program_runs_on_it(run) -> None:  # type: ignore[no-untyped-def]
    found = run(CARD)
    assert (found.returncode, found.stdout) == (0, "PCIe-9999 5000.0 [-2.0, 2.0]\n3 2.0\n"), found.stderr


@pytest.mark.parametrize(
    ("products", "words"),
    quick(
        [
            ("import no_such_vendor", "my_cards cannot be taken: ModuleNotFoundError: No module named 'no_such_vendor'"),
            ("PRODUCTS = ('PCIe-9999',)", "my_cards cannot be taken: TypeError: PRODUCTS: expected instances of"),
        ],
        1,
    ),
)
def test_a_file_that_is_none_is_told(run, products: str, words: str) -> None:  # type: ignore[no-untyped-def]
    found = run(products)
    assert found.returncode == 2 and "Traceback" not in found.stderr
    assert "no product 'PCIe-9999'" in found.stderr and words in found.stderr
