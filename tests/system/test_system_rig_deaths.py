"""A process of a motor rig dies at speed: its motors come to rest. One of each here; `make campaign` does each rig 40 times."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rig_deaths import RIG_DEATHS


@pytest.mark.parametrize("pace", ["real"])
@pytest.mark.parametrize("death", ["bench, four_bar_rig", "supervisor, slider_bar_rig"])
def test_death(tmp_path: Path, death: str, pace: str) -> None:
    assert RIG_DEATHS[death](tmp_path, pace, random.Random(f"{death} {pace}"))["at_rest_s"] > 0.0
