"""Whether a computer keeps up with its device is told where a device complains of nobody coming."""

from __future__ import annotations

import pytest

from drivers.errors import DriverError, Refused
from rig.workers.bench.block_timing import RECENT, BlockTiming

DRY = "output Dev1/ao0 ran dry and holds its last value"


def turns(*took: float) -> BlockTiming:
    made, now = BlockTiming(0.02), 0.0
    for each in took:
        made.passed(now, now + 0.3 * each, now + each)
        now += each
    return made


def test_figures_are_of_all_turns() -> None:
    figures = turns(0.02, 0.02, 0.04).figures()
    assert figures["read_s"]["median"] == pytest.approx(0.006) and figures["work_s"]["max"] == pytest.approx(0.028)
    assert figures["read_s"]["n"] == figures["work_s"]["n"] == 3


@pytest.mark.parametrize("took", [[], [0.02] * 100, [0.3] + [0.0199] * RECENT])
def test_a_computer_that_keeps_up_has_nothing_to_do_with_it(took: list[float]) -> None:
    error = DriverError(DRY)
    assert turns(*took).explained(error) is error


@pytest.mark.parametrize(("took", "told"), [([0.02] * 50 + [0.022] * RECENT, "22 ms"), ([0.02] * 50 + [0.3], "31.2 ms")])
def test_one_that_does_not_is_named(took: list[float], told: str) -> None:
    error = turns(*took).explained(Refused(DRY))
    assert isinstance(error, Refused)
    assert str(error).startswith(f"{DRY}; this computer took {told} for each of the last blocks of 20 ms: ")
    assert "acquisition.block" in str(error)
