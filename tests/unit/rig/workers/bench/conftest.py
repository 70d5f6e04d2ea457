"""The bench worker with everything around it made of parts that only note what they are told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.unit.rig.workers.bench.noted_bench import Noted


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Noted]:
    made = Noted(monkeypatch)
    yield made
    assert made.said("fault") == []  # a way that the table of states has not
