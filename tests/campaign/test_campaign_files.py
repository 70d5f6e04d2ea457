"""2000 random changes of each kind of file, and records that are compared and drawn after each."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from campaign_results import Results
from changed_files import KINDS, LONGEST, Kind, tried
from changed_records import MEGABYTES, Reader, journal, record

pytestmark = pytest.mark.campaign

TRIALS = 2000
WITH_QT = 4000
"""MB of address space in which a picture can be drawn at all: most of it is never touched."""


def _judged(results: Results, name: str, kind: Callable[[], Kind], trials: int = TRIALS) -> None:
    found = results.once(f"files/{name}/{trials}", lambda: _tried(kind(), trials))
    assert found["faults"] == []
    assert found["slowest"] < LONGEST


def _tried(kind: Kind, trials: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        found = asdict(tried(kind, Path(folder), trials, seed=2))
    return {**found, "faults": list(found["faults"])}


@pytest.mark.parametrize("name", KINDS)
def test_changed_files(results: Results, name: str) -> None:
    _judged(results, name, KINDS[name])


def test_changed_journals(results: Results) -> None:
    _judged(results, "journal", journal)


@contextlib.contextmanager
def _reading(read: Callable[[str], tuple[object, str]] | None, megabytes: int) -> Iterator[Reader]:
    reader = Reader(read, megabytes)
    try:
        yield reader
    finally:
        reader.close()


@pytest.mark.parametrize("use", ["read", "compare", "view"])
def test_changed_records(results: Results, use: str) -> None:
    with _reading({"read": None, "compare": compared, "view": viewed}[use], WITH_QT if use == "view" else MEGABYTES) as reader:
        _judged(results, f"record, {use}", lambda: record(reader))


def compared(path: str) -> tuple[object, str]:
    """As `rig compare` does it, once it has looked the record through."""
    from rig.errors import ConfigError
    from rig.report.summary import compare_run

    folder = Path(path).parent
    try:
        return len(compare_run(folder, picture=folder / "overlay.png")["agreement"]), ""
    except ConfigError as error:
        return 0, str(error)


def viewed(path: str) -> tuple[object, str]:
    """As `rig view --picture` does it."""
    from rig.display.window import replay
    from rig.errors import ConfigError

    try:
        return replay.picture(Path(path), replay.Wanted(), Path(path).with_name("view.png"))["samples"], ""
    except ConfigError as error:
        return 0, str(error)
