"""The program dies at speed: every motor and loader stops within its stated time-out, by the device side's own log."""

from __future__ import annotations

import random

import pytest
from driver_deaths import DRIVER_DEATHS

from tests.tiers import quick

pytestmark = pytest.mark.real_pace


@pytest.mark.parametrize("seed", range(1))  # forty of each in the campaign
@pytest.mark.parametrize("kind", quick(DRIVER_DEATHS, ["modbus_drive", "instron"]))
def test_the_program_dies_at_speed(kind: str, seed: int) -> None:
    figures = DRIVER_DEATHS[kind](random.Random(f"{kind}/{seed}"))
    assert figures["at_rest_s"] > 0.0
