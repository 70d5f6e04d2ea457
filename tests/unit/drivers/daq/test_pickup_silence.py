"""A pickup and an encoder on one shaft: which of the two has fallen silent, and what a healthy pair may do without being accused.

The pickup gives four pulses a turn, the encoder a count every 0.01 rad. Stated bounds: more than three pulses' worth of angle without a
pulse is a silent pickup, three pulses within two and a half counts a silent encoder (one dead phase goes to and fro by one count).
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from drivers.daq.pickup_silence import Pair, pairs
from drivers.errors import NoReply

PITCH, COUNT = math.pi / 2, 0.01
PICKUP: Any = SimpleNamespace(name="revolution", kind="pickup", terminal="Dev1/ctr1", a="/Dev1/PFI3", b=None, pulses=4, beside="crank")
ENCODER: Any = SimpleNamespace(name="crank", kind="encoder", terminal="Dev1/ctr0", a="/Dev1/PFI8", b="/Dev1/PFI10", at_start=2.0, beside="")


@pytest.fixture
def pair() -> Pair:
    return Pair(PICKUP, ENCODER, COUNT)


def look(pair: Pair, pulses: list[float], angle: list[float]) -> None:
    pair.look(np.array(pulses), np.array(angle))


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("samples", [1, 7, 100])
def test_a_shaft_that_turns_has_two_healthy_sensors(pair: Pair, sense: float, samples: int) -> None:
    turned = np.linspace(0.0, 40.0 * PITCH, 2000)
    pulses, angle = np.floor(turned / PITCH + 0.3), ENCODER.at_start + sense * turned
    for first in range(0, len(turned), samples):
        pair.look(pulses[first : first + samples], angle[first : first + samples])


def test_one_that_stands_is_accused_of_nothing(pair: Pair) -> None:
    for _ in range(100):
        look(pair, [0.0, 0.0], [2.0, 2.0 + COUNT])
    look(pair, [], [])


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_three_pulses_of_angle_without_a_pulse_are_borne_and_no_more(pair: Pair, sense: float) -> None:
    look(pair, [0.0], [2.0 + sense * 2.99 * PITCH])
    words = (
        r"^DAQ: channel revolution \(pickup\) on Dev1/ctr1: no pulse while crank turned by 3\.0 of its pulses; look at the pickup, its "
        r"supply and its wires to /Dev1/PFI3, and at counter\.pulses$"
    )
    with pytest.raises(NoReply, match=words):
        look(pair, [0.0], [2.0 + sense * 3.01 * PITCH])


def test_the_angle_is_counted_from_the_last_pulse_within_a_block(pair: Pair) -> None:
    """The first sample that has the pulse, not the block's end."""
    look(pair, [0.0, 1.0, 1.0], [2.0, 2.0 + 0.5 * PITCH, 2.0 + 3.0 * PITCH])
    look(pair, [1.0], [2.0 + 3.49 * PITCH])
    with pytest.raises(NoReply, match=r"no pulse while crank turned by 3\.0"):
        look(pair, [1.0], [2.0 + 3.52 * PITCH])


def test_a_pulse_begins_the_count_anew(pair: Pair) -> None:
    look(pair, [0.0], [2.0 + 2.5 * PITCH])
    look(pair, [1.0], [2.0 + 2.6 * PITCH])
    look(pair, [1.0], [2.0 + 5.5 * PITCH])
    with pytest.raises(NoReply, match="channel revolution"):
        look(pair, [1.0], [2.0 + 5.7 * PITCH])


@pytest.mark.parametrize("moves", [0.0, COUNT, 2.4 * COUNT, -2.4 * COUNT])
def test_three_pulses_while_no_more_than_one_phase_moves_are_a_silent_encoder(pair: Pair, moves: float) -> None:
    look(pair, [1.0], [2.0 + moves])
    look(pair, [2.0], [2.0])
    words = (
        r"^DAQ: channel crank \(encoder\) on Dev1/ctr0: no counts over 3 pulses of revolution; look at the encoder, its supply and its "
        r"wires to /Dev1/PFI8, /Dev1/PFI10, and at counter\.pulses$"
    )
    with pytest.raises(NoReply, match=words):
        look(pair, [3.0], [2.0 + moves])


@pytest.mark.parametrize("moves", [2.6 * COUNT, -2.6 * COUNT])
def test_an_encoder_that_moves_by_three_counts_lives(pair: Pair, moves: float) -> None:
    """A shaft that stands at the pickup's edge gives pulses by trembling; from the move on three more are borne but one."""
    look(pair, [2.0], [2.0 + moves])
    look(pair, [4.0], [2.0 + moves])
    with pytest.raises(NoReply, match="channel crank"):
        look(pair, [5.0], [2.0 + moves])


def test_a_move_within_the_block_counts_though_it_comes_back(pair: Pair) -> None:
    look(pair, [1.0, 2.0, 2.0], [2.0, 2.0 + 3.0 * COUNT, 2.0])
    look(pair, [4.0], [2.0])


def test_a_start_is_without_pulse_at_the_angle_given(pair: Pair) -> None:
    look(pair, [2.0], [2.0 + PITCH])
    pair.begin(10.0)
    look(pair, [0.0], [10.0])
    look(pair, [2.0], [10.0])
    with pytest.raises(NoReply, match="no counts over 3 pulses"):
        look(pair, [3.0], [10.0])
    pair.begin(10.0)
    with pytest.raises(NoReply, match=r"turned by 3\.1 of its pulses"):
        look(pair, [0.0], [10.0 + 3.1 * PITCH])


def test_a_counter_on_its_own_inputs_is_said_to_be() -> None:
    bare = SimpleNamespace(**{**vars(PICKUP), "a": None})
    with pytest.raises(NoReply, match="its wires to the counter's own inputs"):
        look(Pair(bare, ENCODER, COUNT), [0.0], [2.0 + 4.0 * PITCH])


def test_pairs_are_those_that_stand_beside_each_other() -> None:
    alone = SimpleNamespace(**{**vars(PICKUP), "name": "other", "beside": "nobody"})
    ((pair, pickup, encoder),) = pairs([alone, ENCODER, PICKUP], {"crank": COUNT})
    assert (pickup, encoder) == (2, 1) and isinstance(pair, Pair)
    with pytest.raises(NoReply, match="channel revolution"):
        look(pair, [0.0], [2.0 + 3.5 * PITCH])
