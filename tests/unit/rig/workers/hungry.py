"""A worker that gets no more memory once it is ready, and takes what is left: `python hungry.py FOLDER` runs it as any worker is run."""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rig.config.plan import Plan
from rig.streaming.heartbeat_table import HeartbeatTable
from rig.streaming.processes import ROWS
from rig.workers import runtime

CLOSING = 2**20
"""Bytes that its end takes."""


class Hungry:
    """What `rig.workers.runtime` wants of a worker."""

    done = False

    def __init__(self, folder: Path) -> None:
        self._folder, self._taken = folder, list[Any]()

    def setup(self) -> None:
        """Nothing to open."""

    def step(self) -> float:
        """From here on no page more; then all that is left, in pieces that become smaller until none fits."""
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize(),) * 2)
        size = 2**24
        while True:
            try:
                self._taken.append(bytes(size))
            except MemoryError:
                if size == 64:
                    raise
                size //= 2

    def report(self) -> dict[str, Any]:
        return {}

    def command(self, verb: str, data: dict[str, Any]) -> None:
        """It hears nothing."""

    def close(self) -> dict[str, Any]:
        (self._folder / "closed").write_bytes(bytes(CLOSING))
        return {"closed": True}


def create(plan: Any, links: Any) -> Hungry:
    return Hungry(plan.run_dir)


def main(folder: Path) -> int:
    """Exit code of the worker."""
    rings = folder / "rings"  # which are gone at its end
    rings.mkdir()
    HeartbeatTable.create(rings / "board", ROWS)
    plan: Any = SimpleNamespace(run_dir=folder, rings=rings, bench=SimpleNamespace(lines=0))
    Plan.read = lambda *_: plan  # type: ignore[method-assign, assignment]
    runtime.MODULES["recorder"] = "tests.unit.rig.workers.hungry"
    return runtime.run("recorder", folder)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
