"""Figures of each cycle, live and from the record: five rigs, twenty seeds each (`--seeds`), every bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from campaign_results import Results
from live_figures import RIGS, live_and_recorded

pytestmark = pytest.mark.campaign


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    seeds = range(1, metafunc.config.getoption("seeds") + 1)
    metafunc.parametrize(("seed", "name"), [(seed, name) for seed in seeds for name in RIGS])


def test_live_figures_are_those_of_the_record(results: Results, name: str, seed: int, tmp_path: Path) -> None:
    found = results.once(f"live-figures/{name}/{seed}", lambda: _counted(name, seed, tmp_path))
    assert found["same"] == found["both"] == found["recorded"] > 0, found


def _counted(name: str, seed: int, folder: Path) -> dict[str, Any]:
    """Cycles of the record, of those how many were seen live, and how many of these have the same bits. No sample was missed. Of a channel
    that the comparison takes for clipped only the name is told."""
    all_of_them = live_and_recorded(name, folder / "out", seed)
    found = [both for both in all_of_them.values() if not both.clipped]
    return {
        "clipped": sorted(channel for channel, both in all_of_them.items() if both.clipped),
        "recorded": sum(len(both.recorded) for both in found),
        "both": sum(len(both.seen) for both in found),
        "same": sum(both.same for both in found),
    }
