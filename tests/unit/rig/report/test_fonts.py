"""Matplotlib's list of fonts is kept where it can be written, and pictures are drawn alike, whatever the user's home and settings are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import quick

ROOT = Path(__file__).parents[4]
DRAW = "import rig.report.overlay.page, matplotlib.font_manager; print(matplotlib.get_configdir(), matplotlib.get_cachedir())"


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


@pytest.mark.long
def test_a_folder_that_the_user_has_chosen_stays(tmp_path: Path) -> None:
    assert run(MPLCONFIGDIR=str(tmp_path)).stdout.split() == [str(tmp_path)] * 2


SETTINGS = "import rig.report.overlay.page, matplotlib; print(*(matplotlib.rcParams[k] for k in ('text.usetex', 'font.size', 'axes.grid')))"
RC = "text.usetex : True\nfont.size : 40\naxes.grid : True\nfont.family : No Such Font\nbackend : module://nowhere.at_all\n"


DRAWING = ("rig.report.overlay.page", "rig.report.preparation", "rig.report.overlay.panels.verdict", "rig.benchmark.plot")


@pytest.mark.parametrize("module", quick(DRAWING, 1))
def test_a_backend_for_notebooks_is_none_of_a_picture_in_a_file(module: str) -> None:
    """Jupyter sets it for all that it starts (`!rig run`); it need not be installed here."""
    environment = {**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    done = subprocess.run([sys.executable, "-c", f"import {module}"], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("place", quick(["here", "MPLCONFIGDIR", "MATPLOTLIBRC"], ["here"]))
def test_a_users_own_settings_are_none_of_it_either(tmp_path: Path, place: str) -> None:
    (tmp_path / "matplotlibrc").write_text(RC)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | ({place: str(tmp_path)} if place != "here" else {})
    cwd = tmp_path if place == "here" else ROOT
    command = [sys.executable, "-c", SETTINGS]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["False", "10.0", "False"], "as matplotlib comes"


def test_a_title_is_no_formula() -> None:
    from rig.report.drawing import Figure, FigureCanvasAgg, literal

    figure = Figure()
    canvas = FigureCanvasAgg(figure)
    widths = []
    for text, options in ((literal("5 $ and _{3 $"), {}), ("5 $ and _{3 $", {"parse_math": False})):
        shown = figure.text(0.1, 0.1, text, **options)
        canvas.draw()
        widths.append(shown.get_window_extent().width)
    assert widths[0] == widths[1]
