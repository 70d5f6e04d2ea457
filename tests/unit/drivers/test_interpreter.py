"""What lies in the folder that a program is started in is none of its modules: for each process that it starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers import interpreter
from tests.tiers import quick

ROOT = Path(__file__).parents[3]
TRAPS = ("secrets", "random", "numpy", "tempfile", "json", "queue", "psutil", "copy", "subprocess", "argparse", "signal")


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """A user's folder: each file in it ends whoever imports it; a folder `rig` holds data."""
    for name in TRAPS:
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('the file {name}.py of the folder was imported')\n")
    (tmp_path / "rig").mkdir()
    return tmp_path


def run(folder: Path, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, cwd=folder, env={**inherited, **environment}, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("path", quick([str(ROOT), f"{os.pathsep}{ROOT}", f"{ROOT}{os.pathsep}"], 1))
@pytest.mark.parametrize(
    "program", quick(["from rig.supervision.worker_process import worker_command as c; command = c('bench', Path('nowhere'))",
                "from rig.supervision.worker_process import worker_command as c; command = c('recorder', Path('nowhere'))",
                "from rig.supervision.worker_process import virtual_bench_command as c; command = c(Path('nowhere'))"], 1),
)  # fmt: skip
def test_a_process_of_a_run_starts_beside_whatever_files(trapped: Path, path: str, program: str) -> None:
    """It comes as far as the run that is not there."""
    start = "import os; from drivers.interpreter import environment; import subprocess; from pathlib import Path\n"
    end = f"\nos.environ['PYTHONPATH'] = {path!r}\n"
    end += "done = subprocess.run(command, env=environment(), stdin=-3, capture_output=True, text=True)\nprint(done)"
    done = run(trapped, [sys.executable, "-P", "-c", start + program + end], PYTHONPATH=str(ROOT))
    assert "nowhere" in done.stdout and "of the folder was imported" not in done.stdout + done.stderr, done


@pytest.mark.parametrize("module", ["rig", "drivers.simulated.run"])
@pytest.mark.parametrize("safe", quick([[], ["-P"]], 1))
def test_so_does_one_that_is_started_as_a_module(trapped: Path, module: str, safe: list[str]) -> None:
    done = run(trapped, [sys.executable, *safe, "-m", module, "--help"], PYTHONPATH=str(ROOT))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "usage" in done.stdout.lower()


def test_a_file_is_read_in_a_process_that_leaves_the_folder_alone(trapped: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, ''); sys.path.remove('');"
        "from rig.files.confined_reading import confined; print(confined(len, 'four'))"
    )
    done = run(trapped, [sys.executable, "-P", "-c", program], PYTHONPATH=str(ROOT))
    assert done.stdout == "4\n", done.stderr


@pytest.mark.parametrize("given", [None, "", os.pathsep, "/a", f"/a{os.pathsep}{os.pathsep}/b"])
def test_the_users_path_is_kept_and_these_packages_are_found(monkeypatch: pytest.MonkeyPatch, given: str | None) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if given is not None:
        monkeypatch.setenv("PYTHONPATH", given)
    assert interpreter.environment()["PYTHONPATH"].split(os.pathsep) == [
        str(ROOT),
        *[part for part in ("/a", "/b") if part in (given or "")],
    ]


@pytest.mark.parametrize("installed", ["/v/lib/python3.12/site-packages", "/usr/lib/python3/dist-packages"])
def test_installed_packages_are_no_part_of_it(monkeypatch: pytest.MonkeyPatch, installed: str) -> None:
    """Before Python's own they would take the place of those."""
    monkeypatch.setattr(interpreter, "ROOT", installed)
    monkeypatch.setenv("PYTHONPATH", "/a")
    assert interpreter.environment()["PYTHONPATH"] == "/a"


def test_only_the_folder_of_start_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for first, left in ((str(tmp_path), True), ("", True), ("/elsewhere", False)):
        monkeypatch.setattr(sys, "path", [first, "/rest"])
        interpreter.leave_folder_of_start()
        assert sys.path == (["/rest"] if left else [first, "/rest"])
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [str(ROOT), "/rest"])
    interpreter.leave_folder_of_start()
    assert sys.path == [str(ROOT), "/rest"], "where the program itself lies"
