"""A process of a rig dies at speed: what it moves comes to rest. Two here; `make campaign` has each rig's bench worker and supervisor, 40
times, on a machine that does nothing else: beside other tests a stall trips a serial axis before anybody dies."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rig_deaths import RIG_DEATHS


@pytest.mark.soak
@pytest.mark.parametrize("pace", ["real"])
@pytest.mark.parametrize("death", ["bench, four_bar_rig", "bench, linkage_instron"])
def test_death(tmp_path: Path, death: str, pace: str) -> None:
    assert RIG_DEATHS[death](tmp_path, pace, random.Random(f"{death} {pace}"))["at_rest_s"] > 0.0
