"""The panel of the channels: what its head says of their limits."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rig.display.panels.channels import Channels
from rig.display.sources.view_model import ShownChannel
from tests.unit.rig.display.display_rings import RATE, SUBJECT

FORCE, STROKE = ShownChannel("force", "N"), ShownChannel("stroke", "m")
LIMITED = replace(FORCE, minimum=-10.0, maximum=10.0, limits="-10 … 10")


@pytest.mark.parametrize(
    ("force", "value", "said"),
    [
        (FORCE, 1e6, "no limits are known"),  # as of a record whose plan is not beside it
        (LIMITED, 0.0, "all within their limits"),
        (LIMITED, 11.0, "1 over a limit"),
    ],
)
def test_only_limits_that_are_known_are_kept(qt: Any, force: ShownChannel, value: float, said: str) -> None:
    panel = Channels(replace(SUBJECT, channels=(force, STROKE)))
    levels = ("force", "stroke"), np.full((100, 2), [value, 0.0])
    source: Any = SimpleNamespace(rate=RATE, levels=lambda last, count: levels, instruments=lambda now: {})
    panel.refresh(source, 100)
    assert panel.figures.text() == said
