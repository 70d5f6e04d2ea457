"""A test that failed while the machine stood still is made again: what it saw, a time-out or a late answer, was the machine's."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from machine import TRIES, Stalls

STALLS = pytest.StashKey[Stalls]()


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[STALLS] = Stalls(Path(tempfile.mkdtemp(prefix="rig-stalls-")) / "stalls")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if STALLS in session.config.stash:
        session.config.stash[STALLS].close()
        shutil.rmtree(session.config.stash[STALLS].file.parent)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not isinstance(item, pytest.Function):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for left in reversed(range(TRIES)):
        begun = time.monotonic()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = any(report.failed for report in reports)
        stood = item.config.stash[STALLS].since(begun) if failed else 0.0
        if left and stood:
            item._initrequest()
            continue
        for report in reports:
            if failed:
                report.sections.append(("machine", f"stood still for up to {stood * 1e3:.0f} ms; {TRIES - left} of {TRIES} tries"))
            item.ihook.pytest_runtest_logreport(report=report)
        break
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
