"""What happens when a process dies in a preparation: of those that hold the hardware, each once; of all, often, in the campaign."""

import random
from pathlib import Path

import pytest
from preparation_deaths import PREPARATION_DEATHS

from tests.tiers import quick


@pytest.mark.parametrize("death", quick(["virtual bench, preparing", "bench, preparing", "supervisor, preparing"], ["bench, preparing"]))
def test_death_in_a_preparation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    PREPARATION_DEATHS[death](tmp_path, "lockstep", random.Random(death))
