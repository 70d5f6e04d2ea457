"""A simulated bench that could not keep up with the wall's clock is told of: figures in real time were not in real time."""

from __future__ import annotations

from typing import Any

import pytest

from rig.commands.run import stood_still


@pytest.mark.parametrize(
    "bench",
    [{}, {"rate": None, "samples": 0, "stood_still_s": None}, {"rate": 1e4, "samples": 100_000, "stood_still_s": None},
     {"rate": 1e4, "samples": 100_000, "stood_still_s": 0.15}],
)  # fmt: skip
def test_what_keeps_up_is_not_told_of(bench: dict[str, Any]) -> None:
    assert stood_still(bench) == []


def test_what_does_not_is() -> None:
    (warning,) = stood_still({"rate": 1e4, "samples": 100_000, "stood_still_s": 3.26})
    assert warning.startswith(
        "virtual bench: the test took 3.3 s longer than the 10.0 s that it recorded: its computer had too little time"
    )
