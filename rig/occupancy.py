"""Who uses a bench: one small file a process beside the bench file, so that nobody tares or shunts under a running test.

The file carries process id and start time; what a process that died left behind counts for nothing and is removed by whoever looks.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from rig import streams
from rig.errors import ConfigError

TEST = "test"


@contextlib.contextmanager
def occupied(bench_path: Path, what: str, unless: tuple[str, ...] | None = None) -> Iterator[list[str]]:
    """The bench is in use for as long as this lasts; `what`: "test", "tare" or "shunt".

    unless: uses that keep this one out, every use where it is None. Gives warnings: a folder that takes no file keeps nobody out.
    Raises ConfigError naming who uses the bench.
    """
    own = bench_path.with_name(f".{bench_path.stem}.{os.getpid()}.lock")
    warnings = []
    try:
        new = own.with_suffix(".new")  # complete before anybody finds it
        new.write_text(json.dumps({"what": what, "pid": os.getpid(), "started": streams.start_time(os.getpid())}), encoding="utf-8")
        new.replace(own)
    except OSError as error:
        warnings.append(f"{own}: cannot be written ({error.strerror}); `rig tare` and `rig shunt` cannot tell that this {what} goes on")
    try:
        for other, pid in users(bench_path):
            if pid != os.getpid() and (unless is None or other in unless):
                raise ConfigError(f"{bench_path}: a {other} is going on on this bench (process {pid}); wait for its end. Nothing was done")
        yield warnings
    finally:
        with contextlib.suppress(OSError):
            own.unlink(missing_ok=True)


def users(bench_path: Path) -> list[tuple[str, int]]:
    """(what, process id) of everybody who uses the bench now."""
    found = []
    for path in bench_path.parent.glob(f".{bench_path.stem}.*.lock"):
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            what, pid, started = str(told["what"]), int(told["pid"]), float(told["started"])
        except FileNotFoundError:
            continue
        except (ValueError, KeyError, TypeError):
            continue  # not one of ours
        if streams.is_alive(pid, started):
            found.append((what, pid))
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    return found
