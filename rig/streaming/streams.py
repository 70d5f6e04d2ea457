"""The streams of a run, and the folder that holds their rings while it lasts."""

from __future__ import annotations

import itertools
import math
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psutil

from rig.errors import RigError

SECONDS = 10.0  # that a ring holds


@dataclass(frozen=True)
class Stream:
    """One row of the table: who writes, whether it is recorded, who must not lose a sample of it.

    apart: has a sample index of its own, and is there only when there is something to write.
    asked: is there only where the experiment asks for it.
    """

    name: str
    writer: str
    recorded: bool
    strict: tuple[str, ...]
    apart: bool = False
    asked: bool = False


STREAMS = (
    Stream("command", "bench", recorded=True, strict=("predictor", "recorder")),
    Stream("measured", "bench", recorded=True, strict=("predictor", "recorder")),
    Stream("predicted", "predictor", recorded=True, strict=("recorder",)),
    Stream("predicted_as_measured", "predictor", recorded=True, strict=("recorder",)),
    Stream("predicted_band", "predictor", recorded=True, strict=("recorder",), asked=True),
    Stream("motion", "predictor", recorded=True, strict=("recorder",), apart=True),
    Stream("calculated", "bench", recorded=True, strict=("recorder",), asked=True),
    Stream("calculated_predicted", "bench", recorded=True, strict=("recorder",), asked=True),
    Stream("estimated", "estimator", recorded=True, strict=("recorder",), asked=True),
    Stream("preparation", "bench", recorded=True, strict=("recorder",), apart=True),
    Stream("axes", "bench", recorded=True, strict=("recorder",), apart=True),
    Stream("loader", "bench", recorded=True, strict=("recorder",), apart=True),
    Stream("instruments", "bench", recorded=True, strict=("recorder",), apart=True),
)
RECORDED = tuple(stream.name for stream in STREAMS if stream.recorded)
APART = tuple(stream.name for stream in STREAMS if stream.apart)
AWAITED = tuple(stream.name for stream in STREAMS if stream.recorded and not stream.apart and not stream.asked)

MARGIN = 1.25  # free room asked for, of what the rings take

_PREFIX = "clearance-rig"
_SHARED_MEMORY = Path("/dev/shm")
_SAME_START = 60.0  # s; the wall clock that start times are reckoned in may be set while a test runs
_serial = itertools.count()


def capacity(rate: float, seconds: float = SECONDS) -> int:
    """Samples that a ring holds at `rate` (Hz)."""
    return max(1, math.ceil(rate * seconds))


def paths(folder: Path) -> dict[str, Path]:
    """Stream name -> file of its ring."""
    return {stream.name: folder / f"{stream.name}.ring" for stream in STREAMS}


def make_folder(size: int) -> Path:
    """A new folder for the rings of one run with room for `size` bytes: shared memory, else the temporary folder.

    The name carries this process's id and start time, so that a later run can tell a dead run's folder. Raises RigError when
    neither has room.
    """
    tried = []
    for base, room in free().items():
        if room >= MARGIN * size:
            folder = base / f"{_PREFIX}-{os.getpid()}-{start_time(os.getpid()):.0f}-{next(_serial)}"
            folder.mkdir(mode=0o700)
            return folder
        tried.append(f"{base}: {room / 1e6:.0f} MB free")
    raise RigError(f"streams: {MARGIN * size / 1e6:.0f} MB needed for the rings, no room ({'; '.join(tried)})")


def free() -> dict[Path, int]:
    """Bytes free in each place that the rings may lie in, the first choice first."""
    return {base: shutil.disk_usage(base).free for base in _bases()}


def remove_folder(folder: Path) -> None:
    """Remove the rings when every process has closed them; a file still open on Windows is left for the next sweep."""
    shutil.rmtree(folder, ignore_errors=True)


def sweep() -> list[Path]:
    """Remove the folders of runs whose supervisor is gone; returns what was removed."""
    stale = [folder for base in _bases() for folder in base.glob(f"{_PREFIX}-*-*-*") if _owner_is_gone(folder)]
    for folder in stale:
        remove_folder(folder)
    return [folder for folder in stale if not folder.exists()]


def _bases() -> list[Path]:
    temporary = Path(tempfile.gettempdir())
    return [_SHARED_MEMORY, temporary] if os.access(_SHARED_MEMORY, os.W_OK) else [temporary]


def start_time(pid: int) -> float:
    """When a process started, s since 1970. Raises psutil.NoSuchProcess."""
    return float(psutil.Process(pid).create_time())


def is_alive(pid: int, started: float) -> bool:
    """Whether the process that had this id and start time still runs; the id alone may belong to another one by now."""
    try:
        return abs(start_time(pid) - started) <= _SAME_START and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def _owner_is_gone(folder: Path) -> bool:
    try:
        pid, started = (int(part) for part in folder.name.removeprefix(f"{_PREFIX}-").split("-")[:2])
    except ValueError:
        return False  # not one of ours
    return not is_alive(pid, started)
