"""Who uses a bench: one empty file a process in a folder of this machine, so that nobody tares or shunts under a running test.

The folder is the same for every user and takes files from all of them, so it cannot be beside the bench file, which may be read-only,
nor in a temporary folder of one user. A file's name tells the bench file, the use, process id and start time; what a process that died
left behind counts for nothing and is removed by whoever looks and may.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rig import streams
from rig.errors import ConfigError

TEST = "test"
NAME = "clearance-rig-benches"
FOR_ALL = 0o1777  # everybody makes files here, each removes only own ones


@contextlib.contextmanager
def occupied(bench_path: Path, what: str, unless: tuple[str, ...] | None = None) -> Iterator[list[str]]:
    """The bench is in use for as long as this lasts; `what`: "test", "tare" or "shunt".

    unless: uses that keep this one out, every use where it is None. Gives warnings: a folder that takes no file keeps nobody out.
    Raises ConfigError naming who uses the bench.
    """
    pid = os.getpid()
    own = folder() / f"{_key(bench_path)}.{what}.{pid}.{streams.start_time(pid):.0f}"
    warnings = []
    try:
        _make(own.parent)
        own.touch()
    except OSError as error:
        warnings.append(f"{own}: cannot be made ({error.strerror}); `rig tare` and `rig shunt` cannot tell that this {what} goes on")
    try:
        for other, process in users(bench_path):
            if process != pid and (unless is None or other in unless):
                raise ConfigError(
                    f"{bench_path}: a {other} is going on on this bench (process {process}); wait for its end. Nothing was done"
                )
        yield warnings
    finally:
        with contextlib.suppress(OSError):
            own.unlink(missing_ok=True)


def users(bench_path: Path) -> list[tuple[str, int]]:
    """(what, process id) of everybody who uses the bench now."""
    found, key = [], _key(bench_path)
    for path in folder().glob("*.*.*.*"):
        bench, what, pid, started = path.name.rsplit(".", 3)
        if not (pid.isdigit() and started.isdigit()):
            continue  # not one of ours
        if not streams.is_alive(int(pid), float(started)):
            with contextlib.suppress(OSError):
                path.unlink()
        elif bench == key:
            found.append((what, int(pid)))
    return found


def folder() -> Path:
    """Where the files are, whoever asks."""
    if sys.platform == "win32":
        return Path(os.environ.get("PROGRAMDATA", tempfile.gettempdir())) / NAME
    return Path("/tmp") / NAME  # not TMPDIR, which may be a user's own


def _make(folder: Path) -> None:
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        with contextlib.suppress(PermissionError):  # somebody else made it at this moment
            folder.chmod(FOR_ALL)


def _key(bench_path: Path) -> str:
    """The same for every way to write the path."""
    whole = Path(os.path.normcase(bench_path.resolve()))
    return f"{whole.stem}-{hashlib.sha256(str(whole).encode()).hexdigest()[:16]}"
