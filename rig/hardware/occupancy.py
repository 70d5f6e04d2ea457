"""Who uses a bench: one file a process in a folder of this machine, so that nobody tares or shunts under a running test.

The folder is the same for every user and takes files from all of them, so it cannot be beside the bench file, which may be read-only,
nor in a temporary folder of one user. A file's name tells the bench file, the use, process id and start time; what a process that died
left behind counts for nothing and is removed by whoever looks and may. In it stands the folder of the run, where there is one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rig.errors import ConfigError
from rig.streaming import streams

TEST = "test"
ALONE = ("tare", "shunt", "calibration", "talk")
"""Uses that no test may begin under."""
NAME = "clearance-rig-benches"
FOR_ALL = 0o1777  # everybody makes files here, each removes only own ones


@contextlib.contextmanager
def occupied(bench_path: Path, what: str, unless: tuple[str, ...] | None = None) -> Iterator[list[str]]:
    """The bench is in use for as long as this lasts; `what`: "test" or one of ALONE.

    unless: uses that keep this one out, every use where it is None. Gives warnings: a folder that takes no file keeps nobody out.
    Raises ConfigError naming who uses the bench.
    """
    pid, own = os.getpid(), _own(bench_path, what)
    warnings = []
    try:
        _make(own.parent)
        own.touch()
    except OSError as error:
        warnings.append(f"{own}: cannot be made ({error.strerror}); other commands cannot tell that this {what} goes on")
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


def tell(bench_path: Path, what: str, run_dir: Path) -> None:
    """Which run this process's use of the bench is, for who finds the device taken; nothing where no file could be made."""
    with contextlib.suppress(OSError):
        _own(bench_path, what).write_text(f"{run_dir.resolve()}\n", encoding="utf-8")


def others() -> list[str]:
    """In words, each use of any bench of this machine but those of this process and of the one that started it."""
    ours, found = {os.getpid(), os.getppid()}, []
    for path, _, what, pid in _living():
        if pid not in ours:
            with contextlib.suppress(OSError):
                run = path.read_text(encoding="utf-8").strip()
                found.append(f"a {what}, process {pid}{f', {run}' if run else ''}")
    return found


def users(bench_path: Path) -> list[tuple[str, int]]:
    """(what, process id) of everybody who uses the bench now."""
    key = _key(bench_path)
    return [(what, pid) for _, bench, what, pid in _living() if bench == key]


def _living() -> Iterator[tuple[Path, str, str, int]]:
    """(file, key of the bench, use, process id) of everybody who uses a bench now; what the dead left is removed."""
    for path in folder().glob("*.*.*.*"):
        bench, what, pid, started = path.name.rsplit(".", 3)
        if not (pid.isdigit() and started.isdigit()):
            continue  # not one of ours
        if not streams.is_alive(int(pid), float(started)):
            with contextlib.suppress(OSError):
                path.unlink()
        else:
            yield path, bench, what, int(pid)


def folder() -> Path:
    """Where the files are, whoever asks."""
    if sys.platform == "win32":
        return Path(os.environ.get("PROGRAMDATA", tempfile.gettempdir())) / NAME
    return Path("/tmp") / NAME  # not TMPDIR, which may be a user's own


def _own(bench_path: Path, what: str) -> Path:
    pid = os.getpid()
    return folder() / f"{_key(bench_path)}.{what}.{pid}.{streams.start_time(pid):.0f}"


def _make(folder: Path) -> None:
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        with contextlib.suppress(PermissionError):  # somebody else made it at this moment
            folder.chmod(FOR_ALL)


def _key(bench_path: Path) -> str:
    """The same for every way to write the path."""
    whole = Path(os.path.normcase(bench_path.resolve()))
    return f"{whole.stem}-{hashlib.sha256(str(whole).encode()).hexdigest()[:16]}"
