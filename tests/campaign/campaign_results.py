"""What a campaign has found so far: one line of JSON a finished case, so that an interrupted campaign goes on where it was.

At its end each kind of case gets a file of its own in `campaign/results/`, with machine and states of the code: those are committed.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "campaign"


class Results:
    """Finished cases by key; a key is read from left to right, as `agreement/10 kN 3 Hz/seed 7`."""

    def __init__(self, path: Path = FOLDER / "results.jsonl", fresh: bool = False) -> None:
        """With what was published before: a campaign of days goes on where it was, on another machine too."""
        self._path, self._published = path, path.parent / "results"
        if fresh:
            path.unlink(missing_ok=True)
        before = [] if fresh or not self._published.is_dir() else sorted(self._published.glob("*.json"))
        published = [row for file in before for row in json.loads(file.read_text(encoding="utf-8"))["cases"]]
        self._rows = {row["case"]: row for row in (*published, *_lines(path))}

    def once(self, case: str, find: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return what is known of a case, else find it out and keep it. What `find` raises is not kept: the case runs again."""
        if case not in self._rows:
            begun, stolen = time.monotonic(), _stolen()
            found = find()
            took = time.monotonic() - begun
            share = (_stolen() - stolen) / (took * (os.cpu_count() or 1))
            self._keep({"case": case, "code": _code(), "took_s": round(took, 2), "stolen": round(share, 3), "found": found})
        return dict(self._rows[case]["found"])

    def under(self, start: str) -> dict[str, dict[str, Any]]:
        """All cases whose key begins with `start`."""
        return {case: row["found"] for case, row in self._rows.items() if case.startswith(start)}

    @property
    def codes(self) -> dict[str, int]:
        """State of the code -> cases that it was found with."""
        states = [row["code"] for row in self._rows.values()]
        return {state: states.count(state) for state in dict.fromkeys(states)}

    def publish(self) -> list[Path]:
        """Write a file for each kind of case, the first part of its key; returns their paths."""
        folder = self._published
        kinds: dict[str, list[dict[str, Any]]] = {}
        for row in self._rows.values():
            kinds.setdefault(row["case"].partition("/")[0], []).append(row)
        paths = []
        for kind, rows in kinds.items():
            paths.append(folder / f"{kind.replace(' ', '_')}.json")
            folder.mkdir(parents=True, exist_ok=True)
            states = [row["code"] for row in rows]
            head = {"campaign": kind, "machine": machine(), "code": {state: states.count(state) for state in dict.fromkeys(states)}}
            lines = ",\n  ".join(json.dumps(row) for row in sorted(rows, key=lambda row: str(row["case"])))
            paths[-1].write_text(f'{json.dumps(head)[:-1]}, "cases": [\n  {lines}\n]}}\n', encoding="utf-8")
        return paths

    def _keep(self, row: dict[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._rows[row["case"]] = row


def machine() -> dict[str, Any]:
    """What it runs on: nothing that tells whose it is."""
    kind = platform.processor() or platform.machine()
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        kind = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return {"cpu": kind, "cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version()}


def _stolen() -> float:
    """Processor time (s) that the host of a virtual machine has kept for others, of all cores; 0 where the system does not tell."""
    return float(getattr(psutil.cpu_times(), "steal", 0.0))


def _lines(path: Path) -> list[dict[str, Any]]:
    """All whole lines; a line that a kill cut off is taken out, so that the next one does not join it."""
    if not path.exists():
        return []
    whole, _, torn = path.read_bytes().rpartition(b"\n")
    if torn:
        with path.open("rb+") as file:
            file.truncate(len(whole) + 1 if whole else 0)
    return [json.loads(line) for line in whole.splitlines()]


def _code() -> str:
    """The commit that runs, and whether files differ from it: results of different code must not pass for one campaign."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return asked.stdout.strip() or "unknown"
