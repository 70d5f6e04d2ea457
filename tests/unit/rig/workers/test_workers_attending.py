"""The hardware watchdog is reset in time, whatever the time that blocks take."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from rig.workers.attending import Attending


class Device:
    def __init__(self) -> None:
        self.resets = 0

    def reset_watchdog(self) -> None:
        self.resets += 1


class Actuation:
    def attend(self, more: bool = False) -> None:
        return None


@pytest.mark.parametrize(("took", "most"), [(0.01, 0.07), (0.04, 0.09), (0.1, 0.1)])
def test_it_is_reset_within_a_share_of_its_time_out(took: float, most: float) -> None:
    """Blocks of 10 ms, which a computer that has fallen behind takes 40 or 100 ms for."""
    device, now, at = Device(), [0.0], [0.0]
    actuation: Any = Actuation()
    attending = Attending(device, actuation, 0.01, 0.25, lambda: now[0])
    for k in range(100):
        before = device.resets
        (attending.attend if k % 2 else attending.keep)()
        if device.resets > before:
            at.append(now[0])
        now[0] += took
    assert max(b - a for a, b in itertools.pairwise(at)) <= most + 1e-9


def test_none_is_reset_where_none_is() -> None:
    device = Device()
    actuation: Any = Actuation()
    attending = Attending(device, actuation, 0.01, None)
    for _ in range(50):
        attending.attend()
    assert device.resets == 0
