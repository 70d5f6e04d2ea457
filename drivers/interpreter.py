"""Processes of Python that the program starts: they import from where it does, and nothing from the folder that it was started in.

A user's folder holds what it likes: a file `secrets.py` in it must not be taken for Python's own.
"""

# ruff: noqa: PTH100, PTH109, PTH119, PTH120
from __future__ import annotations

import os  # and no more: it is loaded before the path is in order
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""Folder of the program's packages."""


def python(*arguments: str) -> list[str]:
    """Command line of this Python, which leaves the folder that it is started in alone (`-P`)."""
    return [sys.executable, "-P", *arguments]


def environment() -> dict[str, str]:
    """For such a process: the user's PYTHONPATH, without its empty parts (Python takes them for the folder it is started in), and with the
    folder of these packages where they are not installed."""
    path = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    if ROOT not in path and os.path.basename(ROOT) not in ("site-packages", "dist-packages"):
        path.insert(0, ROOT)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def leave_folder_of_start() -> None:
    """Of a program started with `python -m`, which puts that folder first on the path. To be called before anything else is imported."""
    try:
        here = os.getcwd()
    except OSError:  # it has gone
        return
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", here) and here != ROOT:
        del sys.path[0]
