"""Tests at real pace run one after the other, on a machine that works (`machine`); those whose bench waits for the program may run beside
them. None leaves a process behind."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from _pytest.runner import runtestprotocol
from machine import TRIES, Waiting, Watch

WAITING = Waiting()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _at_real_pace(item):
            item.add_marker(pytest.mark.xdist_group("real pace"))


def _at_real_pace(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    return (callspec is not None and callspec.params.get("pace") == "real") or item.get_closest_marker("real_pace") is not None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A test at real pace that failed while the machine did is made again."""
    if not isinstance(item, pytest.Function) or not _at_real_pace(item):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for left in reversed(range(TRIES)):
        waited = WAITING.wait()
        with Watch() as machine:
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if left and machine.failed and any(report.failed for report in reports):
            item._initrequest()
            continue
        for report in reports:
            report.sections.append(("machine", f"waited for {waited:.0f} s; {machine.told}; {TRIES - left} of {TRIES} tries"))
            item.ihook.pytest_runtest_logreport(report=report)
        break
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture(autouse=True)
def nothing_goes_on(tmp_path: Path) -> Iterator[None]:
    """A test that fails in mid-run takes its run along."""
    yield
    for process in psutil.process_iter(["cmdline"]):
        if any(str(tmp_path) in word for word in process.info["cmdline"] or ()):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
