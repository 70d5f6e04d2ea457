"""Matplotlib's list of fonts is kept where it can be written, whatever the user's home is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]
DRAW = "import rig.report.overlay, matplotlib.font_manager; print(matplotlib.get_configdir(), matplotlib.get_cachedir())"


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if k not in ("MPLCONFIGDIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    return subprocess.run(
        [sys.executable, "-c", DRAW], env={**inherited, **environment}, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )


def test_without_a_writable_home_nothing_is_said_and_the_list_is_kept(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file, so that not even root can make a folder in it")
    found = run(HOME=str(home), TMPDIR=str(tmp_path))
    owner = getattr(os, "getuid", lambda: "user")()
    folder = str(tmp_path / f"clearance-rig-{owner}" / "matplotlib")
    assert (found.stdout.split(), found.stderr) == ([folder, folder], "")
    assert list(Path(folder).glob("fontlist*.json"))


def test_a_folder_that_the_user_has_chosen_stays(tmp_path: Path) -> None:
    assert run(MPLCONFIGDIR=str(tmp_path)).stdout.split() == [str(tmp_path)] * 2
