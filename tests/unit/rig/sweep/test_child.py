"""The computing process: what a task does to it is that task's row, and no other's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rig.errors import RigError
from rig.sweep import child, computing
from rig.sweep.rows import DONE, FAILED, Work

HERE = Path(__file__).parent / "functions.py"
WORK = Work("function", "", f"{HERE}:misbehaving", (), (("", "y", ""),), 0.0, 3.0, 1, child.socket.gethostname(), "")


@pytest.fixture
def work() -> Iterator[Work]:
    yield replace(WORK, digest=computing.digest(WORK))
    child.end()


def test_failures_are_rows_with_reasons_and_the_rest_is_computed(work: Work) -> None:
    asked = ["fine", "raises", "nan", "hangs", "dies", "prints", "fine"]
    found = child.rows(work, [(k, {"what": what}) for k, what in enumerate(asked)])
    assert [row.task for row in found] == [*range(7)]
    assert [row.state for row in found] == [DONE, FAILED, FAILED, FAILED, FAILED, DONE, DONE]
    assert found[0].figures == (1.0,)
    assert [row.reason for row in found[1:4]] == [
        "ArithmeticError: no such root", "a figure is not a finite number", "not done within its time limit of 3 s",
    ]  # fmt: skip
    assert found[4].reason.startswith("tried 2 times: its process ended by signal SIGKILL")


def test_a_worker_with_other_files_computes_nothing(work: Work) -> None:
    with pytest.raises(RigError, match="is another file here than where the campaign was started"):
        child.rows(replace(work, digest="0" * 64), [(0, {"what": "fine"})])


def test_compiled_code_of_another_computer_is_not_taken() -> None:
    assert "of-" in child._environment("elsewhere")["NUMBA_CACHE_DIR"]
    assert "of-" not in child._environment(child.socket.gethostname()).get("NUMBA_CACHE_DIR", "")
