"""A process that is stopped for ever: the most important rows of docs/hangs.md, in lockstep; `make campaign` has all, ten times each."""

import random
from pathlib import Path

import pytest
from hangs import HANGS


@pytest.mark.parametrize("row", ["supervisor, running", "recorder, running", "virtual_bench, running"])
def test_hang(tmp_path: Path, row: str) -> None:
    HANGS[row](tmp_path, "lockstep", random.Random(row))
