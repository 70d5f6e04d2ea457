"""Before a test what it needs is compiled, and no more; what has been done once is not looked at again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rig.config import Setup, load
from rig.supervision import compilation

ROOT = Path(__file__).parents[4]
EXPERIMENTS = ROOT / "configs/experiments"
# A prediction as a run makes it, and a virtual bench: how many passes of the compiler run behind the rehearsal.
BEHIND = """
import sys
import numpy as np
from numba.core import event
from rig.config import load
from rig.prediction.stepper import rehearse, stepper

setup = load(sys.argv[1])
rehearse(setup.experiment)
passes = event.RecordingListener()
event.register("numba:run_pass", passes)
one = stepper(setup.experiment, 51_200.7)
one.start(np.full(one.lookahead, 10.0))
for _ in range(3):
    one.advance(np.linspace(10.0, 20.0, 100))
print(len(passes.buffer))
"""


class Compilers:
    """In place of `subprocess.Popen`: notes what is begun, and ends with `code`."""

    def __init__(self, code: int = 0) -> None:
        self.code, self.begun = code, []

    def __call__(self, command: list[str], **_: Any) -> Any:
        self.begun.append(command[-1])
        return self

    returncode = property(lambda self: self.code)
    communicate = kill = wait = staticmethod(lambda *_: None)


def made(monkeypatch: pytest.MonkeyPatch, folder: Path, setup: Setup, code: int = 0) -> tuple[list[str], list[str]]:
    """(parts that were compiled, what was said)."""
    compilers, said = Compilers(code), []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    monkeypatch.setattr(compilation.subprocess, "Popen", compilers)
    compilation.ready(setup, said.append)
    return compilers.begun, said


def test_what_an_experiment_needs_is_made_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    linkage = load(EXPERIMENTS / "linkage.toml")
    begun, said = made(monkeypatch, tmp_path, linkage)
    assert begun == ["model", "plant"]
    assert "model (linkage) and plant (linkage_frame)" in said[0]
    assert said[1].startswith("compiled code ready after")
    assert made(monkeypatch, tmp_path, linkage) == ([], [])
    other_size = load(EXPERIMENTS / "linkage.toml", ["mechanism.clearance=0.1 mm", "trajectory.amplitude=20 kN", "bench.seed=7"])
    assert made(monkeypatch, tmp_path, other_size) == ([], [])


@pytest.mark.parametrize(
    "override", ["mechanism.clearance=0 mm", "mechanism.contact.law=flores", "integrator.kind=rk4", "predictor.source=stroke"]
)
def test_another_kind_is_made_when_it_comes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, override: str) -> None:
    made(monkeypatch, tmp_path, load(EXPERIMENTS / "linkage.toml"))
    begun, _ = made(monkeypatch, tmp_path, load(EXPERIMENTS / "linkage.toml", [override]))
    assert begun == ["model", "plant"]


def test_on_real_hardware_there_is_no_plant_to_make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere = load(EXPERIMENTS / "linkage.toml", ["bench.address=192.0.2.1:31763"])
    assert made(monkeypatch, tmp_path, elsewhere)[0] == ["model"]


def test_what_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    linkage = load(EXPERIMENTS / "linkage.toml")
    for _ in range(2):
        assert made(monkeypatch, tmp_path, linkage, code=1)[0] == ["model", "plant"]


def test_after_a_warm_up_nothing_is_left_to_make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / compilation.whole()).touch()
    assert made(monkeypatch, tmp_path, load(EXPERIMENTS / "four_bar_rig.toml")) == ([], [])


def test_each_part_is_a_program_that_takes_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Really: the model and the plant of the four-bar rig, from the compiled code that there is."""
    setup = load(EXPERIMENTS / "linkage.toml")
    done = []
    monkeypatch.setattr("rig.prediction.stepper.rehearse", done.append)
    data = {"experiment": compilation.to_json(setup.experiment), "bench": compilation.to_json(setup.bench)}
    compilation._model(data)
    assert done == [setup.experiment]
    compilation._plant(data)


def test_nothing_compiles_behind_the_rehearsal() -> None:
    command = [sys.executable, "-c", BEHIND, str(EXPERIMENTS / "linkage.toml")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, check=True)
    assert done.stdout.strip() == "0"
