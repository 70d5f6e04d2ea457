"""What is shown of a cycle while the test runs is what the record says of it in the end, to the last bit."""

from __future__ import annotations

from pathlib import Path

import pytest
from live_figures import live_and_recorded

from tests.tiers import quick


@pytest.mark.parametrize(
    ("name", "more"), quick([("linkage", ("trajectory.cycles=6", "acquisition.rate=20 kHz")), ("four_bar_rig", ())], 1)
)
def test_live_figures_are_those_of_the_record(tmp_path: Path, name: str, more: tuple[str, ...]) -> None:
    for both in live_and_recorded(name, tmp_path / "out", 1, *more).values():
        assert len(both.seen) == len(both.recorded) > 0
        assert both.same == len(both.seen), (both.live, both.recorded)
