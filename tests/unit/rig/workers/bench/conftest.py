"""The bench worker with everything around it made of parts that only note what they are told."""

from __future__ import annotations

import pytest

from tests.unit.rig.workers.bench.noted_bench import Noted


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    return Noted(monkeypatch)
