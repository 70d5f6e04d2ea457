"""The program's wheel, and an environment of a stranger's in which it is installed and the sources are not to be found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import numba
from numba.core.caching import _CacheLocator

from model.compiled import cache as compiled

compiled.use_cache_folder()
ROOT = Path(__file__).parents[2]
PARTS = ("rig", "model", "drivers", "configs", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")
"""What it is built of."""
COMPILED = ("model", "rig/virtual/plants")
CODE = "code"
"""Folder of the compiled code, for NUMBA_CACHE_DIR."""
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def build(folder: Path) -> Path:
    """Build the wheel in `folder`, from a copy: what an earlier build left in the sources would be in it."""
    sources = folder / "sources"
    sources.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, sources / part, ignore=shutil.ignore_patterns("__pycache__", "*.tare.json", "runs"))
        else:
            shutil.copy(ROOT / part, sources / part)
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), str(sources)], check=True, cwd=folder, timeout=300)
    (wheel,) = folder.glob("*.whl")
    return wheel


def environment(folder: Path, wheel: Path) -> Path:
    """The scripts of a new virtual environment with the wheel, and with the libraries of this one behind it."""
    venv.create(folder / "env", with_pip=False)
    here = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    scheme = "nt_venv" if os.name == "nt" else "posix_venv"
    site = Path(sysconfig.get_path("purelib", scheme, here))
    python = Path(sysconfig.get_path("scripts", scheme, here)) / ("python.exe" if os.name == "nt" else "python")
    command = [*PIP, "--python", str(python), "install", "--no-deps", "--no-compile", str(wheel)]
    subprocess.run(command, check=True, cwd=folder, env=away_from_sources(), timeout=300)  # else it counts as installed already
    # A line of a .pth puts the folder on the path and leaves its own .pth files unread, by which an editable installation is found.
    (site / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    _lend_compiled_code(site, folder / CODE)
    subprocess.run([python, "-m", "compileall", "-q", site / "rig", site / "model", site / "drivers"], check=True, timeout=300)
    return python.parent


def _lend_compiled_code(site: Path, cache: Path) -> None:
    """What numba has compiled of the sources serves the installed files, which are the same: a minute of CPU less.

    It goes by a file's folder, size and time, so that time is given to them as well. What is not there is compiled.
    """
    for file in (path for tree in COMPILED for path in (site / tree).rglob("*.py")):
        source = ROOT / file.relative_to(site)
        shutil.copystat(source, file)
        place = Path(numba.config.CACHE_DIR, _CacheLocator.get_suitable_cache_subpath(str(source)))
        into = cache / _CacheLocator.get_suitable_cache_subpath(str(file))
        if place.is_dir() and not into.exists():
            shutil.copytree(place, into)


def away_from_sources() -> dict[str, str]:
    """Environment variables without those by which the sources are found."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
