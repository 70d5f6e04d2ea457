"""Which sample a moment of the bench's clock is told as."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from drivers.simulated.daqmx.core.channel import ANALOG_INPUT
from drivers.simulated.daqmx.core.timeline import Timeline
from rig.virtual.injection.device import input_sample

RATE = 51203.27700972862


@pytest.mark.parametrize(("between", "sample"), [(-0.4, 75263), (0.0, 75263), (0.1, 75264), (0.5, 75264), (0.9, 75264), (1.0, 75264)])
def test_what_comes_between_two_samples_comes_with_the_second(between: float, sample: int) -> None:
    clock = Timeline("ai", 12.345678, RATE)
    task: Any = SimpleNamespace(channels=[SimpleNamespace(kind=ANALOG_INPUT)], clock=clock)
    engine: Any = SimpleNamespace(tasks={"ai": task})
    assert input_sample(engine, clock.time_of(75263) + between / RATE) == sample
    assert input_sample(SimpleNamespace(tasks={}), 13.0) is None  # type: ignore[arg-type]


def test_at_the_moment_of_the_last_sample_taken_the_next_one_is_the_first() -> None:
    """A line that is written between two blocks has the device look at the specimen at the time of the last sample once more."""
    clock = Timeline("ai", 1.5, RATE)
    clock.ticks = 512
    task: Any = SimpleNamespace(channels=[SimpleNamespace(kind=ANALOG_INPUT)], clock=clock)
    engine: Any = SimpleNamespace(tasks={"ai": task})
    for moment, sample in ((511, 512), (512, 512), (600, 600)):
        assert input_sample(engine, clock.time_of(moment)) == sample
