"""Where compiled code is kept, and the signatures that compiled functions have in common.

Importing this module sets numba's cache folder: a folder the user can write to, one for each state of the sources, since numba looks at
the changes of a single file only and would go on using a kernel whose neighbour has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

SOURCES = Path(__file__).parents[1]  # all of the model: kernels are compiled into each other across its rooms
PLANTS = SOURCES.parent / "rig/virtual/plants"  # whose kernels are so too, and lie in the same folder; there need be none
KEPT = 30 * 86400.0  # s: folders of earlier sources are removed after this time without use


def _user_folder() -> Path:
    """The platform's cache folder of this user."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir()))
    if sys.platform == "darwin":
        return Path("~/Library/Caches").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _digest() -> str:
    """Fingerprint of the sources."""
    total = hashlib.sha256()
    for root in (SOURCES, PLANTS):
        for path in sorted(root.rglob("*.py")):
            total.update(str(path.relative_to(root)).encode())
            total.update(path.read_bytes())
    return total.hexdigest()[:16]


def base_folder() -> Path:
    """Our own folder for what can be made again, made if need be: the user's cache folder, else the temporary one."""
    owner = str(getattr(os, "getuid", lambda: "user")())
    bases = (_user_folder() / "clearance-rig", Path(tempfile.gettempdir()) / f"clearance-rig-{owner}")
    return next((folder for folder in bases if _writable(folder)), bases[-1])


def cache_folder() -> Path:
    """The folder for compiled code."""
    return base_folder() / "numba" / _digest()


def use_cache_folder() -> None:
    """Tell numba, whether it has been imported already or not. A folder that the user has chosen stays."""
    folder = os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = folder


def remove_unused() -> None:
    """Remove the compiled code of sources that are long gone."""
    present = cache_folder()
    for folder in present.parent.glob("*"):
        if folder != present and time.time() - folder.stat().st_mtime > KEPT:
            shutil.rmtree(folder, ignore_errors=True)
