"""The tests of this folder are of the tables that any description comes down to; generated equations: tests/unit/model/equations."""

from __future__ import annotations

import pytest

from model.mechanisms.planar import generated, stepper


@pytest.fixture(autouse=True)
def by_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "stepper", stepper.stepper)
