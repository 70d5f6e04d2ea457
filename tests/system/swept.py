"""Campaigns as processes of their own, which may be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
from waiting import until

STARTING = 150.0  # s in which a campaign has its workers, on a busy machine
FUNCTIONS = Path(__file__).parents[1] / "unit/rig/sweep/functions.py"


def campaign(folder: Path, tasks: int, function: str = "slow") -> Path:
    """A file with so many tasks of a function."""
    path = folder / "c.toml"
    path.write_text(
        f'title = "t"\ntask = "function"\nfunction = "{FUNCTIONS}:{function}"\n[[vary]]\nkey = "x"\nminimum = 1\nmaximum = {tasks}\n'
        f'steps = {tasks}\n[[keep]]\nname = "y"\n',
        encoding="utf-8",
    )
    return path


def started(path: Path, out: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """`rig sweep` in a process of its own."""
    command = [sys.executable, "-m", "rig", "sweep", str(path), "--out", str(out), "--json", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}, start_new_session=True
    )


def ended(process: subprocess.Popen[str], patience: float = 300.0) -> dict[str, Any]:
    """What it told, once it has ended."""
    out, err = process.communicate(timeout=patience)
    try:
        found: dict[str, Any] = json.loads(out)
    except ValueError:
        raise AssertionError(f"ended with {process.returncode} and said {err[-2000:]}") from None
    return found


def journal_lines(out: Path) -> int:
    """Tasks that have ended and are on the disk."""
    path = out.with_name(f"{out.stem}.journal")
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_tasks(process: subprocess.Popen[str], out: Path, count: int) -> None:
    """Until so many more have ended than now."""
    before = journal_lines(out)
    until(lambda: process.poll() is not None or journal_lines(out) >= before + count, "tasks that end", STARTING)


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Dask's workers on this computer: children that have computing processes."""
    return [
        one for one in psutil.Process(process.pid).children() if any("rig.sweep.computing" in " ".join(c.cmdline()) for c in one.children())
    ]


def kill_everything(process: subprocess.Popen[str]) -> None:
    """The campaign, its scheduler, its workers and what they compute with, at once."""
    for one in [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]:
        one.kill()
    process.communicate()


def computed(counted: Path) -> Counter[str]:
    """How often each task was computed."""
    return Counter(counted.read_text(encoding="ascii").split())
