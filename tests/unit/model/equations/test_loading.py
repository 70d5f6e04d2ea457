"""Generated source as a module, asked for by several threads at once."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from model.equations.loading import loaded

SLOW = "import time\nfirst = 1\ntime.sleep(0.2)\nlast = 2\n"


def test_threads_get_a_module_that_is_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It takes its time to be made: whoever asks meanwhile waits, and gets the same."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: (module := loaded(SLOW), getattr(module, "last", None)), range(4)))
    assert [last for _, last in found] == [2, 2, 2, 2]
    assert len({id(module) for module, _ in found}) == 1
    del sys.modules[found[0][0].__name__]


def test_what_cannot_be_made_is_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            loaded("first = 1 / 0\n")
