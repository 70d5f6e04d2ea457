"""Play that grows by 5 um over 1000 cycles of the virtual frame, and 1000 cycles without: found within them, or not told of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from campaign_results import Results
from growing_play import LIMIT, OF_PLAY, PLAY, cycled

pytestmark = pytest.mark.campaign

CYCLES, LEARN = 1000, 100


@pytest.mark.parametrize(("by", "limit"), [("", LIMIT), ("by play ", OF_PLAY)])
@pytest.mark.parametrize("growth", [PLAY, 0.0])
def test_a_thousand_cycles(results: Results, tmp_path: Path, growth: float, by: str, limit: str) -> None:
    found = results.once(f"growing-play/{by}{growth:g}", lambda: one(tmp_path, growth, limit))
    if growth:
        assert found["outcome"] == "tripped" and LEARN < found["cycle"] < CYCLES, found
    else:
        assert found["outcome"] in ("done", "verdict_failed") and found["cycle"] is None, found


def one(out: Path, growth: float, limit: str) -> dict[str, Any]:
    data, cycle = cycled(out, CYCLES, LEARN, growth, limit)
    return {"outcome": data["outcome"], "reason": data.get("reason"), "cycle": None if cycle != cycle else cycle}
