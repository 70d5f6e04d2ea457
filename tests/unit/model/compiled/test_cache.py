"""Compiled code: kept in a folder that can be written, and nothing compiles in a process that comes after `warmup`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from model.compiled import cache

WARM = "import model; model.warmup()"
# Every law with every integrator, one of them with every source, with a listener on numba's compiler passes; prints how many ran.
USE = """
import model
import numpy as np
from numba.core import event
passes = event.RecordingListener()
event.register("numba:run_pass", passes)
from model.contact.laws import LAWS, damping
from model.contact.impact import Impact, integrated_restitution
from model.friction import coulomb
from model.integrators import dop853, rk4
from model.mechanisms.linkage import Config
from model.mechanisms.linkage.config import Contact
for number, law in enumerate(LAWS):
    for load_source in ("servo", "flow_limited", "ideal")[: 1 if number else 3]:
        for integrator in (dop853.Config(), rk4.Config()):
            for source in Config.SOURCES[: 1 if number else 3]:
                stepper = Config(load_source=load_source, contact=Contact(law=law)).create(integrator, 10e3, source)
                stepper.start(np.linspace(0.0, 1e-4, stepper.lookahead))
                stepper.advance(np.full(30, 1e-4))
    integrated_restitution(Impact(1e10, 1.5, 1.0, 1.0, damping(law, 0.5)))
coulomb.force(1.0, 1.0, np.ones(1))
from model.warmup import PENDULUM
stepper = PENDULUM.create(dop853.Config(), 10e3)
stepper.start(np.zeros(stepper.lookahead))
stepper.advance(np.zeros(30))
assert stepper.equations == "generated"
print("passes", len(passes.buffer))
"""
CONTROL = """
import numba
numba.njit('float64(float64)')(lambda x: x + 1)
print("passes", len(passes.buffer))
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        cwd=Path(__file__).parents[4],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )


def test_a_change_of_any_kernel_is_seen() -> None:
    assert cache.SOURCES.name == "model" and (cache.SOURCES / "mechanisms" / "four_bar" / "kernel.py").is_file()
    assert (cache.PLANTS / "contact.py").is_file() and (cache.PLANTS / "motor_rig" / "planar_kernel.py").is_file()


@pytest.mark.parametrize("root", ["SOURCES", "PLANTS"])
def test_another_state_of_the_sources_has_another_folder(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that has constants of its neighbour compiled into it would go on with those that the neighbour had."""
    monkeypatch.setattr(cache, root, tmp_path)
    (tmp_path / "kernel.py").write_text("COLUMNS = 40")
    before = cache.cache_folder()
    (tmp_path / "kernel.py").write_text("COLUMNS = 41")
    assert cache.cache_folder() != before


def test_nothing_compiles_after_warmup() -> None:
    """And the listener would see it if something did."""
    _, used, _, control = run(USE + CONTROL).stdout.split()
    if int(used):  # nobody had warmed up here
        run(WARM)
        _, used, _, control = run(USE + CONTROL).stdout.split()
    assert int(used) == 0 and int(control) > 0


def test_the_folder_is_the_user_s_and_falls_back_to_a_temporary_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_user_folder", lambda: tmp_path)
    assert cache.cache_folder().is_relative_to(tmp_path / "clearance-rig")
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(cache, "_user_folder", lambda: blocked)
    assert cache.cache_folder().is_relative_to(cache.tempfile.gettempdir())


def test_a_folder_chosen_by_the_user_stays(tmp_path: Path) -> None:
    code = "import model, numba; print(numba.config.CACHE_DIR)"
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path)).stdout.strip() == str(tmp_path)
    late = "import numba, model; print(numba.config.CACHE_DIR)"
    assert "clearance-rig" in run(f"import os; os.environ.pop('NUMBA_CACHE_DIR', None); {late}").stdout


def test_old_compiled_code_is_removed_and_the_present_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_user_folder", lambda: tmp_path)
    present = cache.cache_folder()
    old, young = present.parent / "old", present.parent / "young"
    for folder in (present, old, young):
        folder.mkdir(parents=True)
    os.utime(old, (0, 0))
    cache.remove_unused()
    assert (present.exists(), old.exists(), young.exists()) == (True, False, True)
