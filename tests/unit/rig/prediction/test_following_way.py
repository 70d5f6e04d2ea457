"""A stepper that follows an encoder: fed with how far it has turned, smooth, whatever the blocks, and as late as it says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rig.prediction.following_way import FollowingWay
from rig.signals.smoothing import Smoothing

RATE, CORNER, BEGIN = 10_000.0, 100.0, math.radians(240.0)
COUNT = 2.0 * math.pi / 4096


class Turned:
    """A stepper that gives back what it was fed with."""

    lookahead = 1
    names = ("turned",)
    usual = np.ones(2)

    def start(self, samples: np.ndarray, state: np.ndarray | None = None) -> None:
        self.first, self.state = samples.copy(), state

    def advance(self, samples: np.ndarray) -> np.ndarray:
        return samples.copy()


def encoder(t: np.ndarray) -> np.ndarray:
    """Angle (rad) in counts of a shaft that sets off gently."""
    return BEGIN + COUNT * np.floor(0.5 * 20.0 * t**2 / COUNT)


@pytest.mark.parametrize("block", [1, 37, 500])
def test_it_is_fed_with_the_angle_turned(block: int) -> None:
    t = np.arange(6000) / RATE
    follower = FollowingWay(Turned(), Smoothing(CORNER, RATE), BEGIN, COUNT)
    assert follower.lookahead == 1 + Smoothing(CORNER, RATE).lookahead
    assert follower.names == ("turned",)
    angle = encoder(t)
    follower.start(angle[: follower.lookahead])
    fed = follower._stepper.first.tolist()
    for n in range(follower.lookahead, len(angle), block):
        fed += follower.advance(angle[n : n + block]).tolist()
    turned = 0.5 * 20.0 * t[: len(fed)] ** 2
    assert len(fed) == len(angle) - Smoothing(CORNER, RATE).lookahead
    off = np.array(fed[500:]) - turned[500:]
    assert np.max(np.abs(off)) < COUNT
    assert abs(np.mean(off[len(off) // 2 :])) < 0.02 * COUNT  # no lag of half a count
    assert fed[0] == pytest.approx(0.0, abs=COUNT)


def test_a_state_is_handed_on() -> None:
    follower = FollowingWay(Turned(), Smoothing(CORNER, RATE), BEGIN)
    follower.start(np.full(follower.lookahead, BEGIN), np.array([1.0, 2.0]))
    assert follower._stepper.state.tolist() == [1.0, 2.0]
